import { type Credential, newAccessKeyId, newSecretAccessKey, numericKey } from '@emu/core/service';
import type { AccessKeyMetadata, CreateAccessKeyResponse, InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { type KeyOwner, keysOf, ownerOf } from '../credentials/access-keys.ts';
import { nowOf } from '../entities/lookup.ts';
import { invalidInput, noSuchEntity, quotaExceeded } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';

/**
 * Creates an access key with which requests can be signed.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateAccessKey.html
 */
export function CreateAccessKey(input: InputOf<'CreateAccessKey'>, ctx: IamContext): OutputOf<'CreateAccessKey'> {
  const owner = ownerOf(ctx, input.UserName);
  const { user, ...principal } = owner;
  if (keysOf(ctx.credentials, ctx.accountId, owner.userId).length >= LIMITS.accessKeysPerUser)
    throw quotaExceeded('AccessKeysPerUser', LIMITS.accessKeysPerUser);
  const credential: Credential = {
    accessKeyId: newAccessKeyId('AKIA', ctx.accountId, ctx.ids),
    secretAccessKey: newSecretAccessKey(ctx.ids),
    active: true,
    createdAt: nowOf(ctx),
    principal,
  };
  ctx.credentials.put(credential);
  const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = credential;
  const key = { AccessKeyId, SecretAccessKey, Status: 'Active' as const, CreateDate: createdAt(credential, owner) };
  // The root user has no name.
  return { AccessKey: { ...(user && { UserName: user.name }), ...key } as CreateAccessKeyResponse['AccessKey'] };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAccessKeys.html */
export function ListAccessKeys(input: InputOf<'ListAccessKeys'>, ctx: IamContext): OutputOf<'ListAccessKeys'> {
  const owner = ownerOf(ctx, input.UserName);
  const keys = keysOf(ctx.credentials, ctx.accountId, owner.userId);
  const order = ({ createdAt: at = 0, accessKeyId }: Credential) => `${numericKey(at)} ${accessKeyId}`;
  const { items, next } = paging.page('ListAccessKeys', input, keys, order);
  const metadata = items.map(
    (key): AccessKeyMetadata => ({
      ...(owner.user && { UserName: owner.user.name }),
      AccessKeyId: key.accessKeyId,
      Status: key.active ? 'Active' : 'Inactive',
      CreateDate: createdAt(key, owner),
    }),
  );
  return { AccessKeyMetadata: metadata, ...next };
}

/**
 * Enables or disables a key.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateAccessKey.html
 */
export function UpdateAccessKey(input: InputOf<'UpdateAccessKey'>, ctx: IamContext): OutputOf<'UpdateAccessKey'> {
  const key = requireKey(ctx, input.UserName, input.AccessKeyId);
  if (input.Status === 'Expired') throw invalidInput('Status Expired cannot be set on an access key.');
  ctx.credentials.put({ ...key, active: input.Status === 'Active' });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteAccessKey.html */
export function DeleteAccessKey(input: InputOf<'DeleteAccessKey'>, ctx: IamContext): OutputOf<'DeleteAccessKey'> {
  ctx.credentials.delete(requireKey(ctx, input.UserName, input.AccessKeyId).accessKeyId);
  return NOTHING;
}

/**
 * Returns the last request made with a key.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccessKeyLastUsed.html
 */
export function GetAccessKeyLastUsed(
  input: InputOf<'GetAccessKeyLastUsed'>,
  ctx: IamContext,
): OutputOf<'GetAccessKeyLastUsed'> {
  const key = ctx.credentials.get(input.AccessKeyId);
  if (key?.principal.accountId !== ctx.accountId || key.sessionToken !== undefined) throw noSuchKey(input.AccessKeyId);
  const { type, arn } = key.principal;
  const use = ctx.credentials.lastUse(input.AccessKeyId);
  return {
    ...(type === 'user' && { UserName: arn.slice(arn.lastIndexOf('/') + 1) }),
    AccessKeyLastUsed: use
      ? { LastUsedDate: new Date(Math.floor(use.at / 1000) * 1000), ServiceName: use.service, Region: use.region }
      : { ServiceName: 'N/A', Region: 'N/A' },
  };
}

function requireKey(ctx: IamContext, userName: string | undefined, accessKeyId: string): Credential {
  const { userId } = ownerOf(ctx, userName);
  const key = ctx.credentials.get(accessKeyId);
  if (key?.principal.userId !== userId || key.principal.accountId !== ctx.accountId || key.sessionToken !== undefined)
    throw noSuchKey(accessKeyId);
  return key;
}

const noSuchKey = (accessKeyId: string): Error =>
  noSuchEntity(`The Access Key with id ${accessKeyId} cannot be found.`);

/** Returns the creation time of a key; keys of older versions of emu have none and use their user's. */
const createdAt = (key: Credential, { user }: KeyOwner): Date => new Date(key.createdAt ?? user?.createdAt ?? 0);
