import type { Clock } from '@emu/core/service';
import { MAX_BATCH, sizeOf } from './batches.ts';
import type { PolledRecord } from './record.ts';
import type { Position, StreamSource } from './stream-source.ts';
import type { Wait } from './wait.ts';

/** Interval of reads from a shard without new records in milliseconds. */
const IDLE = 100;

/** Position in a shard. */
export interface ShardPosition {
  /** Start position. */
  readonly from?: Position;
  /** Last processed record; undefined before the first. */
  readonly sequence?: string;
}

/** Returns an iterator after the position. @param from start without a stored position */
export function iteratorAt(
  source: StreamSource,
  shard: string,
  { sequence, from: before }: ShardPosition,
  from: Position,
): Promise<string> {
  if (sequence !== undefined) return source.iterator(shard, { type: 'AFTER_SEQUENCE_NUMBER', sequence });
  return source.iterator(shard, before ?? from);
}

/** Parameters of shard reading. */
export interface ShardReadingOptions {
  readonly clock: Clock;
  readonly source: StreamSource;
  readonly shard: string;
  readonly wait: Wait;
  /** Limit of records per read. */
  readonly wanted: number;
  /** Milliseconds to wait for a full read after the first record. */
  readonly window: number;
}

/** Records of one read. */
export interface ShardRead {
  /** Empty if the shard has no new records. */
  readonly records: readonly PolledRecord[];
  /** Whether the shard has ended. */
  readonly ended: boolean;
}

/** Reads until the shard or its reader ends. @throws from the stream's service */
export async function* readShard(options: ShardReadingOptions, iterator: string): AsyncGenerator<ShardRead, void> {
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
