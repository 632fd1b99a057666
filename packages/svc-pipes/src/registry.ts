import type { Clock, Collection, DeepReadonly, Ids, Logger, ServiceCaller } from '@emu/core/service';
import type { PipeRecord, PositionRecord } from './records.ts';

/** A stored pipe. */
export type Pipe = DeepReadonly<PipeRecord>;

/** Look-up of the pipes of one account and region. */
export interface PipeRegistry {
  readonly pipes: Collection<PipeRecord>;
  pipe(name: string): Pipe | undefined;
  /** Returns all pipes, ordered by name. */
  listPipes(): Pipe[];
}

/** State of an account and region for running pipes. */
export interface PipeHost extends PipeRegistry, Pick<ServiceCaller, 'call'> {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  pipeArn(name: string): string;
  /** Updates a pipe without changing its desired state. Ignores a deleted pipe. */
  changePipe(name: string, change: (draft: PipeRecord) => void): void;
  /** Deletes a pipe and its positions. */
  removePipe(pipe: Pipe): void;
  /** Returns the position of a pipe in a shard; undefined before the first read. @param pipe id */
  position(pipe: string, shard: string): Readonly<PositionRecord> | undefined;
  /** Whether a pipe has started reading its stream. @param pipe id */
  hasPositions(pipe: string): boolean;
  putPosition(position: PositionRecord): void;
  /** Reports a metric of a pipe to CloudWatch, if mounted. */
  report(name: string, metric: string, value: number, unit?: string): void;
}
