import type { Collection, DeepReadonly, StateScope } from '@emu/core/service';
import type { Block } from '../asl/definition.ts';
import type { ExecutionRecord, MapRunRecord } from '../records.ts';
import type { Scope } from './scope.ts';

export type MapRun = DeepReadonly<MapRunRecord>;
type Child = DeepReadonly<ExecutionRecord>;

/** Settings of a Map Run. */
export interface MapRunSpec {
  /** Label in the ARNs of its executions. */
  readonly label: string;
  readonly maxConcurrency: number;
  readonly toleratedCount: number;
  /** From 0 to 100. */
  readonly toleratedPercentage: number;
  readonly items: number;
  readonly executions: number;
}

/** Items of a distributed Map for one child execution. */
export interface Batch {
  readonly index: number;
  /** JSON text. */
  readonly input: string;
  /** Number of items. */
  readonly items: number;
}

/** Map Runs of an execution, with their child executions. */
export interface MapRunner {
  /**
   * Starts a Map Run.
   * @returns its ARN
   */
  begin(spec: MapRunSpec): string;
  /** Records the number of items and executions of a Map Run. */
  sized(arn: string, items: number, executions: number): void;
  /** Returns a Map Run; undefined if removed. */
  run(arn: string): MapRun | undefined;
  /** Runs the processor for a batch, or continues after a restart, until the scope ends. */
  child(arn: string, processor: Block, type: 'STANDARD' | 'EXPRESS', batch: Batch, scope: Scope): Promise<Child>;
  /**
   * Restarts a Map Run with its unsuccessful executions.
   * @returns number of redrives
   */
  redrive(arn: string): number;
  /** Records the status of a finished Map Run and stops its running executions. */
  end(arn: string, status: MapRunRecord['status']): void;
  /** Records the number of results written to a bucket. */
  written(arn: string, executions: number, items: number): void;
  /** Returns the executions of a Map Run, ordered by batch. */
  children(arn: string): Child[];
  /** Returns the ARN of an execution, and of its nominal state machine. */
  arnsOf(child: Child): { execution: string; machine: string };
  /** Calls an operation as the state machine's role. */
  call(service: string, operation: string, input: object): Promise<unknown>;
}

/** Map Runs of an account and region with their executions. */
export class MapRuns {
  /** Execution keys by Map Run and batch index. */
  private readonly executions = new Map<string, Map<number, string>>();

  constructor(
    private readonly records: Collection<MapRunRecord>,
    private readonly scope: StateScope,
  ) {}

  get(arn: string): MapRun | undefined {
    return this.records.get(arn);
  }

  /** Returns the Map Runs of an execution, newest first. */
  of(execution: string): MapRun[] {
    return [...this.records.values()].filter((run) => run.execution === execution).reverse();
  }

  put(record: MapRunRecord): MapRun {
    return this.records.put(record.arn, record);
  }

  change(arn: string, change: (draft: MapRunRecord) => void): void {
    if (this.records.has(arn)) this.records.update(arn, change);
  }

  /**
   * Adds an execution of a Map Run.
   * @param key of the execution's record
   */
  add(arn: string, index: number, key: string): void {
    const known = this.executions.get(arn) ?? new Map<number, string>();
    this.executions.set(arn, known);
    known.set(index, key);
  }

  /** Returns the key of a batch's execution. */
  keyOf(arn: string, index: number): string | undefined {
    return this.executions.get(arn)?.get(index);
  }

  /** Returns the keys of a Map Run's executions, ordered by batch. */
  keysOf(arn: string): string[] {
    return [...(this.executions.get(arn) ?? [])].sort(([a], [b]) => a - b).map(([, key]) => key);
  }

  end(arn: string, status: MapRunRecord['status']): void {
    const now = this.scope.clock.now();
    this.change(arn, (draft) => {
      draft.status = status;
      draft.stoppedAt = now;
    });
  }

  /** Removes an execution whose batch restarts. */
  discard(arn: string, index: number): void {
    this.executions.get(arn)?.delete(index);
  }

  /**
   * Records a redrive of a Map Run.
   * @returns number of redrives
   */
  redrive(arn: string): number {
    const now = this.scope.clock.now();
    this.change(arn, (draft) => {
      draft.status = 'RUNNING';
      delete draft.stoppedAt;
      draft.redrives = (draft.redrives ?? 0) + 1;
      draft.redrivenAt = now;
    });
    return this.get(arn)?.redrives ?? 0;
  }

  /**
   * Removes the Map Runs of an execution.
   * @returns keys of their executions
   */
  remove(execution: string): string[] {
    return this.of(execution).flatMap(({ arn }) => {
      const keys = this.keysOf(arn);
      this.executions.delete(arn);
      this.records.delete(arn);
      return keys;
    });
  }
}
