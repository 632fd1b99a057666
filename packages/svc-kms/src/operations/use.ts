import type { KeyLastUsageTrackingOperation, KeyUsageType } from '@emu/service-types/kms';
import { awsError } from '@emu/wire';
import type { KmsContext } from '../context.ts';
import { kmsError } from '../errors.ts';
import { requireGrantTokens } from '../keys/grants.ts';
import { findKey, type KeyTarget, requireEnabled } from '../lookup.ts';

/** What the inputs of cryptographic operations have in common. */
interface CryptographicInput {
  GrantTokens?: string[] | undefined;
  Recipient?: object | undefined;
}

/**
 * A key for a cryptographic operation: enabled and of the right usage.
 * @throws AwsError `NotFoundException`, `DisabledException`, `KMSInvalidStateException`, `InvalidKeyUsageException`,
 * `InvalidGrantTokenException`
 */
export async function keyFor(
  id: string,
  usage: KeyUsageType,
  input: CryptographicInput,
  ctx: KmsContext,
): Promise<KeyTarget> {
  refuseRecipient(input, ctx);
  const target = await findKey(id, ctx);
  requireGrantTokens(input.GrantTokens, target.state);
  requireUsable(target, usage, ctx);
  return target;
}

/** Refuses a key that is not enabled or has another usage. */
export function requireUsable(target: KeyTarget, usage: KeyUsageType, ctx: KmsContext): void {
  requireEnabled(target);
  const { key, arn } = target;
  if (key.usage !== usage)
    throw kmsError(
      'InvalidKeyUsageException',
      `${arn} key usage is ${key.usage} which is not valid for ${ctx.operation}.`,
    );
}

/** Answers for Nitro enclaves are encrypted to an attestation document that only AWS's hardware makes: not offered. */
export function refuseRecipient({ Recipient }: CryptographicInput, ctx: KmsContext): void {
  if (Recipient)
    throw awsError('NotImplemented', `kms ${ctx.operation} is not implemented with Recipient.`, { status: 501 });
}

/** Refuses an algorithm that a key's spec does not have. */
export function requireAlgorithm(algorithm: string, available: readonly string[], { key }: KeyTarget): void {
  if (!available.includes(algorithm))
    throw kmsError('InvalidKeyUsageException', `Algorithm ${algorithm} is incompatible with key spec ${key.spec}.`);
}

const TRACKED: ReadonlySet<string> = new Set<KeyLastUsageTrackingOperation>([
  'Decrypt',
  'DeriveSharedSecret',
  'Encrypt',
  'GenerateDataKey',
  'GenerateDataKeyPair',
  'GenerateDataKeyPairWithoutPlaintext',
  'GenerateDataKeyWithoutPlaintext',
  'GenerateMac',
  'ReEncrypt',
  'Sign',
  'Verify',
  'VerifyMac',
]);
const isTracked = (operation: string): operation is KeyLastUsageTrackingOperation => TRACKED.has(operation);

/** Notes that a key was used. */
export function recordUse(
  { state, key }: KeyTarget,
  ctx: KmsContext,
  encryptionContext?: Record<string, string>,
): void {
  const at = ctx.clock.now();
  state.uses.add({
    keyId: key.id,
    operation: ctx.operation,
    principal: ctx.principal.arn,
    ...(encryptionContext && { encryptionContext }),
    at,
  });
  if (isTracked(ctx.operation)) state.recordLastUse(key, { operation: ctx.operation, at, eventId: ctx.requestId });
}
