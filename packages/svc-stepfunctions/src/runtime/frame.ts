import type { Json, JsonObject } from '../asl/json.ts';
import type { Batch } from './map-runs.ts';

/** Position in a run of a block: plain data, from which it continues after a restart. */
export interface Frame {
  /** Name of the state. */
  state: string;
  /** Input of the state. */
  input: Json;
  variables: JsonObject;
  /** Id of the previous event; 0 for none. */
  last: number;
  /** Set while the state is running. */
  current?: CurrentState;
  /** Members added to the execution's context object. */
  map?: JsonObject;
  /** Output of the finished block. */
  done?: { output: Json };
  /** Whether the start event of this Map iteration was emitted. */
  started?: boolean;
}

/** A state that has been entered. */
export interface CurrentState {
  /** Id of the event before its entry event. */
  before: number;
  /** Id of its entry event. */
  entered: number;
  /** Epoch milliseconds. */
  enteredAt: number;
  /** Number of attempts by retrier. */
  attempts: Record<string, number>;
  /** Number of retries. */
  retries: number;
  /** End of a Wait, or start of the next attempt, in epoch milliseconds. */
  until?: number;
  /** Frames of branches or iterations. */
  children?: Frame[];
  /** Items of a Map. */
  items?: Json[];
  /** Map Run of a distributed Map: ARN, batches, id of its start event, and whether it must be redriven. */
  mapRun?: { arn: string; batches?: Batch[]; started: number; redriven?: true };
  /** Token with which a task is completed. */
  token?: string;
  /** Whether a worker has taken the activity task. */
  worker?: boolean;
  /** ARN of the awaited execution started by the task. */
  nested?: string;
  /** Time of scheduling a task in epoch milliseconds. */
  scheduledAt?: number;
  /** Result of a task, once known. */
  result?: { value: Json };
}

/** Resets the state of an attempt before the next one. */
export function resetAttempt(current: CurrentState): void {
  delete current.token;
  delete current.worker;
  delete current.nested;
  delete current.scheduledAt;
  delete current.result;
}
