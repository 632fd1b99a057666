import { type OperationContext, parseArn } from '@emu/core';
import { accessDenied, invalid, kmsError, notFound } from '../errors.ts';
import { managedKeyFor } from '../keys/aws-managed.ts';
import { stateError } from '../keys/states.ts';
import type { Key } from '../records.ts';
import type { KmsState } from '../state.ts';

/** What KMS's handlers know besides their input. */
export type KmsContext = OperationContext<KmsState>;

/** A key and the account and region it is in. */
export interface KeyTarget {
  state: KmsState;
  key: Key;
  arn: string;
}

const KEY_ID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|mrk-[0-9a-f]{32})$/i;

/** The state of an account in the request's region; undefined where it holds nothing, so that asking makes none. */
function stateOf(accountId: string, ctx: KmsContext): KmsState | undefined {
  if (accountId === ctx.accountId) return ctx.state;
  for (const scope of ctx.handle.states())
    if (scope.accountId === accountId && scope.region === ctx.region) return scope.state;
  return undefined;
}

/**
 * The account and the resource (`key/…`, `alias/…`) that a key identifier names.
 * @throws AwsError `InvalidArnException`; `NotFoundException` for an ARN of another region
 */
function parseIdentifier(id: string, ctx: KmsContext): { accountId: string; resource: string } {
  if (!id.startsWith('arn:')) return { accountId: ctx.accountId, resource: id.startsWith('alias/') ? id : `key/${id}` };
  const arn = parseArn(id);
  if (arn?.service !== 'kms' || !/^(?:key|alias)\//.test(arn.resource))
    throw kmsError('InvalidArnException', `Invalid arn ${id}`);
  if (arn.region !== ctx.region) throw notFound(`Invalid arn ${arn.region}`);
  return { accountId: arn.accountId, resource: arn.resource };
}

/**
 * The key that an id, a key ARN, an alias name or an alias ARN names.
 * @throws AwsError `NotFoundException`, `InvalidArnException`
 */
export async function findKey(id: string, ctx: KmsContext): Promise<KeyTarget> {
  const { accountId, resource } = parseIdentifier(id, ctx);
  const state = stateOf(accountId, ctx);
  const arn = `arn:${ctx.partition}:kms:${ctx.region}:${accountId}:${resource}`;
  if (resource.startsWith('alias/')) {
    const alias = state?.aliases.get(resource);
    const key =
      state && (alias ? state.find(alias.keyId) : await managedKeyFor(resource, accountId, state, ctx.partition));
    if (!state || !key) throw notFound(`Alias ${arn} is not found.`);
    return { state, key, arn: state.arnOf(key.id) };
  }
  const keyId = resource.slice('key/'.length);
  if (!KEY_ID.test(keyId)) throw notFound(`Invalid keyId '${keyId}'`);
  const key = state?.find(keyId.toLowerCase());
  if (!state || !key) throw notFound(`Key '${arn}' does not exist`);
  return { state, key, arn: state.arnOf(key.id) };
}

/**
 * The key of the caller's own account that an id or key ARN names, for operations that manage a key.
 * @param changes whether the operation changes the key, which the policies of AWS's own keys allow nobody
 * @throws AwsError `NotFoundException`, `InvalidArnException`, `AccessDeniedException`
 */
export async function ownKey(id: string, ctx: KmsContext, changes = true): Promise<KeyTarget> {
  const { resource } = parseIdentifier(id, ctx);
  if (resource.startsWith('alias/')) throw notFound(`Invalid keyId '${id}'`);
  const target = await findKey(id, ctx);
  if (target.state !== ctx.state || (changes && target.key.manager === 'AWS'))
    throw accessDenied(ctx.principal.arn, ctx.operation, target.arn);
  return target;
}

/**
 * Refuses a key that waits for its deletion.
 * @throws AwsError `KMSInvalidStateException`
 */
export function refusePendingDeletion({ state, key, arn }: KeyTarget): void {
  if (key.deletion) throw stateError(state.stateOf(key), arn);
}

/**
 * Refuses a key that is not enabled.
 * @throws AwsError `DisabledException`, `KMSInvalidStateException`
 */
export function requireEnabled({ state, key, arn }: KeyTarget): void {
  const status = state.stateOf(key);
  if (status !== 'Enabled') throw stateError(status, arn);
}

/**
 * Ends a request that only asks whether it would work.
 * @throws AwsError `DryRunOperationException`
 */
export function endDryRun(input: { DryRun?: boolean | undefined }): void {
  if (input.DryRun)
    throw kmsError('DryRunOperationException', 'The request would have succeeded, but the DryRun option is set.');
}

/**
 * A parameter that the model calls optional and KMS does not.
 * @throws AwsError `ValidationException`
 */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw invalid(`${name} is required.`);
  return value;
}
