import { type Clock, exceedsBytes, type Ids, WorkBudget, WorkLimitError } from '@emu/core/service';
import type { HttpAnswer, SentRequest } from '@emu/service-types/internal/events';
import type { HistoryEventType } from '@emu/service-types/stepfunctions';
import { MAX_DEPTH } from '@emu/wire';
import type { Block, State } from '../asl/definition.ts';
import { dataLimitExceeded } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import type { Frame } from './frame.ts';
import type { MapRunner } from './map-runs.ts';
import type { Scope } from './scope.ts';

/** Maximum number of events of a history. */
export const MAX_EVENTS = 25_000;
/** Maximum bytes of an input, output or result. */
export const MAX_BYTES = 256 * 1024;

/** A task to run. */
export interface Task {
  readonly run: Run;
  readonly frame: Frame;
  readonly name: string;
  readonly state: State;
  readonly input: Json;
  readonly scope: Scope;
  readonly timeout: number | undefined;
  readonly heartbeat: number | undefined;
  /** Role ARN in its Credentials; by default the state machine's role. */
  readonly roleArn?: string | undefined;
}

/** Inspection point of a state's data, as named in TestState. */
export type Stage =
  | 'afterInputPath'
  | 'afterParameters'
  | 'afterArguments'
  | 'afterItemsPath'
  | 'afterResultSelector'
  | 'afterResultPath'
  | 'result'
  | 'maxConcurrency';

/** Request and response of an HTTP task. */
export interface HttpExchange {
  readonly method: string;
  /** Request of the state. */
  readonly own: SentRequest;
  /** Sent request, including the connection's additions. */
  readonly sent: SentRequest;
  readonly answer: HttpAnswer;
}

/** Execution services for the interpreter. */
export interface Run {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly scope: Scope;
  readonly definition: Block;
  /** Constant part of the context object. */
  readonly context: JsonObject;
  readonly root: Frame;
  /** Map Runs of distributed maps. */
  readonly maps: MapRunner;
  /** Number of states that it has begun. */
  states: number;
  /**
   * Records an event.
   * @returns its id
   */
  emit(type: HistoryEventType, previous: number, details?: [string, JsonObject]): number;
  /** Saves the position. */
  save(): void;
  /**
   * Ends the run, to be resumed from the saved position at a time in epoch milliseconds; nothing else may be running in
   * it.
   * @throws Ended if it is parked
   */
  park?(until: number): void;
  /**
   * Runs a task.
   * @throws StateFailure
   */
  perform(task: Task): Promise<Json>;
  /** Complete context object, if given by a state test. */
  readonly given?: JsonObject | undefined;
  /** Receives a state's data at an inspection point, in state tests. */
  inspect?(stage: Stage, value: Json): void;
  /** Receives request and response of an HTTP task, in state tests. */
  inspectHttp?(exchange: HttpExchange): void;
  /** Returns the mocked result of Parallel and Map in state tests; throws StateFailure for a mocked failure. */
  mocked?(): Json;
  /** Returns a token with which a task is completed. */
  token(): string;
}

/** Emits an event after the last one of a frame and makes it the last. */
export function note(run: Run, frame: Frame, type: HistoryEventType, details?: [string, JsonObject]): number {
  frame.last = run.emit(type, frame.last, details);
  return frame.last;
}

/**
 * Checks the size of a value.
 * @throws StateFailure `States.DataLimitExceeded` above 256 KiB, and above the depth of JSON from users
 */
export function limit(value: Json, of: string): Json {
  if (isLarge(value)) throw dataLimitExceeded(of);
  return value;
}

function isLarge(value: Json): boolean {
  try {
    measure(value, new WorkBudget({ size: MAX_BYTES, depth: MAX_DEPTH }));
  } catch (error) {
    if (error instanceof WorkLimitError) return true;
    throw error;
  }
  const text = JSON.stringify(value);
  // Fast path: a character has at most three bytes.
  return exceedsBytes(text, MAX_BYTES);
}

/** Counts at least a byte of each value: templates repeat values, whose text could exhaust the memory. */
function measure(value: Json, budget: WorkBudget): void {
  if (typeof value === 'string') budget.produce(value.length);
  else if (typeof value !== 'object' || value === null) budget.produce(1);
  else
    budget.nested(() => {
      for (const [name, item] of Object.entries(value)) {
        budget.produce(Array.isArray(value) ? 1 : name.length);
        measure(item, budget);
      }
    });
}
