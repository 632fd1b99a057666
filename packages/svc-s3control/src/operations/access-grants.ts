import type { DeepReadonly } from '@emu/core/service';
import type { GetAccessGrantResult, InputOf, OutputOf } from '@emu/service-types/s3control';
import { grantExists, noGrant, noLocation, quotaExceeded } from '../access-grants/errors.ts';
import { checkGrantee, isGrantee } from '../access-grants/grantees.ts';
import { requireInstance, requireSharedInstance } from '../access-grants/instance.ts';
import type { GrantRecord } from '../access-grants/records.ts';
import { contains, grantScope } from '../access-grants/scopes.ts';
import type { S3controlContext } from '../context.ts';
import { paging } from '../paging.ts';
import { accessGrantType } from '../resources.ts';
import type { S3ControlState } from '../state.ts';
import { tagging } from '../tags.ts';

/**
 * Maximum grants per instance. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-grants-limitations.html
 */
const MAX_GRANTS = 100_000;

function describe(state: S3ControlState, grant: DeepReadonly<GrantRecord>): GetAccessGrantResult {
  return {
    CreatedAt: new Date(grant.createdAt),
    AccessGrantId: grant.id,
    AccessGrantArn: accessGrantType.arn(grant, state),
    Grantee: { GranteeType: grant.granteeType, GranteeIdentifier: grant.granteeIdentifier },
    Permission: grant.permission,
    AccessGrantsLocationId: grant.locationId,
    ...(grant.subPrefix !== undefined && { AccessGrantsLocationConfiguration: { S3SubPrefix: grant.subPrefix } }),
    GrantScope: grant.scope,
    ApplicationArn: grant.applicationArn,
  };
}

/**
 * @throws AwsError `AccessGrantsInstanceNotExistsError`, `NoSuchAccessGrantsLocationError`, `InvalidAccessGrant`,
 *   `AccessGrantAlreadyExists`, `AccessGrantsQuotaExceededError`, `InvalidTag`
 */
export function CreateAccessGrant(
  input: InputOf<'CreateAccessGrant'>,
  ctx: S3controlContext,
): OutputOf<'CreateAccessGrant'> {
  const { state, instance } = requireInstance(ctx, input.AccountId);
  const { AccessGrantsLocationId: locationId, Permission: permission, ApplicationArn: applicationArn } = input;
  const location = state.accessGrantsLocations.get(locationId);
  if (!location) throw noLocation();
  const subPrefix = input.AccessGrantsLocationConfiguration?.S3SubPrefix;
  const grantee = checkGrantee(input.Grantee, instance.identityCenter);
  const scope = grantScope(location.scope, subPrefix, input.S3PrefixType === 'Object');
  for (const other of state.accessGrants.values())
    if (
      other.scope === scope &&
      other.permission === permission &&
      other.granteeIdentifier === grantee.granteeIdentifier &&
      other.applicationArn === applicationArn
    )
      throw grantExists();
  if (state.accessGrants.size >= MAX_GRANTS) throw quotaExceeded('', MAX_GRANTS);
  const id = ctx.ids.uuid();
  const record: GrantRecord = {
    id,
    locationId,
    ...(subPrefix !== undefined && { subPrefix }),
    ...grantee,
    permission,
    ...(applicationArn !== undefined && { applicationArn }),
    scope,
    createdAt: ctx.clock.now(),
    tags: tagging.merge(undefined, input.Tags),
  };
  return describe(state, state.accessGrants.put(id, record));
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError`, `NoSuchAccessGrantError` */
export function GetAccessGrant(input: InputOf<'GetAccessGrant'>, ctx: S3controlContext): OutputOf<'GetAccessGrant'> {
  const { state } = requireInstance(ctx, input.AccountId);
  const grant = state.accessGrants.get(input.AccessGrantId);
  if (!grant) throw noGrant();
  return describe(state, grant);
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError`, `NoSuchAccessGrantError` */
export function DeleteAccessGrant(
  input: InputOf<'DeleteAccessGrant'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessGrant'> {
  const { state } = requireInstance(ctx, input.AccountId);
  if (!state.accessGrants.delete(input.AccessGrantId)) throw noGrant();
  return {};
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError` */
export function ListAccessGrants(
  input: InputOf<'ListAccessGrants'>,
  ctx: S3controlContext,
): OutputOf<'ListAccessGrants'> {
  const { state } = requireSharedInstance(ctx, input.AccountId);
  const wanted: [keyof GrantRecord, string | undefined][] = [
    ['granteeType', input.GranteeType],
    ['granteeIdentifier', input.GranteeIdentifier],
    ['permission', input.Permission],
    ['scope', input.GrantScope],
    ['applicationArn', input.ApplicationArn],
  ];
  const grants = [...state.accessGrants.values()].filter((grant) =>
    wanted.every(([member, value]) => value === undefined || grant[member] === value),
  );
  return paging.page('ListAccessGrants', input, grants, ({ id }) => id).list((grant) => describe(state, grant));
}

/**
 * Lists the caller's grants.
 * @throws AwsError `AccessGrantsInstanceNotExistsError`, `AccessDenied`
 */
export function ListCallerAccessGrants(
  input: InputOf<'ListCallerAccessGrants'>,
  ctx: S3controlContext,
): OutputOf<'ListCallerAccessGrants'> {
  const { state } = requireSharedInstance(ctx, input.AccountId);
  const { GrantScope: scope, AllowedByApplication: byApplication } = input;
  const grants = [...state.accessGrants.values()].filter(
    (grant) =>
      isGrantee(grant, ctx) &&
      (scope === undefined || contains(scope, grant.scope)) &&
      // Calls through Identity Center applications are not supported.
      !(byApplication && grant.applicationArn !== undefined),
  );
  return paging
    .page('ListCallerAccessGrants', input, grants, ({ id }) => id)
    .list(({ permission, scope: GrantScope, applicationArn }) => ({
      Permission: permission,
      GrantScope,
      ApplicationArn: applicationArn,
    }));
}
