import { isDeepStrictEqual } from 'node:util';
import type { DeepReadonly } from '@emu/core/service';
import type { GrantListEntry, GrantOperation } from '@emu/service-types/kms';
import { parseJson } from '@emu/wire';
import type { KmsContext } from '../context.ts';
import { kmsError } from '../errors.ts';
import type { GrantRecord, Key } from '../records.ts';
import { keyType } from '../resources.ts';
import type { KmsState } from '../state.ts';
import { shapeOf, usagesOf } from './specs.ts';

type Grant = DeepReadonly<GrantRecord>;

const COMMON: readonly GrantOperation[] = ['CreateGrant', 'RetireGrant', 'DescribeKey'];
const ENCRYPTION: readonly GrantOperation[] = ['Encrypt', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo'];
const DATA_KEYS: readonly GrantOperation[] = [
  'GenerateDataKey',
  'GenerateDataKeyWithoutPlaintext',
  'GenerateDataKeyPair',
  'GenerateDataKeyPairWithoutPlaintext',
];

/** Operations that a grant can allow (https://docs.aws.amazon.com/kms/latest/developerguide/grants.html). */
export function grantableOperations({ spec, usage }: Key): readonly GrantOperation[] {
  const { kind } = shapeOf(spec);
  const pair = kind === 'symmetric' || kind === 'hmac' ? [] : (['GetPublicKey'] as const);
  if (!usagesOf(spec).includes(usage)) return COMMON;
  switch (usage) {
    case 'ENCRYPT_DECRYPT':
      return [...COMMON, ...ENCRYPTION, ...(kind === 'symmetric' ? DATA_KEYS : pair)];
    case 'SIGN_VERIFY':
      return [...COMMON, 'Sign', 'Verify', ...pair];
    case 'GENERATE_VERIFY_MAC':
      return [...COMMON, 'GenerateMac', 'VerifyMac'];
    case 'KEY_AGREEMENT':
      return [...COMMON, 'DeriveSharedSecret', ...pair];
  }
}

/** Creates a grant token. It is opaque to callers and contains the ids of the grant and its key. */
export function formatGrantToken({ id, keyId }: Grant, state: KmsState): string {
  // Each call returns another token, as in AWS.
  return Buffer.from(JSON.stringify({ g: id, k: state.arnOf(keyId), n: state.ids.hex(16) })).toString('base64');
}

/** Returns the grant id and key ARN in a token. @throws AwsError `InvalidGrantTokenException` */
function readToken(token: string): { id: string; keyArn: string } {
  try {
    const { g: id, k: keyArn } = parseJson(Buffer.from(token, 'base64').toString()) as { g?: unknown; k?: unknown };
    if (typeof id === 'string' && typeof keyArn === 'string') return { id, keyArn };
  } catch {
    // Unreadable tokens are invalid.
  }
  throw kmsError('InvalidGrantTokenException', '');
}

/**
 * Returns the grant of a token and the state of its key, which may belong to another account.
 * @throws AwsError `InvalidGrantTokenException`
 */
export function grantOfToken(token: string, ctx: KmsContext): { grant: Grant; state: KmsState } {
  const { id, keyArn } = readToken(token);
  const place = keyType.parse(keyArn)?.place;
  const state = place?.region === ctx.region ? ctx.handle.existingState(place.accountId, place.region) : undefined;
  const grant = state?.grants.get(id);
  if (!state || !grant) throw kmsError('InvalidGrantTokenException', '');
  return { grant, state };
}

/**
 * Checks the grant tokens of a request.
 * @throws AwsError `InvalidGrantTokenException`
 */
export function requireGrantTokens(tokens: readonly string[] | undefined, state: KmsState): void {
  for (const token of tokens ?? [])
    if (!state.grants.has(readToken(token).id)) throw kmsError('InvalidGrantTokenException', '');
}

/** Returns a grant for lists. */
export function describeGrant(grant: Grant, state: KmsState): GrantListEntry {
  const { encryptionContextSubset, encryptionContextEquals } = grant;
  return {
    KeyId: state.arnOf(grant.keyId),
    GrantId: grant.id,
    Name: grant.name,
    CreationDate: new Date(grant.createdAt),
    GranteePrincipal: grant.granteePrincipal,
    RetiringPrincipal: grant.retiringPrincipal,
    IssuingAccount: grant.issuingAccount,
    Operations: [...grant.operations],
    ...((encryptionContextSubset || encryptionContextEquals) && {
      Constraints: {
        ...(encryptionContextSubset && { EncryptionContextSubset: { ...encryptionContextSubset } }),
        ...(encryptionContextEquals && { EncryptionContextEquals: { ...encryptionContextEquals } }),
      },
    }),
  };
}

/** Whether two grants match except for id and time, which identifies a repeated request with a name. */
export function sameGrant(one: Grant, other: Grant): boolean {
  const facts = ({ id: _id, createdAt: _time, operations, ...rest }: Grant) => ({
    ...rest,
    operations: [...operations].sort(),
  });
  return isDeepStrictEqual(facts(one), facts(other));
}
