import { stateInRegion } from '@emu/core/service';
import type { InputOf, OutputOf, PutRecordsResultEntry } from '@emu/service-types/kinesis';
import type { KinesisContext } from '../context.ts';
import { invalidArgument, kinesisError } from '../errors.ts';
import {
  type StreamInput,
  type StreamTarget,
  shardOf,
  shardOfIndex,
  streamNotFound,
  usableStreamOf,
} from '../lookup.ts';
import { SHARDS } from '../quotas.ts';
import { ITERATOR_LIFETIME, readIterator, writeIterator } from '../records/iterator.ts';
import { positionOf } from '../records/position.ts';
import { pageOf, type ShardPage } from '../records/reading.ts';
import { checkOrdering, checkSize, RecordWriter } from '../records/writing.ts';
import { streamType } from '../resources.ts';
import { useForReading, useForWriting } from '../streams/encryption.ts';
import { describeChildren, shardId } from '../streams/shards.ts';
import { rateExceeded } from '../streams/throughput-limits.ts';

/** Maximum bytes of a PutRecords, including partition keys. */
const MAX_REQUEST = 10 * 1024 * 1024;

/** Returns the stream for writes after its key permits the caller; its shards may have changed meanwhile. */
async function unlocked(target: StreamTarget, input: StreamInput, ctx: KinesisContext): Promise<StreamTarget> {
  await useForWriting(target, ctx);
  return usableStreamOf(input, ctx);
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecord.html */
export async function PutRecord(input: InputOf<'PutRecord'>, ctx: KinesisContext): Promise<OutputOf<'PutRecord'>> {
  const named = usableStreamOf(input, ctx);
  const target = named.stream.encryption ? await unlocked(named, input, ctx) : named;
  const { stream } = target;
  const bytes = checkSize(input, stream, 'data');
  const writer = new RecordWriter(target);
  const shard = writer.shardFor(input);
  checkOrdering(input.SequenceNumberForOrdering, target, ctx.clock.now());
  if (isLimited(ctx) && !target.state.throughput.take(stream.number, shard.index, bytes, now(ctx))) {
    target.state.report(stream.name, { 'PutRecord.Success': 0, WriteProvisionedThroughputExceeded: 1 });
    throw rateExceeded(shard.index, stream.name, target.state.accountId);
  }
  const SequenceNumber = writer.write(shard, input);
  writer.done(bytes, 1);
  target.state.report(stream.name, {
    IncomingBytes: bytes,
    IncomingRecords: 1,
    'PutRecord.Bytes': bytes,
    'PutRecord.Success': 1,
  });
  return {
    ShardId: shardId(shard.index),
    SequenceNumber,
    ...(stream.encryption && { EncryptionType: 'KMS' }),
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html */
export async function PutRecords(input: InputOf<'PutRecords'>, ctx: KinesisContext): Promise<OutputOf<'PutRecords'>> {
  const named = usableStreamOf(input, ctx);
  const target = named.stream.encryption ? await unlocked(named, input, ctx) : named;
  const { stream } = target;
  const { Records } = input;
  const sizes = Records.map((record, index) => checkSize(record, stream, `records.${index + 1}.member.data`));
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_REQUEST)
    throw invalidArgument(`Records size exceeds ${MAX_REQUEST / 1024 / 1024} MB limit`);
  const writer = new RecordWriter(target);
  const shards = Records.map((record) => writer.shardFor(record));
  const limited = isLimited(ctx);
  const { state } = target;
  let failed = 0;
  let bytes = 0;
  const written = Records.map((record, index): PutRecordsResultEntry => {
    const shard = shards[index]!;
    if (limited && !state.throughput.take(stream.number, shard.index, sizes[index]!, now(ctx))) {
      failed++;
      const { code, message } = rateExceeded(shard.index, stream.name, state.accountId);
      return { ErrorCode: code, ErrorMessage: message };
    }
    bytes += sizes[index]!;
    return { SequenceNumber: writer.write(shard, record), ShardId: shardId(shard.index) };
  });
  const successful = Records.length - failed;
  writer.done(bytes, successful);
  state.report(stream.name, {
    ...(successful > 0 && { IncomingBytes: bytes, IncomingRecords: successful, 'PutRecords.Bytes': bytes }),
    'PutRecords.Success': successful > 0 ? 1 : 0,
    'PutRecords.TotalRecords': Records.length,
    'PutRecords.SuccessfulRecords': successful,
    'PutRecords.ThrottledRecords': failed,
    'PutRecords.FailedRecords': 0,
    ...(failed > 0 && { WriteProvisionedThroughputExceeded: failed }),
  });
  return {
    FailedRecordCount: failed,
    Records: written,
    ...(stream.encryption && { EncryptionType: 'KMS' }),
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetShardIterator.html */
export async function GetShardIterator(
  input: InputOf<'GetShardIterator'>,
  ctx: KinesisContext,
): Promise<OutputOf<'GetShardIterator'>> {
  const target = usableStreamOf(input, ctx);
  const { stream } = target;
  const shard = shardOf(target, input.ShardId);
  const index = await positionOf(target, shard, 'GetShardIterator', {
    type: input.ShardIteratorType,
    sequence: input.StartingSequenceNumber,
    timestamp: input.Timestamp,
  });
  const { number, name: streamName } = stream;
  return { ShardIterator: writeIterator({ stream: number, streamName, shard: shard.index, index, madeAt: now(ctx) }) };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetRecords.html */
export async function GetRecords(input: InputOf<'GetRecords'>, ctx: KinesisContext): Promise<OutputOf<'GetRecords'>> {
  const iterator = readIterator(input.ShardIterator);
  const time = now(ctx);
  if (time > iterator.madeAt + ITERATOR_LIFETIME)
    throw kinesisError(
      'ExpiredIteratorException',
      `Iterator expired. The iterator was created at time ${dateText(iterator.madeAt)} while right now it is ${dateText(time)} which is further in the future than the tolerated delay of ${ITERATOR_LIFETIME} milliseconds.`,
    );
  const address = input.StreamARN === undefined ? undefined : streamType.parse(input.StreamARN);
  if (address && address.key.name !== iterator.streamName)
    throw invalidArgument(`Invalid ShardIterator: it is not of stream ${address.key.name}.`);
  const state = stateInRegion(address?.place ?? ctx, ctx);
  const stream = state?.streamOfNumber(iterator.stream, iterator.streamName);
  if (!state || !stream) throw streamNotFound(iterator.streamName, (address?.place ?? ctx).accountId);
  const target = { state, stream };
  const shard = shardOfIndex(target, iterator.shard);
  const limited = isLimited(ctx);
  if (limited && !state.throughput.ask(stream.number, shard.index, time)) {
    state.report(stream.name, { 'GetRecords.Success': 0, ReadProvisionedThroughputExceeded: 1 });
    throw rateExceeded(shard.index, stream.name, state.accountId);
  }
  if (stream.encryption) await useForReading(target, ctx);
  const page = await pageOf(target, shard, iterator.index, input.Limit);
  const bytes = bytesOf(page);
  if (limited) state.throughput.gave(stream.number, shard.index, bytes, time);
  state.report(stream.name, {
    'GetRecords.Success': 1,
    'GetRecords.Bytes': bytes,
    'GetRecords.Records': page.records.length,
    'GetRecords.IteratorAgeMilliseconds': page.behind,
  });
  const ended = page.ended;
  return {
    Records: page.records,
    ...(!ended && { NextShardIterator: writeIterator({ ...iterator, index: page.next, madeAt: time }) }),
    MillisBehindLatest: page.behind,
    ...(ended && { ChildShards: describeChildren(stream, shard.index) }),
  };
}

/** Whether AWS's throughput limits of shards are enforced. */
const isLimited = ({ handle, accountId, region }: KinesisContext): boolean =>
  handle.quotaLimit(SHARDS, accountId, region) !== Number.POSITIVE_INFINITY;

const bytesOf = ({ records }: ShardPage): number =>
  records.reduce((sum, { Data, PartitionKey }) => sum + Data!.length + Buffer.byteLength(PartitionKey!), 0);

const now = (ctx: KinesisContext): number => Math.floor(ctx.clock.now());

/** Returns the time in Kinesis's format: `Thu Jan 22 01:22:02 UTC 2015`. */
function dateText(time: number): string {
  const [day, date, month, year, clock] = new Date(time).toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${date} ${clock} UTC ${year}`;
}
