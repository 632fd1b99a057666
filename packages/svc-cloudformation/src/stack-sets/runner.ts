import {
  type InterruptedWork,
  interruptedRecords,
  recordsBy,
  Slices,
  type StateScope,
  type Worker,
} from '@emu/core/service';
import { InstanceSteps } from './instance-steps.ts';
import type { ResultRecord, SetDriftRecord, StackSetOperationRecord } from './records.ts';
import type { StackSetOperation, StackSets } from './store.ts';

const EXCEEDED = 'Cancelled since failure tolerance has exceeded';
const STOPPED = 'Cancelled since the operation was stopped';

/** Runs the operations on stack sets, sequentially per set; resumes them after a restart. */
export class StackSetRunner implements Worker {
  private readonly abort = new AbortController();
  private readonly running = new Map<string, Promise<void>>();
  /** Operations that were interrupted by a restart and are not resumed yet. */
  private readonly held = new Set<string>();

  constructor(
    private readonly sets: StackSets,
    private readonly scope: StateScope,
  ) {}

  interrupted(): InterruptedWork[] {
    const pending = [...this.sets.pending()];
    for (const { id } of pending) this.held.add(id);
    const sets = new Map(pending.map((operation) => [operation.id, operation.set]));
    return interruptedRecords(
      recordsBy(
        () => pending,
        ({ id }) => id,
        (id) => this.sets.operation(sets.get(id)!, id),
      ),
      {
        name: ({ id, set }) => `operation ${id} on stack set ${set}`,
        isLeft: ({ id }) => this.held.has(id),
        resume: ({ id, set }) => {
          this.held.delete(id);
          this.work(set);
          return this.running.get(set);
        },
        fail: ({ id, set }, reason) => {
          this.held.delete(id);
          this.giveUp(set, id, reason);
        },
      },
    );
  }

  close(): void {
    this.abort.abort(new Error('emu is closing'));
  }

  /** Stores an operation and starts to process its set, unless that is running. */
  begin(record: StackSetOperationRecord): StackSetOperation {
    const operation = this.sets.putOperation(record);
    this.work(record.set);
    return operation;
  }

  /** Stops an operation: no further instances are processed. */
  stop(set: string, id: string): void {
    this.sets.updateOperation(set, id, (draft) => {
      draft.status = 'STOPPING';
    });
    // With `--no-resume`, nothing runs an interrupted operation.
    if (this.held.delete(id)) this.work(set);
  }

  private work(set: string): void {
    if (this.running.has(set)) return;
    const ended = this.drain(set).finally(() => this.running.delete(set));
    this.running.set(set, ended);
  }

  private async drain(set: string): Promise<void> {
    // The response is sent before any work starts.
    await Promise.resolve();
    for (let next = this.next(set); next; next = this.next(set)) {
      const { id } = next;
      this.sets.updateOperation(set, id, (draft) => {
        if (draft.status === 'QUEUED') draft.status = 'RUNNING';
      });
      try {
        await this.run(set, id);
      } catch (error) {
        if (this.abort.signal.aborted) return;
        this.scope.log.error('an operation on a stack set failed', { error, set });
        this.giveUp(set, id, String(error));
      }
    }
  }

  private giveUp(set: string, id: string, cause: string): void {
    this.cancelRest(set, id, undefined, `Internal failure: ${cause}`);
    this.end(set, id, 'FAILED');
  }

  private next(set: string): StackSetOperation | undefined {
    return this.sets.pending().find((operation) => operation.set === set && !this.held.has(operation.id));
  }

  private async run(set: string, id: string): Promise<void> {
    const operation = this.sets.operation(set, id)!;
    const steps = new InstanceSteps(this.sets, this.scope, operation, this.abort.signal);
    const { RegionOrder = [], RegionConcurrencyType } = operation.preferences;
    const given = [...new Set(operation.results.map(({ region }) => region))];
    const regions = [
      ...RegionOrder.filter((region) => given.includes(region)),
      ...given.filter((one) => !RegionOrder.includes(one)),
    ];
    let exceeded = false;
    if (RegionConcurrencyType === 'PARALLEL') {
      const outcomes = await Promise.all(regions.map((region) => this.region(set, id, region, steps)));
      exceeded = outcomes.includes(false);
    } else
      for (const region of regions) {
        if (exceeded || this.stopping(set, id)) break;
        exceeded = !(await this.region(set, id, region, steps));
      }
    const stopped = this.stopping(set, id);
    this.cancelRest(set, id, undefined, stopped ? STOPPED : EXCEEDED);
    this.end(set, id, stopped ? 'STOPPED' : exceeded ? 'FAILED' : 'SUCCEEDED');
  }

  private stopping(set: string, id: string): boolean {
    return this.sets.operation(set, id)!.status === 'STOPPING';
  }

  /**
   * Processes one region.
   * @returns whether failures are within the tolerance
   */
  private async region(set: string, id: string, region: string, steps: InstanceSteps): Promise<boolean> {
    const { results, preferences } = this.sets.operation(set, id)!;
    const todo = results.filter((one) => one.region === region && /^(PENDING|RUNNING)$/.test(one.status));
    const total = results.filter((one) => one.region === region).length;
    const { FailureToleranceCount, FailureTolerancePercentage, MaxConcurrentCount, MaxConcurrentPercentage } =
      preferences;
    const tolerated = FailureToleranceCount ?? Math.floor(((FailureTolerancePercentage ?? 0) * total) / 100);
    const asked = MaxConcurrentCount ?? Math.max(1, Math.floor(((MaxConcurrentPercentage ?? 0) * total) / 100));
    const width = preferences.ConcurrencyMode === 'SOFT_FAILURE_TOLERANCE' ? asked : Math.min(asked, tolerated + 1);
    const failures = () =>
      this.sets.operation(set, id)!.results.filter((one) => one.region === region && one.status === 'FAILED').length;
    const queue = [...todo];
    const slices = new Slices();
    const work = async (): Promise<void> => {
      while (failures() <= tolerated && !this.stopping(set, id)) {
        const pause = slices.pause();
        if (pause) await pause;
        const next = queue.shift();
        if (!next) return;
        await this.one(set, id, next.account, region, steps);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    const kept = failures() <= tolerated;
    if (!kept) this.cancelRest(set, id, region, EXCEEDED);
    return kept;
  }

  private async one(set: string, id: string, account: string, region: string, steps: InstanceSteps): Promise<void> {
    this.note(set, id, { account, region, status: 'RUNNING' });
    const known = this.sets
      .operation(set, id)!
      .results.find((one) => one.account === account && one.region === region)!;
    const { failure, gate } = await steps.run(known);
    this.abort.signal.throwIfAborted();
    this.note(set, id, {
      account,
      region,
      status: failure === undefined ? 'SUCCEEDED' : 'FAILED',
      ...(failure !== undefined && { reason: failure }),
      ...(gate && { gate }),
    });
  }

  /** Stores the result of an account and region in the operation and the instance. */
  private note(set: string, id: string, outcome: ResultRecord): void {
    const { account, region, status, reason, gate } = outcome;
    const operation = this.sets.updateOperation(set, id, (draft) => {
      const result = draft.results.find((one) => one.account === account && one.region === region)!;
      result.status = status;
      if (reason !== undefined) result.reason = reason;
      if (gate) result.gate = gate;
    });
    this.noteInstance(operation, outcome);
  }

  /** Stores the result of an account and region in the instance. */
  private noteInstance(operation: StackSetOperation, { account, region, status, reason }: ResultRecord): void {
    const { set, id } = operation;
    if (!this.sets.instance(set, { account, region })) return;
    if (operation.action === 'DELETE' && status === 'SUCCEEDED') {
      this.sets.deleteInstance(set, { account, region });
      return;
    }
    this.sets.updateInstance(set, { account, region }, (draft) => {
      draft.lastOperation = id;
      if (operation.action === 'DETECT_DRIFT') return;
      draft.detailed = status === 'FAILED' && operation.imports ? 'FAILED_IMPORT' : status;
      if (reason === undefined) delete draft.reason;
      else draft.reason = reason;
      if (status === 'SUCCEEDED') draft.status = 'CURRENT';
      else if (status === 'FAILED')
        draft.status = operation.action === 'DELETE' || operation.imports ? 'INOPERABLE' : 'OUTDATED';
    });
  }

  /** Cancels steps that have not started, in one region or in all. */
  private cancelRest(set: string, id: string, region: string | undefined, reason: string): void {
    const cancelled: ResultRecord[] = [];
    // One update, which copies the record.
    const operation = this.sets.updateOperation(set, id, (draft) => {
      for (const result of draft.results) {
        if (!/^(PENDING|RUNNING)$/.test(result.status) || (region !== undefined && result.region !== region)) continue;
        Object.assign(result, { status: 'CANCELLED', reason });
        cancelled.push({ account: result.account, region: result.region, status: 'CANCELLED', reason });
      }
    });
    for (const outcome of cancelled) this.noteInstance(operation, outcome);
  }

  private end(set: string, id: string, status: StackSetOperation['status']): void {
    const now = this.scope.clock.now();
    const operation = this.sets.operation(set, id)!;
    const drift = operation.action === 'DETECT_DRIFT' ? this.driftOf(operation, now) : undefined;
    this.sets.updateOperation(set, id, (draft) => {
      draft.status = status;
      draft.endedAt = now;
      if (drift) draft.drift = drift;
    });
    if (drift)
      this.sets.update(set, (draft) => {
        draft.drift = drift;
      });
  }

  private driftOf({ set, results, status }: StackSetOperation, checkedAt: number): SetDriftRecord {
    const found = results.map((result) => ({ result, drift: this.sets.instance(set, result)?.drift?.status }));
    const succeeded = found.filter(({ result }) => result.status === 'SUCCEEDED');
    const drifted = succeeded.filter(({ drift }) => drift === 'DRIFTED').length;
    const failed = results.filter((result) => result.status === 'FAILED').length;
    return {
      status: drifted ? 'DRIFTED' : 'IN_SYNC',
      detection:
        status === 'STOPPING'
          ? 'STOPPED'
          : failed === 0
            ? 'COMPLETED'
            : succeeded.length
              ? 'PARTIAL_SUCCESS'
              : 'FAILED',
      checkedAt,
      total: results.length,
      drifted,
      inSync: succeeded.length - drifted,
      inProgress: 0,
      failed,
    };
  }
}
