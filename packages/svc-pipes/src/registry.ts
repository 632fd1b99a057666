import type { Clock, DeepReadonly, Ids, Logger, ServiceCaller } from '@emu/core';
import type { PipeRecord, PositionRecord } from './records.ts';

/** A pipe as it is kept. */
export type Pipe = DeepReadonly<PipeRecord>;

/** The pipes of one account and region, as looking them up needs them. */
export interface PipeRegistry {
  pipe(name: string): Pipe | undefined;
  /** Every pipe, in order of the names. */
  listPipes(): Pipe[];
}

/** The state of an account and region, as pipes at work need it. */
export interface PipeHost extends PipeRegistry, Pick<ServiceCaller, 'call'> {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  pipeArn(name: string): string;
  /** Changes a pipe without bringing it to another state; one that is gone is left alone. */
  changePipe(name: string, change: (draft: PipeRecord) => void): void;
  /** Takes a pipe away, with how far it came. */
  removePipe(pipe: Pipe): void;
  /** How far a pipe has come in a shard; undefined where it has not begun. @param pipe its id */
  position(pipe: string, shard: string): Readonly<PositionRecord> | undefined;
  /** Whether a pipe has begun to read its stream. @param pipe its id */
  hasPositions(pipe: string): boolean;
  putPosition(position: PositionRecord): void;
  /** Reports a metric of a pipe to CloudWatch, where it is mounted. */
  report(name: string, metric: string, value: number, unit?: string): void;
}
