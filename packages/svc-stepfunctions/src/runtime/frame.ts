import type { Json, JsonObject } from '../asl/json.ts';
import type { Batch } from './map-runs.ts';

/** Where a run of a block stands: plain data, from which it goes on after a restart. */
export interface Frame {
  /** Name of the state. */
  state: string;
  /** Input of the state. */
  input: Json;
  variables: JsonObject;
  /** Id of the event before; 0 for none. */
  last: number;
  /** Set while the state is under way. */
  current?: CurrentState;
  /** What the context object has besides the execution's. */
  map?: JsonObject;
  /** Output, when the block has ended. */
  done?: { output: Json };
  /** Whether a Map has told of the beginning of this iteration. */
  started?: boolean;
}

/** A state that has been entered. */
export interface CurrentState {
  /** Id of the event before that of its entry. */
  before: number;
  /** Id of the event of its entry. */
  entered: number;
  /** Epoch milliseconds. */
  enteredAt: number;
  /** Attempts made by each rule of Retry. */
  attempts: Record<string, number>;
  /** How often it was tried again. */
  retries: number;
  /** When a Wait ends, or the next attempt begins: epoch milliseconds. */
  until?: number;
  /** Runs of branches or iterations. */
  children?: Frame[];
  /** Items of a Map. */
  items?: Json[];
  /**
   * Run of a distributed Map: its ARN, what its executions get, the id of the event of its
   * beginning, and whether it is to be redriven.
   */
  mapRun?: { arn: string; batches?: Batch[]; started: number; redriven?: true };
  /** Token of a task that somebody else ends. */
  token?: string;
  /** Whether a worker has taken the task of an activity. */
  worker?: boolean;
  /** ARN of the execution that the task has started and waits for. */
  nested?: string;
  /** When a task was scheduled: epoch milliseconds. */
  scheduledAt?: number;
  /** Result of a task, when it is known. */
  result?: { value: Json };
}

/** Forgets what an attempt at a task has come to, before the next. */
export function forgetAttempt(current: CurrentState): void {
  delete current.token;
  delete current.worker;
  delete current.nested;
  delete current.scheduledAt;
  delete current.result;
}
