import {
  type Clock,
  type Collection,
  type Ids,
  type Logger,
  metricsOf,
  type ServiceCaller,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { Lifecycle } from './lifecycle.ts';
import { type PipeRecord, type PositionRecord, pipeCollection, positionCollection } from './records.ts';
import type { Pipe, PipeHost } from './registry.ts';
import { pipeType } from './resources.ts';

/** Pipes of one account and region. */
export class PipesState implements PipeHost, WorkingState {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly service: ServiceHandle;
  readonly call: ServiceCaller['call'];
  readonly workers: readonly Worker[];
  readonly pipes: Collection<PipeRecord>;
  private readonly positions: Collection<PositionRecord>;
  /** Shard positions by pipe. */
  private readonly shards = new Map<string, Set<string>>();
  private readonly lifecycle: Lifecycle;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.service = scope.service;
    this.call = scope.call.bind(scope);
    this.pipes = scope.collection(pipeCollection);
    this.positions = scope.collection(positionCollection);
    for (const { pipe, shard } of this.positions.values()) this.index(pipe, shard);
    this.lifecycle = new Lifecycle(this);
    this.workers = [this.lifecycle];
  }

  /** Returns the ARN of a pipe. */
  pipeArn(name: string): string {
    return pipeType.arn({ name }, this);
  }

  pipe(name: string): Pipe | undefined {
    return this.pipes.get(name);
  }

  listPipes(): Pipe[] {
    return [...this.pipes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Adds or replaces a pipe, and completes its transition if it is in a transitional state. */
  putPipe(record: PipeRecord): Pipe {
    const pipe = this.pipes.put(record.name, record);
    this.lifecycle.pass(pipe);
    return pipe;
  }

  /** Whether a pipe is leaving a transitional state, unless a restart interrupted that and it is not resumed yet. */
  isPassing(pipe: Pipe): boolean {
    return this.lifecycle.isPassing(pipe);
  }

  /** Updates a pipe without changing its desired state. Ignores a deleted pipe. */
  changePipe(name: string, change: (draft: PipeRecord) => void): void {
    if (this.pipes.has(name)) this.pipes.update(name, change);
  }

  /** Deletes a pipe and its positions. */
  removePipe({ name, id }: Pipe): void {
    for (const shard of this.shards.get(id) ?? []) this.positions.delete(`${id} ${shard}`);
    this.shards.delete(id);
    this.pipes.delete(name);
  }

  /** Returns the position of a pipe in a shard; undefined before the first read. @param pipe id */
  position(pipe: string, shard: string): Readonly<PositionRecord> | undefined {
    return this.positions.get(`${pipe} ${shard}`);
  }

  /** Whether a pipe has started reading its stream. @param pipe id */
  hasPositions(pipe: string): boolean {
    return this.shards.has(pipe);
  }

  putPosition(position: PositionRecord): void {
    const { pipe, shard } = position;
    this.index(pipe, shard);
    this.positions.put(`${pipe} ${shard}`, position);
  }

  /** Reports a metric of a pipe to CloudWatch, if mounted. */
  report(name: string, metric: string, value: number, unit = 'Count'): void {
    metricsOf(this.service, this.accountId, this.region)
      ?.resource('AWS/EventBridge/Pipes', { AwsAccountId: this.accountId, PipeName: name })
      .add(metric, value, this.clock.now(), unit);
  }

  private index(pipe: string, shard: string): void {
    const shards = this.shards.get(pipe) ?? new Set();
    this.shards.set(pipe, shards);
    shards.add(shard);
  }
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): PipesState => new PipesState(scope);
