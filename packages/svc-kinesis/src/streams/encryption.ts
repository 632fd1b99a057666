import type { DeepReadonly, ServiceCaller } from '@emu/core';
import { AwsError, awsError } from '@emu/wire';
import type { KinesisContext, StreamTarget } from '../lookup.ts';
import type { EncryptionRecord } from '../records.ts';

/** The key that AWS manages for Kinesis, which is always there. */
const MANAGED_KEY = /(^|:)alias\/aws\/kinesis$/;
/** How long Kinesis uses one data key, in milliseconds. */
const REUSE = 5 * 60 * 1000;

const ERRORS: Readonly<Record<string, string>> = {
  AccessDeniedException: 'KMSAccessDeniedException',
  DisabledException: 'KMSDisabledException',
  KMSInvalidStateException: 'KMSInvalidStateException',
  InvalidKeyUsageException: 'KMSInvalidStateException',
  NotFoundException: 'KMSNotFoundException',
};

type Encryption = DeepReadonly<EncryptionRecord>;

/** When callers were last let use the key of a stream, by the caller's ARN and what for; a changed key is another object. */
const uses = new WeakMap<Encryption, Map<string, number>>();

async function asked<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    const code = error instanceof AwsError ? ERRORS[error.code] : undefined;
    throw code ? awsError(code, (error as AwsError).message) : error;
  }
}

/**
 * Has KMS make a data key for a stream, as the caller.
 * @param keyId as the request names it
 * @returns what is kept of it
 * @throws AwsError `KMSNotFoundException` and its like
 */
export async function newEncryption(
  keyId: string,
  streamArn: string,
  caller: Pick<ServiceCaller, 'call'>,
): Promise<EncryptionRecord> {
  if (MANAGED_KEY.test(keyId)) return { keyId };
  const { CiphertextBlob } = await asked(() =>
    caller.call(
      'kms',
      'GenerateDataKey',
      { KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: { 'aws:kinesis:arn': streamArn } },
      { authorize: { sourceArn: streamArn } },
    ),
  );
  return { keyId, dataKey: Buffer.from(CiphertextBlob!).toString('base64') };
}

/**
 * Asks KMS whether the caller may encrypt with the key of a stream, as putting records does.
 * @throws AwsError `KMSAccessDeniedException` and its like
 */
export async function useForWriting({ state, stream }: StreamTarget, ctx: KinesisContext): Promise<void> {
  const { encryption } = stream;
  if (!encryption?.dataKey) return;
  await once(encryption, 'write', ctx, () => newEncryption(encryption.keyId, state.arnOf(stream.name), ctx));
}

/**
 * Has KMS decrypt the data key of a stream as the caller, as reading records does.
 * @throws AwsError `KMSAccessDeniedException` and its like
 */
export async function useForReading({ state, stream }: StreamTarget, ctx: KinesisContext): Promise<void> {
  const { encryption } = stream;
  if (!encryption?.dataKey) return;
  const streamArn = state.arnOf(stream.name);
  const input = {
    CiphertextBlob: Buffer.from(encryption.dataKey, 'base64'),
    EncryptionContext: { 'aws:kinesis:arn': streamArn },
  };
  await once(encryption, 'read', ctx, () =>
    asked(() => ctx.call('kms', 'Decrypt', input, { authorize: { sourceArn: streamArn } })),
  );
}

async function once(
  encryption: Encryption,
  purpose: 'read' | 'write',
  ctx: KinesisContext,
  run: () => Promise<unknown>,
): Promise<void> {
  let times = uses.get(encryption);
  if (!times) {
    times = new Map();
    uses.set(encryption, times);
  }
  const user = `${purpose} ${ctx.principal.arn}`;
  const now = ctx.clock.now();
  const usedAt = times.get(user);
  if (usedAt !== undefined && now < usedAt + REUSE) return;
  await run();
  times.set(user, now);
}
