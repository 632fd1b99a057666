import type { Clock, Ids } from '@emu/core/service';
import type { HttpAnswer, SentRequest } from '@emu/service-types/internal/events';
import type { HistoryEventType } from '@emu/service-types/stepfunctions';
import type { Block, State } from '../asl/definition.ts';
import { StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import type { Frame } from './frame.ts';
import type { MapRunner } from './map-runs.ts';
import type { Scope } from './scope.ts';

/** Most events of a history. */
export const MOST_EVENTS = 25_000;
/** Most bytes of an input, output or result. */
export const MOST_BYTES = 256 * 1024;

/** A task that is to be done. */
export interface Task {
  readonly run: Run;
  readonly frame: Frame;
  readonly name: string;
  readonly state: State;
  readonly input: Json;
  readonly scope: Scope;
  readonly timeout: number | undefined;
  readonly heartbeat: number | undefined;
  /** ARN of the role that its Credentials name; the state machine's is used where it is absent. */
  readonly roleArn?: string | undefined;
}

/** Where a state's data can be looked at, as TestState names it. */
export type Stage =
  | 'afterInputPath'
  | 'afterParameters'
  | 'afterArguments'
  | 'afterItemsPath'
  | 'afterResultSelector'
  | 'afterResultPath'
  | 'result'
  | 'maxConcurrency';

/** A request of an HTTP task, and what was answered. */
export interface HttpExchange {
  readonly method: string;
  /** What the state says. */
  readonly own: SentRequest;
  /** What was sent: with what the connection has added. */
  readonly sent: SentRequest;
  readonly answer: HttpAnswer;
}

/** What the interpreter needs of the execution that it runs. */
export interface Run {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly scope: Scope;
  readonly definition: Block;
  /** The members of the context object that are the same for the whole execution. */
  readonly context: JsonObject;
  readonly root: Frame;
  /** Runs of distributed maps. */
  readonly maps: MapRunner;
  /** Notes an event. @returns its id */
  emit(type: HistoryEventType, previous: number, details?: [string, JsonObject]): number;
  /** Writes down where the execution stands. */
  save(): void;
  /**
   * Ends the run where others go on with what was written down, at that point in time (epoch milliseconds): nothing else is
   * under way in it. @throws Ended where they do
   */
  park?(until: number): void;
  /** Does a task. @throws StateFailure */
  perform(task: Task): Promise<Json>;
  /** The whole context object, where somebody who tests a state gives it. */
  readonly given?: JsonObject | undefined;
  /** Shows what a state's data is on its way, where somebody tests the state. */
  inspect?(stage: Stage, value: Json): void;
  /** Shows what an HTTP task has sent and got, where somebody tests the state. */
  inspectHttp?(exchange: HttpExchange): void;
  /** What Parallel and Map yield without being run, where somebody tests the state; throws StateFailure as they would. */
  mocked?(): Json;
  /** A token for a task that somebody else ends. */
  token(): string;
}

/** Emits an event that follows the last one of a frame, and becomes its last. */
export function note(run: Run, frame: Frame, type: HistoryEventType, details?: [string, JsonObject]): number {
  frame.last = run.emit(type, frame.last, details);
  return frame.last;
}

/** @throws StateFailure `States.DataLimitExceeded` for more than 256 KiB */
export function limit(value: Json, of: string): Json {
  const text = JSON.stringify(value);
  // A character has three bytes at most: few texts have to be counted.
  if (text.length * 3 > MOST_BYTES && Buffer.byteLength(text) > MOST_BYTES)
    throw new StateFailure(
      'States.DataLimitExceeded',
      `The state/task '${of}' returned a result with a size exceeding the maximum number of bytes service limit.`,
    );
  return value;
}
