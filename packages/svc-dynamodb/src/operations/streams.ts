import { parseArn, servicePrincipalName, setCause } from '@emu/core/service';
import type {
  GetShardIteratorInput,
  InputOf,
  OutputOf,
  Shard,
  Record as WireRecord,
} from '@emu/service-types/dynamodbstreams';
import { violationText } from '@emu/wire';
import type { DynamodbContext } from '../context.ts';
import { checkRegion, stateAt } from '../context.ts';
import { dynamodbError } from '../errors.ts';
import { streamType } from '../resources.ts';
import type { ChangeRecord, StreamInfo, StreamLog } from '../streams/log.ts';

const ITERATOR_LIFETIME = 15 * 60 * 1000;
const MAX_RECORDS = 1000;
const MAX_BYTES = 1024 * 1024;
const MAX_LIST = 100;

/** A stream and the log that contains it. */
interface FoundStream {
  log: StreamLog;
  info: StreamInfo;
}

/**
 * Returns the stream of an ARN.
 * @throws AwsError `ValidationException`, `ResourceNotFoundException`
 */
function streamAt(ctx: DynamodbContext, arn: string): FoundStream {
  const address = streamType.parse(arn);
  if (!address) throw dynamodbError('ValidationException', 'Invalid StreamArn');
  checkRegion(ctx, arn, address.place);
  const log = stateAt(address.place, ctx)?.streams;
  const info = log?.info(arn);
  if (!log || !info)
    throw dynamodbError('ResourceNotFoundException', `Requested resource not found: Stream: ${arn} not found`);
  return { log, info };
}

/**
 * Checks a limit, whose maximum the models do not contain.
 * @throws AwsError `ValidationException`
 */
function checkLimit(limit: number | undefined, most: number): void {
  if (limit === undefined || limit <= most) return;
  throw dynamodbError(
    'ValidationException',
    violationText('limit', `Member must have value less than or equal to ${most}`, String(limit)),
  );
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_ListStreams.html */
export function ListStreams(input: InputOf<'ListStreams'>, ctx: DynamodbContext): OutputOf<'ListStreams'> {
  checkLimit(input.Limit, MAX_LIST);
  let all = ctx.state.streams
    .list()
    .filter((info) => input.TableName === undefined || info.tableName === input.TableName);
  if (input.ExclusiveStartStreamArn !== undefined)
    all = all.slice(all.findIndex(({ arn }) => arn === input.ExclusiveStartStreamArn) + 1);
  const page = all.slice(0, input.Limit ?? MAX_LIST);
  return {
    Streams: page.map(({ arn, tableName, label }) => ({ StreamArn: arn, TableName: tableName, StreamLabel: label })),
    LastEvaluatedStreamArn: page.length < all.length ? page.at(-1)!.arn : undefined,
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_DescribeStream.html */
export function DescribeStream(input: InputOf<'DescribeStream'>, ctx: DynamodbContext): OutputOf<'DescribeStream'> {
  checkLimit(input.Limit, MAX_LIST);
  const filter = input.ShardFilter;
  // emu's own message.
  if (filter && (filter.Type === undefined || filter.ShardId === undefined))
    throw dynamodbError(
      'ValidationException',
      'One or more parameter values were invalid: ShardFilter must have both Type and ShardId',
    );
  const { info } = streamAt(ctx, input.StreamArn);
  const shard: Shard = {
    ShardId: info.shardId,
    SequenceNumberRange: {
      StartingSequenceNumber: info.startingSequence,
      EndingSequenceNumber: info.endingSequence,
    },
  };
  // The only shard has no children and no successors.
  const shown = input.ExclusiveStartShardId === undefined && input.ShardFilter === undefined;
  return {
    StreamDescription: {
      StreamArn: info.arn,
      StreamLabel: info.label,
      StreamStatus: info.disabledAt === undefined ? 'ENABLED' : 'DISABLED',
      StreamViewType: info.viewType,
      CreationRequestDateTime: new Date(info.createdAt),
      TableName: info.tableName,
      KeySchema: info.keySchema,
      Shards: shown ? [shard] : [],
    },
  };
}

/** Content of an iterator, opaque to clients. */
interface Cursor {
  /** Sequence number of the next record. */
  next: string;
  /** Creation time of the iterator in epoch milliseconds. */
  at: number;
}

const iteratorOf = (arn: string, cursor: Cursor): string =>
  `${arn}|1|${Buffer.from(JSON.stringify(cursor)).toString('base64')}`;

function cursorOf(iterator: string): { arn: string; cursor: Cursor } {
  const [arn, version, text] = iterator.split('|');
  if (arn && version === '1' && text) {
    const cursor = parseCursor(Buffer.from(text, 'base64').toString());
    if (cursor) return { arn, cursor };
  }
  throw dynamodbError('ValidationException', 'Invalid ShardIterator');
}

/**
 * Returns the stream of an iterator.
 * @throws AwsError `ValidationException` for an invalid iterator
 */
export function streamOfIterator(iterator: string): string {
  return cursorOf(iterator).arn;
}

function parseCursor(text: string): Cursor | undefined {
  try {
    const cursor = JSON.parse(text) as Partial<Cursor>;
    return typeof cursor.next === 'string' && typeof cursor.at === 'number' ? (cursor as Cursor) : undefined;
  } catch {
    return undefined;
  }
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetShardIterator.html */
export function GetShardIterator(
  input: InputOf<'GetShardIterator'>,
  ctx: DynamodbContext,
): OutputOf<'GetShardIterator'> {
  const { log, info } = streamAt(ctx, input.StreamArn);
  if (input.ShardId !== info.shardId)
    throw dynamodbError('ResourceNotFoundException', 'Requested resource not found: Shard does not exist');
  return { ShardIterator: iteratorOf(info.arn, { next: startOf(input, log, info), at: ctx.clock.now() }) };
}

function startOf(input: GetShardIteratorInput, log: StreamLog, info: StreamInfo): string {
  const { ShardIteratorType: type, SequenceNumber: sequence } = input;
  if (type === 'TRIM_HORIZON') return log.horizon(info.arn);
  if (type === 'LATEST') {
    // emu's own message.
    if (sequence !== undefined)
      throw dynamodbError(
        'ValidationException',
        `One or more parameter values were invalid: SequenceNumber must not be specified for ${type}`,
      );
    return log.upcoming();
  }
  if (sequence === undefined)
    throw dynamodbError(
      'ValidationException',
      `One or more parameter values were invalid: SequenceNumber must be specified for ${type}`,
    );
  if (!/^\d{21,40}$/.test(sequence) || BigInt(sequence) < BigInt(info.startingSequence))
    throw dynamodbError('ValidationException', `Invalid SequenceNumber: ${sequence}`);
  if (BigInt(sequence) < BigInt(log.horizon(info.arn)) && sequence !== info.startingSequence)
    throw dynamodbError(
      'TrimmedDataAccessException',
      'The operation attempted to read past the oldest stream record in a shard.',
    );
  return type === 'AT_SEQUENCE_NUMBER' ? sequence : String(BigInt(sequence) + 1n);
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html */
export function GetRecords(input: InputOf<'GetRecords'>, ctx: DynamodbContext): OutputOf<'GetRecords'> {
  checkLimit(input.Limit, MAX_RECORDS);
  const { arn, cursor } = cursorOf(input.ShardIterator);
  const { log, info } = streamAt(ctx, arn);
  const now = ctx.clock.now();
  if (now - cursor.at > ITERATOR_LIFETIME)
    throw dynamodbError(
      'ExpiredIteratorException',
      'Iterator expired. The iterator was created at time more than 15 minutes ago.',
    );
  const records = withinSize(log.recordsFrom(arn, cursor.next, input.Limit ?? MAX_RECORDS));
  const last = records.at(-1)?.sequence;
  const next = last === undefined ? cursor.next : String(BigInt(last) + 1n);
  const ended = info.endingSequence !== undefined && BigInt(next) > BigInt(info.endingSequence);
  return {
    Records: records.map((record) => describeRecord(record, info, parseArn(arn)!.region, ctx.http === undefined)),
    // The end of a closed shard has no next iterator.
    NextShardIterator: ended ? undefined : iteratorOf(arn, { next, at: now }),
  };
}

function withinSize(records: readonly ChangeRecord[]): ChangeRecord[] {
  let bytes = 0;
  return records.filter((record, index) => {
    bytes += record.bytes;
    return index === 0 || bytes <= MAX_BYTES;
  });
}

/**
 * Returns a stream record.
 * @param isInternal whether the reader is internal and receives the cause
 */
function describeRecord(record: ChangeRecord, info: StreamInfo, region: string, isInternal: boolean): WireRecord {
  const described: WireRecord = {
    eventID: record.id,
    eventName: record.name,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      // Stream records have a time resolution of seconds.
      ApproximateCreationDateTime: new Date(Math.floor(record.at / 1000) * 1000),
      Keys: record.keys,
      NewImage: record.newImage,
      OldImage: record.oldImage,
      SequenceNumber: record.sequence,
      SizeBytes: record.bytes,
      StreamViewType: info.viewType,
    },
    userIdentity: record.expired ? { Type: 'Service', PrincipalId: servicePrincipalName('dynamodb') } : undefined,
  };
  if (isInternal && record.cause !== undefined) setCause(described, record.cause);
  return described;
}
