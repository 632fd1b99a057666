import { CustomerKey, prefixRefusals } from '@emu/core/service';
import type { KinesisContext } from '../context.ts';
import type { StreamTarget } from '../lookup.ts';
import type { EncryptionRecord } from '../records.ts';

/** Milliseconds for which Kinesis reuses a data key. */
const REUSE = 5 * 60 * 1000;

/** Customer keys of streams, by stream ARN. */
const streamKey = new CustomerKey({
  service: 'kinesis',
  context: (streamArn: string) => ({ 'aws:kinesis:arn': streamArn }),
  callOptions: (sourceArn) => ({ authorize: { sourceArn } }),
  refuse: prefixRefusals,
});

/**
 * Generates a data key for a stream as the caller. The AWS managed key needs none.
 * @param keyId as in the request
 * @throws AwsError `KMSNotFoundException` and other KMS errors
 */
export async function newEncryption(keyId: string, streamArn: string, ctx: KinesisContext): Promise<EncryptionRecord> {
  if (streamKey.isManaged(keyId)) return { keyId };
  const { dataKey } = await streamKey.newDataKey(keyId, streamArn, ctx);
  return { keyId, dataKey };
}

/**
 * Checks that the caller may encrypt with a stream's key, as for putting records.
 * @throws AwsError `KMSAccessDeniedException` and other KMS errors
 */
export const useForWriting = (target: StreamTarget, ctx: KinesisContext): Promise<void> =>
  use('write', target, ctx, ({ keyId }, streamArn) => streamKey.newDataKey(keyId, streamArn, ctx));

/**
 * Decrypts a stream's data key as the caller, as for reading records.
 * @throws AwsError `KMSAccessDeniedException` and other KMS errors
 */
export const useForReading = (target: StreamTarget, ctx: KinesisContext): Promise<void> =>
  use('read', target, ctx, ({ dataKey }, streamArn) => streamKey.decrypt({ dataKey }, streamArn, ctx));

async function use(
  purpose: 'read' | 'write',
  { state, stream: { encryption, name } }: StreamTarget,
  ctx: KinesisContext,
  ask: (encryption: Readonly<Required<EncryptionRecord>>, streamArn: string) => Promise<unknown>,
): Promise<void> {
  if (encryption?.dataKey === undefined) return;
  const { keyId, dataKey } = encryption;
  const period = { owner: encryption, keyId, user: `${purpose} ${ctx.principal.arn}`, period: REUSE };
  await streamKey.uses.once(period, ctx.clock, () => ask({ keyId, dataKey }, state.arnOf(name)));
}
