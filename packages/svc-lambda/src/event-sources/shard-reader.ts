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
import { AwsError } from '@emu/wire';
import { resolveFunction } from '../names.ts';
import type { EventSourceMapping } from '../records.ts';
import { type Execution, Executor } from '../runtime/executor.ts';
import type { LambdaState } from '../state.ts';
import { failedItems } from './failed-items.ts';
import { type DiscardReason, deliverFailure } from './stream-failures.ts';
import type { StreamPosition } from './stream-positions.ts';
import { TumblingWindows } from './tumbling-windows.ts';

/** Milliseconds before the first retry of a failed batch. */
const FIRST_RETRY = 200;
const UNLIMITED = -1;

/** Result of a batch. */
interface Attempt {
  /** Number of processed records from the start. */
  done: number;
  requestId: string;
  execution: Execution | undefined;
}

/** Dependencies of a shard reader. */
export interface ShardReaderOptions {
  state: LambdaState;
  mapping: EventSourceMapping;
  source: StreamSource;
  shard: string;
  /** Start of shards without a stored position. */
  from: Position;
  wait: Wait;
}

/**
 * Passes the records of one shard to a function in batches and in order, and stores its position.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 */
export class ShardReader implements ShardWork {
  private readonly matches: (record: PolledRecord) => boolean;
  private readonly key: string;
  private readonly windows: TumblingWindows | undefined;

  constructor(private readonly options: ShardReaderOptions) {
    this.matches = recordFilter(options.mapping.settings.FilterCriteria?.Filters);
    this.key = `${options.mapping.uuid} ${options.shard}`;
    const { TumblingWindowInSeconds: seconds = 0 } = options.mapping.settings;
    if (seconds > 0) this.windows = new TumblingWindows(seconds * 1000);
  }

  private get position(): StreamPosition | undefined {
    return this.options.state.streamPositions.get(this.key) as StreamPosition | undefined;
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
    this.remember(() => undefined);
  }

  /**
   * Reads until the shard ends or the mapping is stopped.
   * @param iterator starting point
   * @throws the stream's error
   */
  async run(iterator: string): Promise<void> {
    const { state, source, shard, mapping, wait } = this.options;
    const {
      BatchSize = 100,
      MaximumBatchingWindowInSeconds: seconds = 0,
      ParallelizationFactor = 1,
    } = mapping.settings;
    const wanted = BatchSize * ParallelizationFactor;
    const reading = { clock: state.clock, source, shard, wait, wanted, window: seconds * 1000 };
    for await (const { records, ended } of readShard(reading, iterator)) {
      if (records.length) await this.work(records);
      if (!records.length || ended) await this.closeWindow(ended);
    }
    if (wait.closed) return;
    this.remember((position) => {
      position.done = true;
    });
  }

  /** Processes records of one read and stores the position. */
  private async work(records: readonly PolledRecord[]): Promise<void> {
    const { mapping, wait } = this.options;
    const { BatchSize = 100, ParallelizationFactor = 1 } = mapping.settings;
    const wanted = records.filter((record) => this.matches(record));
    if (this.windows) await this.aggregate(wanted);
    else {
      const lanes = lanesOf(wanted, ParallelizationFactor);
      await Promise.all(
        lanes.map(async (lane) => {
          for (const batch of batchesOf(lane, BatchSize)) await this.deal(batch);
        }),
      );
    }
    if (wait.closed) return;
    this.remember((position) => {
      position.sequence = records.at(-1)!.id;
    });
  }

  /** Invokes the function until each record is processed or discarded. */
  private async deal(batch: readonly PolledRecord[], window?: object): Promise<Attempt | undefined> {
    const { mapping, wait } = this.options;
    const { MaximumRetryAttempts: retries = UNLIMITED, BisectBatchOnFunctionError: bisect = false } = mapping.settings;
    let records = batch;
    let attempt: Attempt | undefined;
    for (let attempts = 0; records.length && !wait.closed; ) {
      records = await this.discardOld(records, attempts, attempt);
      if (!records.length) break;
      attempt = await this.invoke(records, window);
      attempts++;
      if (attempt.done > 0) attempts = 1;
      records = records.slice(attempt.done);
      if (!records.length || wait.closed) break;
      if (bisect && records.length > 1) {
        const middle = Math.ceil(records.length / 2);
        await this.deal(records.slice(0, middle), window);
        return this.deal(records.slice(middle), window);
      }
      if (retries !== UNLIMITED && attempts > retries) {
        await this.giveUp(records, 'RetryAttemptsExhausted', attempts, attempt);
        break;
      }
      await wait.pause(retryDelay(FIRST_RETRY, attempts - 1));
    }
    return attempt;
  }

  /** Discards records that exceed the mapping's maximum age. */
  private async discardOld(
    records: readonly PolledRecord[],
    attempts: number,
    attempt: Attempt | undefined,
  ): Promise<readonly PolledRecord[]> {
    const { state, mapping } = this.options;
    const { MaximumRecordAgeInSeconds: age = UNLIMITED } = mapping.settings;
    if (age === UNLIMITED) return records;
    const limit = state.clock.now() - age * 1000;
    const young = records.findIndex(({ arrivedAt }) => arrivedAt >= limit);
    const count = young < 0 ? records.length : young;
    if (count) await this.giveUp(records.slice(0, count), 'RecordAgeExceeded', attempts, attempt);
    return records.slice(count);
  }

  private async giveUp(
    records: readonly PolledRecord[],
    condition: DiscardReason,
    attempts: number,
    attempt: Attempt | undefined,
  ): Promise<void> {
    const { state, mapping, shard } = this.options;
    const { version } = resolveFunction(state, mapping.functionName, mapping.qualifier);
    const requestId = attempt?.requestId ?? state.ids.uuid();
    const { role } = version.config;
    const execution = attempt?.execution;
    await deliverFailure(state, mapping, { records, shard, condition, attempts, role, requestId, execution });
  }

  /** Invokes the function once. */
  private async invoke(records: readonly PolledRecord[], window?: object): Promise<Attempt> {
    const { state, mapping, wait } = this.options;
    const requestId = state.ids.uuid();
    const failed = (result: string, execution?: Execution): Attempt => {
      state.processingResults.put(mapping.uuid, { result });
      return { done: 0, requestId, execution };
    };
    const payload = { Records: records.map(({ value }) => value), ...window };
    let execution: Execution;
    try {
      execution = await Executor.of(state).execute(resolveFunction(state, mapping.functionName, mapping.qualifier), {
        requestId,
        // The first record's cause represents the batch; the end of a window has no cause.
        cause: records.length > 0 ? records[0]!.cause : mapping.uuid,
        payload: Buffer.from(JSON.stringify(payload)),
        traceHeader: undefined,
        invocationType: 'RequestResponse',
        source: mapping.settings.EventSourceArn!,
        tail: false,
        signal: () => wait.signal,
      });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return failed(`PROBLEM: ${error.message}`);
    }
    if (execution.errorType !== undefined) return failed('PROBLEM: Function call failed', execution);
    state.processingResults.put(mapping.uuid, { result: 'OK' });
    if (!mapping.settings.FunctionResponseTypes?.includes('ReportBatchItemFailures'))
      return { done: records.length, requestId, execution };
    const items = failedItems(execution.payload, new Set(records.map(({ id }) => id)));
    if (!items) return failed('PROBLEM: Function call failed', execution);
    // Records before the first failed one are processed, because order must be kept.
    const first = records.findIndex(({ id }) => items.has(id));
    return { done: first < 0 ? records.length : first, requestId, execution };
  }

  /** Assigns records to windows by arrival time, and closes windows that have ended. */
  private async aggregate(records: readonly PolledRecord[]): Promise<void> {
    const { BatchSize = 100 } = this.options.mapping.settings;
    for (const { start, records: group } of this.windows!.split(records)) {
      const open = this.position?.window;
      if (open && open.start !== start) await this.endWindow();
      for (const batch of batchesOf(group, BatchSize)) {
        const current = this.position?.window ?? this.windows!.open(start);
        const attempt = await this.deal(batch, this.describeWindow(current, false));
        if (this.options.wait.closed) return;
        const state = attempt?.execution && this.windows!.stateOf(attempt.execution);
        this.remember((position) => {
          position.window = { ...current, state: state ?? current.state };
        });
      }
    }
  }

  /**
   * Closes the open window after its end if no records are waiting.
   * @param always closes it because no records can follow
   */
  private async closeWindow(always: boolean): Promise<void> {
    const open = this.position?.window;
    if (open && (always || open.end <= this.options.state.clock.now())) await this.endWindow();
  }

  private async endWindow(): Promise<void> {
    const window = this.position!.window!;
    for (let attempts = 0; !this.options.wait.closed; attempts++) {
      const { execution } = await this.invoke([], this.describeWindow(window, true));
      const { MaximumRetryAttempts: retries = UNLIMITED } = this.options.mapping.settings;
      if (execution?.errorType === undefined && execution) break;
      if (retries !== UNLIMITED && attempts >= retries) break;
      await this.options.wait.pause(retryDelay(FIRST_RETRY, attempts));
    }
    this.remember((position) => {
      delete position.window;
    });
  }

  private describeWindow(window: { start: number; end: number; state: unknown }, final: boolean): object {
    return {
      window: { start: new Date(window.start).toISOString(), end: new Date(window.end).toISOString() },
      state: window.state,
      shardId: this.options.shard,
      eventSourceARN: this.options.mapping.settings.EventSourceArn,
      isFinalInvokeForWindow: final,
      isWindowTerminatedEarly: false,
    };
  }

  /** Stores the position. */
  private remember(change: (position: StreamPosition) => void): void {
    const { state, mapping, shard, from } = this.options;
    const position = structuredClone(this.position ?? { mapping: mapping.uuid, shard, from });
    change(position);
    state.streamPositions.put(this.key, position);
  }
}
