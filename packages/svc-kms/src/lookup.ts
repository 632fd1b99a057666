import { type Place, parseArn, stateInRegion } from '@emu/core/service';
import type { KmsContext } from './context.ts';
import { accessDenied, invalid, kmsError, notFound, unknownCiphertextKey } from './errors.ts';
import { managedKeyFor } from './keys/aws-managed.ts';
import { stateError } from './keys/states.ts';
import { policyNames } from './policy.ts';
import type { Key } from './records.ts';
import { aliasAddress, aliasArn, keyAddress, keyType } from './resources.ts';
import type { KmsState } from './state.ts';

/** A key with its account and region. */
export interface KeyTarget {
  state: KmsState;
  key: Key;
  arn: string;
}

/** A parsed key identifier: a key id, or an alias name without its prefix. */
type KeyIdentifier = { place: Place } & ({ id: string } | { name: string });

const KEY_ID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|mrk-[0-9a-f]{32})$/i;

/**
 * Parses a key identifier as a key or an alias.
 * @throws AwsError `InvalidArnException`; `NotFoundException` for an ARN of another region
 */
function parseIdentifier(id: string, ctx: KmsContext): KeyIdentifier {
  const alias = aliasAddress(id, ctx);
  const address = alias ?? keyAddress(id, ctx);
  if (!address) throw kmsError('InvalidArnException', `Invalid arn ${id}`);
  const { region } = address.place;
  if (region !== ctx.region) throw notFound(`Invalid arn ${region}`);
  return { place: address.place, ...address.key };
}

/**
 * Returns the key with an id, key ARN, alias name or alias ARN.
 * @throws AwsError `NotFoundException`, `InvalidArnException`
 */
export async function findKey(id: string, ctx: KmsContext): Promise<KeyTarget> {
  const identifier = parseIdentifier(id, ctx);
  const { place } = identifier;
  const state = stateInRegion(place, ctx);
  if ('name' in identifier) {
    const name = `alias/${identifier.name}`;
    const alias = state?.aliases.get(name);
    const key = state && (alias ? state.find(alias.keyId) : await managedKeyFor(name, place.accountId, state));
    if (!state || !key) throw notFound(`Alias ${aliasArn(name, place)} is not found.`);
    return { state, key, arn: state.arnOf(key.id) };
  }
  if (!KEY_ID.test(identifier.id)) throw notFound(`Invalid keyId '${identifier.id}'`);
  const key = state?.find(identifier.id.toLowerCase());
  if (!state || !key) throw notFound(`Key '${keyType.arn(identifier, place)}' does not exist`);
  return { state, key, arn: state.arnOf(key.id) };
}

/** Whether a key's policy or grants mention an account. */
const mentionsAccount = ({ state, key }: KeyTarget, accountId: string): boolean =>
  policyNames(key.policy, accountId) ||
  state.grantsOf(key.id).some(({ granteePrincipal }) => parseArn(granteePrincipal)?.accountId === accountId);

/**
 * Returns the key of a ciphertext: the caller's own, or another account's that admits the caller's account.
 * @throws AwsError `AccessDeniedException` for an unknown key in this region
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html
 */
export function keyOfCiphertext(keyId: string, ctx: KmsContext): KeyTarget {
  const own = ctx.state.find(keyId);
  if (own) return { state: ctx.state, key: own, arn: ctx.state.arnOf(keyId) };
  for (const { state } of ctx.handle.states()) {
    const key = state.region === ctx.region && state.keys.has(keyId) ? state.find(keyId) : undefined;
    const target = key && { state, key, arn: state.arnOf(keyId) };
    if (target && mentionsAccount(target, ctx.accountId)) return target;
  }
  throw unknownCiphertextKey();
}

/**
 * Returns the key of the caller's account with an id or key ARN, for management operations.
 * @param changes whether the operation changes the key, which the policies of AWS managed keys always deny
 */
export async function ownKey(id: string, ctx: KmsContext, changes = true): Promise<KeyTarget> {
  if ('name' in parseIdentifier(id, ctx)) throw notFound(`Invalid keyId '${id}'`);
  const target = await findKey(id, ctx);
  if (target.state !== ctx.state || (changes && target.key.manager === 'AWS'))
    throw accessDenied(ctx.principal.arn, ctx.operation, target.arn);
  return target;
}

/**
 * Rejects a key pending deletion.
 * @throws AwsError `KMSInvalidStateException`
 */
export function refusePendingDeletion({ state, key, arn }: KeyTarget): void {
  if (key.deletion) throw stateError(state.stateOf(key), arn);
}

/**
 * Rejects a key that is not enabled.
 * @throws AwsError `DisabledException`, `KMSInvalidStateException`
 */
export function requireEnabled({ state, key, arn }: KeyTarget): void {
  const status = state.stateOf(key);
  if (status !== 'Enabled') throw stateError(status, arn);
}

/**
 * Ends a dry run.
 * @throws AwsError `DryRunOperationException`
 */
export function endDryRun(input: { DryRun?: boolean | undefined }): void {
  if (input.DryRun)
    throw kmsError('DryRunOperationException', 'The request would have succeeded, but the DryRun option is set.');
}

/**
 * Requires a parameter that is optional in the model but required in KMS.
 * @throws AwsError `ValidationException`
 */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw invalid(`${name} is required.`);
  return value;
}
