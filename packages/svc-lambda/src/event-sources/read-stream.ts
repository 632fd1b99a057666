import { type DataEvent, type Position, type SourceReader, StreamReader, streamSource } from '@emu/polling';
import { jsonOrText } from '@emu/wire';
import { resolveFunction } from '../names.ts';
import type { EventSourceMapping } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { sourceCaller } from './caller.ts';
import { ShardReader } from './shard-reader.ts';

/** Polls a stream and invokes a mapping's function with its records. */
export function readStream(state: LambdaState, mapping: EventSourceMapping): SourceReader {
  const arn = mapping.settings.EventSourceArn!;
  const { role } = resolveFunction(state, mapping.functionName, mapping.qualifier).version.config;
  const source = streamSource({ arn, role, call: sourceCaller(state, mapping), dataEvent });
  return new StreamReader({
    clock: state.clock,
    source,
    startingPosition: startingPosition(mapping),
    hasPositions: () => [...state.streamPositions.values()].some((position) => position.mapping === mapping.uuid),
    isDone: (shard) => state.streamPositions.get(`${mapping.uuid} ${shard}`)?.done === true,
    shardWork: (shard, from, wait) => new ShardReader({ state, mapping, source, shard, from, wait }),
    warn: (error) => state.log.warn(`the stream of an event source mapping cannot be read: ${arn}`, { error }),
  });
}

function startingPosition({ settings, startingPositionTimestamp: timestamp }: EventSourceMapping): Position {
  if (settings.StartingPosition === 'AT_TIMESTAMP') return { type: 'AT_TIMESTAMP', timestamp: timestamp ?? 0 };
  return { type: settings.StartingPosition === 'LATEST' ? 'LATEST' : 'TRIM_HORIZON' };
}

/**
 * Returns the event of a data record. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html
 */
const dataEvent: DataEvent = ({ record, envelope, text }) => ({
  value: { kinesis: record, ...envelope },
  decoded: { ...record, data: jsonOrText(text) },
});
