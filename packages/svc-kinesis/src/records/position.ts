import type { ShardIteratorType } from '@emu/service-types/kinesis';
import { invalidArgument } from '../errors.ts';
import type { OpenShard, StreamTarget } from '../lookup.ts';
import { readSequence } from '../streams/sequence.ts';
import { shardId } from '../streams/shards.ts';

/** Start position in a request. */
export interface Position {
  readonly type: ShardIteratorType;
  readonly sequence: string | undefined;
  readonly timestamp: Date | undefined;
}

/**
 * Returns the start index for reading a shard.
 * @param operation name for error messages
 * @throws AwsError `InvalidArgumentException`
 */
export async function positionOf(
  target: StreamTarget,
  shard: OpenShard,
  operation: string,
  position: Position,
): Promise<number> {
  const { state, stream } = target;
  const { type, sequence, timestamp } = position;
  const needed = type === 'AT_SEQUENCE_NUMBER' || type === 'AFTER_SEQUENCE_NUMBER';
  if (needed !== (sequence !== undefined) && type !== 'AT_TIMESTAMP') throw mismatch(type, sequence !== undefined);
  switch (type) {
    case 'TRIM_HORIZON':
      return 0;
    case 'LATEST':
      return state.log.upcoming;
    case 'AT_TIMESTAMP':
      return state.log.indexAt(stream.number, shard.index, startTime(timestamp, state.clock.now()));
    default: {
      const index = indexOf(sequence!, shard, operation, target);
      return type === 'AT_SEQUENCE_NUMBER' ? index : index + 1;
    }
  }
}

const mismatch = (type: string, given: boolean) =>
  invalidArgument(
    'Must either specify (1) AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER and StartingSequenceNumber or ' +
      `(2) TRIM_HORIZON or LATEST and no StartingSequenceNumber. Request specified ${type} and ` +
      `${given ? 'also a' : 'no'} StartingSequenceNumber.`,
  );

function startTime(timestamp: Date | undefined, now: number): number {
  if (!timestamp)
    throw invalidArgument(
      'Must specify timestampInMillis parameter for iterator of type AT_TIMESTAMP. Current value is null.',
    );
  const time = timestamp.getTime();
  if (time > now)
    throw invalidArgument(
      `The timestampInMillis parameter cannot be greater than the currentTimestampInMillis. timestampInMillis: ${time}, currentTimestampInMillis: ${Math.floor(now)}`,
    );
  return time;
}

function indexOf(sequence: string, shard: OpenShard, operation: string, { state, stream }: StreamTarget): number {
  const id = shardId(shard.index);
  const used = `StartingSequenceNumber ${sequence} used in ${operation} on shard ${id} in stream ${stream.name} under account ${state.accountId}`;
  const parsed = readSequence(sequence);
  if (!parsed) throw invalidArgument(`${used} is invalid.`);
  if (parsed.shard !== shard.index)
    throw invalidArgument(
      `Invalid StartingSequenceNumber. It encodes ${shardId(parsed.shard)}, while it was used in a call to a shard with ${id}`,
    );
  if (parsed.shardCreatedAt !== Math.floor(shard.createdAt / 1000))
    throw invalidArgument(`${used} is invalid because it did not come from this stream.`);
  // After the last record of a closed shard, whose number exceeds the safe integers, nothing follows.
  return Math.min(parsed.index, Number.MAX_SAFE_INTEGER - 1);
}
