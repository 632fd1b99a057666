import { checkS3Policy, formatArn } from '@emu/core/service';
import type { GetAccessGrantsInstanceResult, InputOf, OutputOf } from '@emu/service-types/s3control';
import { AwsError } from '@emu/wire';
import {
  instanceExists,
  instanceNotEmpty,
  invalidIdentityCenter,
  invalidResourcePolicy,
  noInstance,
  noResourcePolicy,
} from '../access-grants/errors.ts';
import { type AccessGrants, requireInstance } from '../access-grants/instance.ts';
import type { InstanceRecord } from '../access-grants/records.ts';
import { contains, EVERYTHING, parseScope } from '../access-grants/scopes.ts';
import type { S3controlContext } from '../context.ts';
import { checkAccount } from '../context.ts';
import { invalidRequest } from '../errors.ts';
import { paging } from '../paging.ts';
import { accessGrantsInstanceType, INSTANCE } from '../resources.ts';
import type { S3ControlState } from '../state.ts';
import { tagging } from '../tags.ts';

function associationOf(ctx: S3controlContext, instanceArn: string): InstanceRecord['identityCenter'] {
  const id = /:instance\/([\w-]+)$/.exec(instanceArn)?.[1];
  if (id === undefined) throw invalidIdentityCenter();
  const application = `${id}/apl-${ctx.ids.hex(16)}`;
  return {
    instanceArn,
    applicationArn: formatArn(
      { service: 'sso', region: '', accountId: ctx.accountId, resource: `application/${application}` },
      ctx.region,
    ),
  };
}

function describe({ state, instance }: AccessGrants): GetAccessGrantsInstanceResult {
  return {
    AccessGrantsInstanceId: INSTANCE,
    AccessGrantsInstanceArn: accessGrantsInstanceType.arn({}, state),
    CreatedAt: new Date(instance.createdAt),
    ...(instance.identityCenter && {
      IdentityCenterArn: instance.identityCenter.applicationArn,
      IdentityCenterInstanceArn: instance.identityCenter.instanceArn,
      IdentityCenterApplicationArn: instance.identityCenter.applicationArn,
    }),
  };
}

/** @throws AwsError `AccessGrantsInstanceAlreadyExists`, `InvalidIdentityCenterInstance`, `InvalidTag` */
export function CreateAccessGrantsInstance(
  input: InputOf<'CreateAccessGrantsInstance'>,
  ctx: S3controlContext,
): OutputOf<'CreateAccessGrantsInstance'> {
  const { AccountId, IdentityCenterArn: identityCenter, Tags: tags = [] } = input;
  checkAccount(ctx, AccountId);
  const { accessGrantsInstances: instances } = ctx.state;
  if (instances.has(INSTANCE)) throw instanceExists();
  const association = identityCenter === undefined ? undefined : associationOf(ctx, identityCenter);
  const instance = instances.put(INSTANCE, {
    createdAt: ctx.clock.now(),
    ...(association && { identityCenter: association }),
    tags: tagging.merge(undefined, tags),
  });
  return describe({ state: ctx.state, instance });
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError` */
export function GetAccessGrantsInstance(
  input: InputOf<'GetAccessGrantsInstance'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessGrantsInstance'> {
  return describe(requireInstance(ctx, input.AccountId));
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError`, `AccessGrantsInstanceNotEmptyError` */
export function DeleteAccessGrantsInstance(
  input: InputOf<'DeleteAccessGrantsInstance'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessGrantsInstance'> {
  const { state } = requireInstance(ctx, input.AccountId);
  if (state.accessGrantsLocations.size > 0) throw instanceNotEmpty();
  state.accessGrantsInstances.delete(INSTANCE);
  return {};
}

/** Returns the account's instance in the region, if any. */
export function ListAccessGrantsInstances(
  input: InputOf<'ListAccessGrantsInstances'>,
  ctx: S3controlContext,
): OutputOf<'ListAccessGrantsInstances'> {
  checkAccount(ctx, input.AccountId);
  return paging
    .page('ListAccessGrantsInstances', input, ctx.state.accessGrantsInstances.values(), () => INSTANCE)
    .list((instance) => describe({ state: ctx.state, instance }));
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError`, `InvalidRequest`, `InvalidIdentityCenterInstance` */
export function AssociateAccessGrantsIdentityCenter(
  input: InputOf<'AssociateAccessGrantsIdentityCenter'>,
  ctx: S3controlContext,
): OutputOf<'AssociateAccessGrantsIdentityCenter'> {
  const { state, instance } = requireInstance(ctx, input.AccountId);
  const { IdentityCenterArn: arn } = input;
  if (instance.identityCenter?.instanceArn === arn) return {};
  if (instance.identityCenter)
    throw invalidRequest('The Access Grants instance is associated with another Identity Center instance.');
  const association = associationOf(ctx, arn);
  state.accessGrantsInstances.update(INSTANCE, (draft) => {
    if (association) draft.identityCenter = association;
  });
  return {};
}

/**
 * Dissociates the directory; grants to its users and groups lose effect.
 * @throws AwsError `AccessGrantsInstanceNotExistsError`
 */
export function DissociateAccessGrantsIdentityCenter(
  input: InputOf<'DissociateAccessGrantsIdentityCenter'>,
  ctx: S3controlContext,
): OutputOf<'DissociateAccessGrantsIdentityCenter'> {
  requireInstance(ctx, input.AccountId).state.accessGrantsInstances.update(INSTANCE, (draft) => {
    delete draft.identityCenter;
  });
  return {};
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError`, `InvalidResourcePolicy` */
export function PutAccessGrantsInstanceResourcePolicy(
  input: InputOf<'PutAccessGrantsInstanceResourcePolicy'>,
  ctx: S3controlContext,
): OutputOf<'PutAccessGrantsInstanceResourcePolicy'> {
  const { Policy: text, Organization: organization } = input;
  const { state } = requireInstance(ctx, input.AccountId);
  const arn = accessGrantsInstanceType.arn({}, state);
  try {
    const covers = (resource: string) => resource === '*' || resource === arn || resource.startsWith(`${arn}/`);
    checkS3Policy(text, { covers });
  } catch (error) {
    throw error instanceof AwsError ? invalidResourcePolicy() : error;
  }
  const { policy } = state.accessGrantsInstances.update(INSTANCE, (draft) => {
    const createdAt = draft.policy?.createdAt ?? ctx.clock.now();
    draft.policy = { text, createdAt, ...(organization !== undefined && { organization }) };
  });
  return { Policy: text, Organization: organization, CreatedAt: new Date(policy!.createdAt) };
}

/** @throws AwsError `AccessGrantsInstanceNotExistsError`, `AccessGrantsInstanceResourcePolicyNotExists` */
export function GetAccessGrantsInstanceResourcePolicy(
  input: InputOf<'GetAccessGrantsInstanceResourcePolicy'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessGrantsInstanceResourcePolicy'> {
  const { policy } = requireInstance(ctx, input.AccountId).instance;
  if (!policy) throw noResourcePolicy();
  return { Policy: policy.text, Organization: policy.organization, CreatedAt: new Date(policy.createdAt) };
}

/**
 * Deletes the policy, if any.
 * @throws AwsError `AccessGrantsInstanceNotExistsError`
 */
export function DeleteAccessGrantsInstanceResourcePolicy(
  input: InputOf<'DeleteAccessGrantsInstanceResourcePolicy'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessGrantsInstanceResourcePolicy'> {
  requireInstance(ctx, input.AccountId).state.accessGrantsInstances.update(INSTANCE, (draft) => {
    delete draft.policy;
  });
  return {};
}

/**
 * Returns the instance with a location that contains a prefix: the caller's, or that of the bucket's account.
 * @throws AwsError `InvalidRequest`, `AccessGrantsInstanceNotExistsError`
 */
export async function GetAccessGrantsInstanceForPrefix(
  input: InputOf<'GetAccessGrantsInstanceForPrefix'>,
  ctx: S3controlContext,
): Promise<OutputOf<'GetAccessGrantsInstanceForPrefix'>> {
  checkAccount(ctx, input.AccountId);
  const scope = parseScope(input.S3Prefix);
  if (!scope) throw invalidRequest('The S3 prefix must be of the form s3://bucket/prefix.');
  const others = [...ctx.handle.states()].map(({ state }) => state).filter(({ region }) => region === ctx.region);
  for (const state of [ctx.state, ...others])
    if (state.accessGrantsInstances.has(INSTANCE) && (await registers(ctx, state, input.S3Prefix, scope.bucket)))
      return { AccessGrantsInstanceId: INSTANCE, AccessGrantsInstanceArn: accessGrantsInstanceType.arn({}, state) };
  throw noInstance();
}

/** Whether a location of an account contains a prefix; default locations contain the account's own buckets. */
async function registers(
  ctx: S3controlContext,
  state: S3ControlState,
  prefix: string,
  bucket: string,
): Promise<boolean> {
  for (const { scope } of state.accessGrantsLocations.values()) {
    if (!contains(scope, prefix)) continue;
    if (scope !== EVERYTHING || (await isOwner(ctx, state.accountId, bucket))) return true;
  }
  return false;
}

async function isOwner(ctx: S3controlContext, accountId: string, bucket: string): Promise<boolean> {
  try {
    await ctx.call('s3', 'HeadBucket', { Bucket: bucket, ExpectedBucketOwner: accountId });
    return true;
  } catch (error) {
    if (error instanceof AwsError) return false;
    throw error;
  }
}
