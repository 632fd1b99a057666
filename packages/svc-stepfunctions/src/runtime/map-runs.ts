import type { Collection, DeepReadonly, StateScope } from '@emu/core/service';
import type { Block } from '../asl/definition.ts';
import type { ExecutionRecord, MapRunRecord } from '../records.ts';
import type { Scope } from './scope.ts';

export type MapRun = DeepReadonly<MapRunRecord>;
type Child = DeepReadonly<ExecutionRecord>;

/** What a distributed Map says of its run. */
export interface MapRunSpec {
  /** Name that stands in the ARNs of its executions. */
  readonly label: string;
  readonly maxConcurrency: number;
  readonly toleratedCount: number;
  /** From 0 to 100. */
  readonly toleratedPercentage: number;
  readonly items: number;
  readonly executions: number;
}

/** A part of the items of a distributed Map, which one execution works on. */
export interface Batch {
  readonly index: number;
  /** JSON text. */
  readonly input: string;
  /** How many items it has. */
  readonly items: number;
}

/** The runs of distributed maps that an execution makes, and their executions. */
export interface MapRunner {
  /** Begins a run. @returns its ARN */
  begin(spec: MapRunSpec): string;
  /** Notes how many items and executions a run has, once they are read. */
  sized(arn: string, items: number, executions: number): void;
  /** A run; undefined where it is gone. */
  run(arn: string): MapRun | undefined;
  /** Runs the processor for a batch, or goes on with what a restart interrupted; at most until the scope ends. */
  child(arn: string, processor: Block, type: 'STANDARD' | 'EXPRESS', batch: Batch, scope: Scope): Promise<Child>;
  /** Begins a run again, with what has not succeeded of its executions. @returns how often that has been */
  redrive(arn: string): number;
  /** Notes how a run has ended; executions that still run are stopped. */
  end(arn: string, status: MapRunRecord['status']): void;
  /** Notes how many results were written to a bucket. */
  written(arn: string, executions: number, items: number): void;
  /** Executions of a run, in order of their batches. */
  children(arn: string): Child[];
  /** ARN of an execution, and of the state machine that it is said to be of. */
  arnsOf(child: Child): { execution: string; machine: string };
  /** Calls an operation as the role of the state machine. */
  call(service: string, operation: string, input: object): Promise<unknown>;
}

/** Runs of an account and region with their executions. */
export class MapRuns {
  /** Keys of executions by the run and the number of their batch. */
  private readonly executions = new Map<string, Map<number, string>>();

  constructor(
    private readonly records: Collection<MapRunRecord>,
    private readonly scope: StateScope,
  ) {}

  get(arn: string): MapRun | undefined {
    return this.records.get(arn);
  }

  /** Runs of an execution, the youngest first. */
  of(execution: string): MapRun[] {
    return [...this.records.values()].filter((run) => run.execution === execution).reverse();
  }

  put(record: MapRunRecord): MapRun {
    return this.records.put(record.arn, record);
  }

  change(arn: string, change: (draft: MapRunRecord) => void): void {
    if (this.records.has(arn)) this.records.update(arn, change);
  }

  /** Remembers an execution of a run. @param key of the execution's record */
  add(arn: string, index: number, key: string): void {
    const known = this.executions.get(arn) ?? new Map<number, string>();
    this.executions.set(arn, known);
    known.set(index, key);
  }

  /** Key of the execution of a batch. */
  keyOf(arn: string, index: number): string | undefined {
    return this.executions.get(arn)?.get(index);
  }

  /** Keys of the executions of a run, in order of their batches. */
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

  /** Forgets an execution, whose batch is begun anew. */
  forget(arn: string, index: number): void {
    this.executions.get(arn)?.delete(index);
  }

  /** Notes that a run goes on. @returns how often it has been redriven */
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

  /** Forgets the runs of an execution. @returns keys of their executions */
  remove(execution: string): string[] {
    return this.of(execution).flatMap(({ arn }) => {
      const keys = this.keysOf(arn);
      this.executions.delete(arn);
      this.records.delete(arn);
      return keys;
    });
  }
}
