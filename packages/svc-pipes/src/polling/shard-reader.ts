import { batchSizeOf } from '../definition/batch-size.ts';
import { type BatchOutcome, execute } from '../execution/execute.ts';
import type { PipeWork } from '../execution/work.ts';
import type { PositionRecord } from '../records.ts';
import { batchesOf, lanesOf, MAX_BATCH, sizeOf } from './batches.ts';
import { buryRecords, type GivenUp } from './dead-letters.ts';
import { recordFilter } from './filters.ts';
import type { Position, SourceRecord } from './source.ts';
import type { StreamSource } from './stream-source.ts';
import type { Wait } from './wait.ts';

/** Milliseconds between looks at a shard that has nothing new. */
const IDLE = 100;
/** Milliseconds before a failed batch is tried again: the first time and at most. */
const RETRY = { first: 200, most: 60_000 };
const UNLIMITED = -1;

/** What a shard reader works with. */
export interface ShardReaderOptions {
  work: PipeWork;
  source: StreamSource;
  shard: string;
  /** Where it begins that has no position yet. */
  from: Position;
  wait: Wait;
}

/**
 * Brings the records of one shard through a pipe in batches and in order, and remembers how far it came.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-error-troubleshooting.html
 */
export class ShardReader {
  private readonly matches: (record: SourceRecord) => boolean;
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
    this.matches = recordFilter(parameters);
    this.batchSize = batchSizeOf(pipe);
    this.parallel = stream.ParallelizationFactor ?? 1;
    this.window = (stream.MaximumBatchingWindowInSeconds ?? 0) * 1000;
    this.retries = stream.MaximumRetryAttempts ?? UNLIMITED;
    this.age = stream.MaximumRecordAgeInSeconds ?? UNLIMITED;
    this.bisect = stream.OnPartialBatchItemFailure === 'AUTOMATIC_BISECT';
  }

  get position(): PositionRecord | undefined {
    const { work, shard } = this.options;
    return work.state.position(work.pipe.id, shard) as PositionRecord | undefined;
  }

  /** An iterator at the position. */
  iterator(): Promise<string> {
    const { source, shard, from } = this.options;
    const { sequence, from: before } = this.position ?? {};
    if (sequence !== undefined) return source.iterator(shard, { type: 'AFTER_SEQUENCE_NUMBER', sequence });
    return source.iterator(shard, before ?? from);
  }

  /** Reads until the shard or the pipe ends. @param iterator where to begin @throws what the stream answers */
  async run(iterator: string): Promise<void> {
    const { source, shard, wait, work } = this.options;
    const wanted = this.batchSize * this.parallel;
    let next: string | undefined = iterator;
    while (next !== undefined && !wait.closed) {
      const page = await source.read(shard, next, wanted);
      const { records } = page;
      next = page.next;
      if (!records.length) {
        if (next !== undefined) await wait.idle(IDLE);
        continue;
      }
      const over = work.state.clock.now() + this.window;
      let size = sizeOf(records);
      while (next !== undefined && records.length < wanted && size < MAX_BATCH && !wait.closed) {
        if (work.state.clock.now() >= over) break;
        const more = await source.read(shard, next, wanted - records.length);
        records.push(...more.records);
        size += sizeOf(more.records);
        next = more.next;
        if (!more.records.length && next !== undefined) await wait.idle(IDLE);
      }
      if (wait.closed) return;
      await this.handle(records);
    }
    if (!wait.closed) this.remember({ done: true });
  }

  /** Works on records that were read together, and remembers that they are dealt with. */
  private async handle(records: readonly SourceRecord[]): Promise<void> {
    const wanted = records.filter((record) => this.matches(record));
    await Promise.all(
      lanesOf(wanted, this.parallel).map(async (lane) => {
        for (const batch of batchesOf(lane, this.batchSize)) await this.deal(batch);
      }),
    );
    if (!this.options.wait.closed) this.remember({ sequence: records.at(-1)!.id });
  }

  /** Brings records through the pipe until each is dealt with or given up. */
  private async deal(batch: readonly SourceRecord[]): Promise<void> {
    const { work, wait } = this.options;
    let records = batch;
    let outcome: BatchOutcome | undefined;
    for (let attempts = 0; records.length && !wait.closed; ) {
      records = await this.withoutOld(records, attempts);
      if (!records.length) return;
      outcome = await execute(work, records);
      if (!outcome.failed.size || wait.closed) return;
      attempts++;
      // Everything before the first record that failed is dealt with, as order has to be kept.
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
      await wait.pause(Math.min(RETRY.most, RETRY.first * 2 ** (attempts - 1)));
    }
  }

  /** Gives up the records that are older than the pipe allows. */
  private async withoutOld(records: readonly SourceRecord[], attempts: number): Promise<readonly SourceRecord[]> {
    if (this.age === UNLIMITED) return records;
    const limit = this.options.work.state.clock.now() - this.age * 1000;
    const young = records.findIndex(({ arrivedAt }) => arrivedAt >= limit);
    const count = young < 0 ? records.length : young;
    if (count) await this.giveUp(records.slice(0, count), 'RecordAgeExceeded', attempts);
    return records.slice(count);
  }

  private giveUp(records: readonly SourceRecord[], condition: GivenUp, attempts: number): Promise<void> {
    const { work, shard } = this.options;
    return buryRecords(work, { records, shard, condition, attempts });
  }

  /** Keeps how far it came. */
  remember(change: Partial<Pick<PositionRecord, 'sequence' | 'done'>>): void {
    const { work, shard, from } = this.options;
    const pipe = work.pipe.id;
    work.state.putPosition({ ...(this.position ?? { pipe, shard, from }), ...change });
  }
}
