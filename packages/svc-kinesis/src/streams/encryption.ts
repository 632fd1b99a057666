import { CustomerKey, prefixRefusals } from '@emu/core/service';
import type { KinesisContext } from '../context.ts';
import type { StreamTarget } from '../lookup.ts';
import type { EncryptionRecord } from '../records.ts';

/** Milliseconds for which Kinesis uses one data key. */
const REUSE = 5 * 60 * 1000;

/** The customers' keys that streams are encrypted with, by the streams' ARNs. */
const streamKey = new CustomerKey({
  service: 'kinesis',
  context: (streamArn: string) => ({ 'aws:kinesis:arn': streamArn }),
  callOptions: (sourceArn) => ({ authorize: { sourceArn } }),
  refuse: prefixRefusals,
});

/**
 * Makes a data key for a stream, as the caller. The AWS managed key needs none.
 * @param keyId as the request names it
 * @throws AwsError `KMSNotFoundException` and its like
 */
export async function newEncryption(keyId: string, streamArn: string, ctx: KinesisContext): Promise<EncryptionRecord> {
  if (streamKey.isManaged(keyId)) return { keyId };
  const { dataKey } = await streamKey.newDataKey(keyId, streamArn, ctx);
  return { keyId, dataKey };
}

/**
 * Checks that the caller may encrypt with the key of a stream, as putting records does.
 * @throws AwsError `KMSAccessDeniedException` and its like
 */
export const useForWriting = (target: StreamTarget, ctx: KinesisContext): Promise<void> =>
  use('write', target, ctx, ({ keyId }, streamArn) => streamKey.newDataKey(keyId, streamArn, ctx));

/**
 * Decrypts the data key of a stream as the caller, as reading records does.
 * @throws AwsError `KMSAccessDeniedException` and its like
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
