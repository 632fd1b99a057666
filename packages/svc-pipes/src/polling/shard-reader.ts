import {
  batchesOf,
  iteratorAt,
  lanesOf,
  type PolledRecord,
  type Position,
  readShard,
  recordFilter,
  retryDelay,
  type ShardWork,
  type StreamSource,
  type Wait,
} from '@emu/polling';
import { batchSizeOf } from '../definition/batch-size.ts';
import { type BatchOutcome, execute } from '../execution/execute.ts';
import type { PipeWork } from '../execution/work.ts';
import type { PositionRecord } from '../records.ts';
import { type GivenUp, reportDroppedRecords } from './dead-letters.ts';

/** Delay before the first retry of a failed batch in milliseconds. */
const FIRST_RETRY = 200;
const UNLIMITED = -1;

/** Dependencies of a shard reader. */
export interface ShardReaderOptions {
  work: PipeWork;
  source: StreamSource;
  shard: string;
  /** Start without a stored position. */
  from: Position;
  wait: Wait;
}

/**
 * Processes the records of one shard in batches and in order, and stores its position.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-error-troubleshooting.html
 */
export class ShardReader implements ShardWork {
  private readonly matches: (record: PolledRecord) => boolean;
  private readonly batchSize: number;
  private readonly parallel: number;
  /** Milliseconds. */
  private readonly window: number;
  private readonly retries: number;
  /** Seconds. */
  private readonly age: number;
  private readonly bisect: boolean;

  constructor(private readonly options: ShardReaderOptions) {
    const { pipe } = options.work;
    const { parameters } = pipe.sourceParameters;
    const stream = (parameters.KinesisStreamParameters ?? parameters.DynamoDBStreamParameters)!;
    this.matches = recordFilter(parameters.FilterCriteria?.Filters);
    this.batchSize = batchSizeOf(pipe);
    this.parallel = stream.ParallelizationFactor ?? 1;
    this.window = (stream.MaximumBatchingWindowInSeconds ?? 0) * 1000;
    this.retries = stream.MaximumRetryAttempts ?? UNLIMITED;
    this.age = stream.MaximumRecordAgeInSeconds ?? UNLIMITED;
    this.bisect = stream.OnPartialBatchItemFailure === 'AUTOMATIC_BISECT';
  }

  private get position(): PositionRecord | undefined {
    const { work, shard } = this.options;
    return work.state.position(work.pipe.id, shard) as PositionRecord | undefined;
  }

  get isDone(): boolean {
    return this.position?.done === true;
  }

  /** Returns an iterator at the position. */
  iterator(): Promise<string> {
    const { source, shard, from } = this.options;
    return iteratorAt(source, shard, this.position ?? {}, from);
  }

  begin(): void {
    this.remember({});
  }

  /** Reads until the shard or the pipe ends. @param iterator at the start @throws from the stream's service */
  async run(iterator: string): Promise<void> {
    const { source, shard, wait, work } = this.options;
    const { clock } = work.state;
    const wanted = this.batchSize * this.parallel;
    const reading = { clock, source, shard, wait, wanted, window: this.window };
    for await (const { records } of readShard(reading, iterator)) if (records.length) await this.handle(records);
    if (!wait.closed) this.remember({ done: true });
  }

  /** Processes the records of one read and stores the new position. */
  private async handle(records: readonly PolledRecord[]): Promise<void> {
    const wanted = records.filter((record) => this.matches(record));
    await Promise.all(
      lanesOf(wanted, this.parallel).map(async (lane) => {
        for (const batch of batchesOf(lane, this.batchSize)) await this.deal(batch);
      }),
    );
    if (!this.options.wait.closed) this.remember({ sequence: records.at(-1)!.id });
  }

  /** Processes records until each has succeeded or is dropped. */
  private async deal(batch: readonly PolledRecord[]): Promise<void> {
    const { work, wait } = this.options;
    let records = batch;
    let outcome: BatchOutcome | undefined;
    for (let attempts = 0; records.length && !wait.closed; ) {
      records = await this.withoutOld(records, attempts);
      if (!records.length) return;
      outcome = await execute(work, records);
      if (!outcome.failed.size || wait.closed) return;
      attempts++;
      // Because of the order, everything before the first failed record counts as processed.
      const first = Math.min(...outcome.failed);
      if (first > 0) attempts = 1;
      records = records.slice(first);
      if (outcome.partial && this.bisect && records.length > 1) {
        const middle = Math.ceil(records.length / 2);
        await this.deal(records.slice(0, middle));
        return this.deal(records.slice(middle));
      }
      if (this.retries !== UNLIMITED && attempts > this.retries)
        return this.giveUp(records, 'RetryAttemptsExhausted', attempts);
      await wait.pause(retryDelay(FIRST_RETRY, attempts - 1));
    }
  }

  /** Drops the records that exceed the pipe's maximum age. */
  private async withoutOld(records: readonly PolledRecord[], attempts: number): Promise<readonly PolledRecord[]> {
    if (this.age === UNLIMITED) return records;
    const limit = this.options.work.state.clock.now() - this.age * 1000;
    const young = records.findIndex(({ arrivedAt }) => arrivedAt >= limit);
    const count = young < 0 ? records.length : young;
    if (count) await this.giveUp(records.slice(0, count), 'RecordAgeExceeded', attempts);
    return records.slice(count);
  }

  private giveUp(records: readonly PolledRecord[], condition: GivenUp, attempts: number): Promise<void> {
    const { work, shard } = this.options;
    return reportDroppedRecords(work, { records, shard, condition, attempts });
  }

  /** Stores the position. */
  private remember(change: Partial<Pick<PositionRecord, 'sequence' | 'done'>>): void {
    const { work, shard, from } = this.options;
    const pipe = work.pipe.id;
    work.state.putPosition({ ...(this.position ?? { pipe, shard, from }), ...change });
  }
}
