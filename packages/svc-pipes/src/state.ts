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
} from '@emu/core';
import { Lifecycle } from './lifecycle.ts';
import { type PipeRecord, type PositionRecord, pipeCollection, positionCollection } from './records.ts';
import type { Pipe, PipeHost } from './registry.ts';
import { pipeType } from './resources.ts';

/** The pipes of one account and region. */
export class PipesState implements PipeHost, WorkingState {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly service: ServiceHandle;
  readonly call: ServiceCaller['call'];
  readonly workers: readonly Worker[];
  private readonly pipes: Collection<PipeRecord>;
  private readonly positions: Collection<PositionRecord>;
  /** Shards by the pipes that read them. */
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

  /** ARN of a pipe. */
  pipeArn(name: string): string {
    return pipeType.arn({ name }, this);
  }

  pipe(name: string): Pipe | undefined {
    return this.pipes.get(name);
  }

  listPipes(): Pipe[] {
    return [...this.pipes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Adds a pipe or puts it in the place of what it was; one that is on its way to a state goes there. */
  putPipe(record: PipeRecord): Pipe {
    const pipe = this.pipes.put(record.name, record);
    this.lifecycle.pass(pipe);
    return pipe;
  }

  /** Changes a pipe without bringing it to another state; one that is gone is left alone. */
  changePipe(name: string, change: (draft: PipeRecord) => void): void {
    if (this.pipes.has(name)) this.pipes.update(name, change);
  }

  /** Takes a pipe away, with how far it came. */
  removePipe({ name, id }: Pipe): void {
    for (const shard of this.shards.get(id) ?? []) this.positions.delete(`${id} ${shard}`);
    this.shards.delete(id);
    this.pipes.delete(name);
  }

  /** How far a pipe has come in a shard; undefined where it has not begun. @param pipe its id */
  position(pipe: string, shard: string): Readonly<PositionRecord> | undefined {
    return this.positions.get(`${pipe} ${shard}`);
  }

  /** Whether a pipe has begun to read its stream. @param pipe its id */
  hasPositions(pipe: string): boolean {
    return this.shards.has(pipe);
  }

  putPosition(position: PositionRecord): void {
    const { pipe, shard } = position;
    this.index(pipe, shard);
    this.positions.put(`${pipe} ${shard}`, position);
  }

  /** Reports a metric of a pipe to CloudWatch, where it is mounted. */
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

/** Makes the state of an account and region. */
export const createState = (scope: StateScope): PipesState => new PipesState(scope);
