import type { Clock } from '@emu/core/service';
import { MAX_BATCH, sizeOf } from './batches.ts';
import type { PolledRecord } from './record.ts';
import type { Position, StreamSource } from './stream-source.ts';
import type { Wait } from './wait.ts';

/** Milliseconds between looks at a shard that has nothing new. */
const IDLE = 100;

/** How far a shard has been read. */
export interface ShardPosition {
  /** Where reading began. */
  readonly from?: Position;
  /** Last record that is dealt with; undefined before the first. */
  readonly sequence?: string;
}

/** An iterator behind what is dealt with. @param from where it begins that has no position yet */
export function iteratorAt(
  source: StreamSource,
  shard: string,
  { sequence, from: before }: ShardPosition,
  from: Position,
): Promise<string> {
  if (sequence !== undefined) return source.iterator(shard, { type: 'AFTER_SEQUENCE_NUMBER', sequence });
  return source.iterator(shard, before ?? from);
}

/** How a shard is read. */
export interface ShardReadingOptions {
  readonly clock: Clock;
  readonly source: StreamSource;
  readonly shard: string;
  readonly wait: Wait;
  /** Records that are read together, at most. */
  readonly wanted: number;
  /** Milliseconds to wait for as many, once there is one. */
  readonly window: number;
}

/** Records that were read together. */
export interface ReadTogether {
  /** Empty where the shard has nothing new. */
  readonly records: readonly PolledRecord[];
  /** Whether the shard has ended. */
  readonly ended: boolean;
}

/** Reads until the shard ends or its reader does. @throws what the stream answers */
export async function* readShard(options: ShardReadingOptions, iterator: string): AsyncGenerator<ReadTogether, void> {
  const { clock, source, shard, wait, wanted, window } = options;
  let next: string | undefined = iterator;
  while (next !== undefined && !wait.closed) {
    const { records, next: after } = await source.read(shard, next, wanted);
    next = after;
    const over = clock.now() + window;
    let size = sizeOf(records);
    while (records.length && next !== undefined && records.length < wanted && size < MAX_BATCH && !wait.closed) {
      if (clock.now() >= over) break;
      const more = await source.read(shard, next, wanted - records.length);
      records.push(...more.records);
      size += sizeOf(more.records);
      next = more.next;
      if (!more.records.length && next !== undefined) await wait.idle(IDLE);
    }
    if (wait.closed) return;
    yield { records, ended: next === undefined };
    if (!records.length && next !== undefined) await wait.idle(IDLE);
  }
}
