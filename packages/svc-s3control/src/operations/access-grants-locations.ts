import { type DeepReadonly, identityDirectory, parseArn } from '@emu/core/service';
import type { GetAccessGrantsLocationResult, InputOf, OutputOf } from '@emu/service-types/s3control';
import { invalidRole, locationExists, locationNotEmpty, noLocation, quotaExceeded } from '../access-grants/errors.ts';
import { requireInstance, requireSharedInstance } from '../access-grants/instance.ts';
import type { LocationRecord } from '../access-grants/records.ts';
import { checkLocationScope, EVERYTHING } from '../access-grants/scopes.ts';
import type { S3controlContext } from '../context.ts';
import { paging } from '../paging.ts';
import { accessGrantsLocationType } from '../resources.ts';
import type { S3ControlState } from '../state.ts';
import { tagging } from '../tags.ts';

/**
 * Maximum locations per instance. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-grants-limitations.html
 */
const MAX_LOCATIONS = 1000;

function describe(
  state: S3ControlState,
  { id, scope, roleArn, createdAt }: DeepReadonly<LocationRecord>,
): GetAccessGrantsLocationResult {
  return {
    CreatedAt: new Date(createdAt),
    AccessGrantsLocationId: id,
    AccessGrantsLocationArn: accessGrantsLocationType.arn({ id }, state),
    LocationScope: scope,
    IAMRoleArn: roleArn,
  };
}

/** @throws AwsError `InvalidIamRole` for a role of another account; with policies enforced also for a missing one */
async function checkRole(ctx: S3controlContext, roleArn: string): Promise<void> {
  if (parseArn(roleArn)?.accountId !== ctx.accountId) throw invalidRole();
  const directory = ctx.enforced ? await ctx.capability(identityDirectory) : undefined;
  if (directory && !(await directory.identity(roleArn))) throw invalidRole();
}

function find(state: S3ControlState, id: string): DeepReadonly<LocationRecord> {
  const location = state.accessGrantsLocations.get(id);
  if (!location) throw noLocation();
  return location;
}

/**
 * @throws AwsError `AccessGrantsInstanceNotExistsError`, `InvalidAccessGrantsLocation`, `InvalidIamRole`,
 *   `AccessGrantsLocationAlreadyExistsError`, `AccessGrantsLocationsQuotaExceededError`, `InvalidTag`
 */
export async function CreateAccessGrantsLocation(
  input: InputOf<'CreateAccessGrantsLocation'>,
  ctx: S3controlContext,
): Promise<OutputOf<'CreateAccessGrantsLocation'>> {
  const { LocationScope: scope, IAMRoleArn: roleArn, Tags: tags = [] } = input;
  requireInstance(ctx, input.AccountId);
  checkLocationScope(scope);
  await checkRole(ctx, roleArn);
  const { state } = requireInstance(ctx, input.AccountId);
  const locations = state.accessGrantsLocations;
  for (const location of locations.values()) if (location.scope === scope) throw locationExists();
  if (locations.size >= MAX_LOCATIONS) throw quotaExceeded('Locations', MAX_LOCATIONS);
  const id = scope === EVERYTHING ? 'default' : ctx.ids.uuid();
  const record = { id, scope, roleArn, createdAt: ctx.clock.now(), tags: tagging.merge(undefined, tags) };
  return describe(state, locations.put(id, record));
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError`, `NoSuchAccessGrantsLocationError` */
export function GetAccessGrantsLocation(
  input: InputOf<'GetAccessGrantsLocation'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessGrantsLocation'> {
  const { state } = requireInstance(ctx, input.AccountId);
  return describe(state, find(state, input.AccessGrantsLocationId));
}

/**
 * Changes the role of a location.
 * @throws AwsError `NoSuchAccessGrantsLocationError`, `InvalidIamRole`
 */
export async function UpdateAccessGrantsLocation(
  input: InputOf<'UpdateAccessGrantsLocation'>,
  ctx: S3controlContext,
): Promise<OutputOf<'UpdateAccessGrantsLocation'>> {
  requireInstance(ctx, input.AccountId);
  await checkRole(ctx, input.IAMRoleArn);
  const { state } = requireInstance(ctx, input.AccountId);
  const { id } = find(state, input.AccessGrantsLocationId);
  const changed = state.accessGrantsLocations.update(id, (draft) => {
    draft.roleArn = input.IAMRoleArn;
  });
  return describe(state, changed);
}

/** @throws AwsError `NoSuchAccessGrantsLocationError`, `AccessGrantsLocationNotEmptyError` */
export function DeleteAccessGrantsLocation(
  input: InputOf<'DeleteAccessGrantsLocation'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessGrantsLocation'> {
  const { state } = requireInstance(ctx, input.AccountId);
  const { id } = find(state, input.AccessGrantsLocationId);
  for (const grant of state.accessGrants.values()) if (grant.locationId === id) throw locationNotEmpty();
  state.accessGrantsLocations.delete(id);
  return {};
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError` */
export function ListAccessGrantsLocations(
  input: InputOf<'ListAccessGrantsLocations'>,
  ctx: S3controlContext,
): OutputOf<'ListAccessGrantsLocations'> {
  const { state } = requireSharedInstance(ctx, input.AccountId);
  const { LocationScope: scope } = input;
  const locations = [...state.accessGrantsLocations.values()].filter(
    (one) => scope === undefined || one.scope === scope,
  );
  return paging
    .page('ListAccessGrantsLocations', input, locations, ({ id }) => id)
    .list((location) => describe(state, location));
}
