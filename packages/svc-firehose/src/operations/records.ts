import type { InputOf, OutputOf } from '@emu/service-types/firehose';
import type { FirehoseContext } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { activeStreamOf } from '../lookup.ts';
import { useKey } from '../streams/encryption.ts';

/** Maximum total bytes of a PutRecordBatch. */
const MAX_BATCH = 4 * 1024 * 1024;
/** Characters of record ids, and AWS's length of them. */
const ID = { alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', length: 224 };

/**
 * Adds records to a delivery stream.
 * @returns whether they are encrypted
 */
async function accept(name: string, records: readonly Uint8Array[], ctx: FirehoseContext): Promise<boolean> {
  const stream = activeStreamOf(name, ctx);
  if (stream.type !== 'DirectPut')
    throw invalidArgument(`This operation is not permitted on ${stream.type} delivery stream type.`);
  const encrypted = await useKey(stream, ctx);
  const arrivedAt = ctx.clock.now();
  ctx.state.buffers.accept(
    activeStreamOf(name, ctx),
    records.map((data) => ({ data, arrivedAt })),
  );
  return encrypted;
}

const newId = ({ ids }: FirehoseContext): string => ids.chars(ID.length, ID.alphabet);

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecord.html */
export async function PutRecord(input: InputOf<'PutRecord'>, ctx: FirehoseContext): Promise<OutputOf<'PutRecord'>> {
  const Encrypted = await accept(input.DeliveryStreamName, [input.Record.Data], ctx);
  return { RecordId: newId(ctx), Encrypted };
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html */
export async function PutRecordBatch(
  input: InputOf<'PutRecordBatch'>,
  ctx: FirehoseContext,
): Promise<OutputOf<'PutRecordBatch'>> {
  const records = input.Records.map(({ Data }) => Data);
  if (records.reduce((sum, { length }) => sum + length, 0) > MAX_BATCH)
    throw invalidArgument(`Records size exceeds ${MAX_BATCH / 1024 / 1024} MB limit`);
  const Encrypted = await accept(input.DeliveryStreamName, records, ctx);
  return { FailedPutCount: 0, Encrypted, RequestResponses: records.map(() => ({ RecordId: newId(ctx) })) };
}
