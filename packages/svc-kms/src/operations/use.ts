import type { KeyLastUsageTrackingOperation, KeyUsageType } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { kmsError } from '../errors.ts';
import { requireGrantTokens } from '../keys/grants.ts';
import { findKey, type KeyTarget, requireEnabled } from '../lookup.ts';

/** Common input members of cryptographic operations. */
interface CryptographicInput {
  GrantTokens?: string[] | undefined;
  Recipient?: object | undefined;
}

/**
 * Returns a key for a cryptographic operation: enabled and with the right usage.
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

/** Rejects a key that is not enabled or has another usage. */
export function requireUsable(target: KeyTarget, usage: KeyUsageType, ctx: KmsContext): void {
  requireEnabled(target);
  const { key, arn } = target;
  if (key.usage !== usage)
    throw kmsError(
      'InvalidKeyUsageException',
      `${arn} key usage is ${key.usage} which is not valid for ${ctx.operation}.`,
    );
}

/** Rejects recipients. Responses for Nitro enclaves require an attestation document from AWS hardware. */
export function refuseRecipient({ Recipient }: CryptographicInput, ctx: KmsContext): void {
  if (Recipient)
    throw kmsError('NotImplemented', `kms ${ctx.operation} is not implemented with Recipient.`, { status: 501 });
}

/** Rejects an algorithm that the key spec does not support. */
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

/** Records the use of a key. */
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
  const { operation, requestId } = ctx;
  if (isTracked(operation)) state.recordLastUse(key, { operation, at, eventId: ctx.ids.uuid(), requestId });
}
