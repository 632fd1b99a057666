import type { Located, Timestamp } from './common.ts';

/** Statuses of an execution. */
export type StepFunctionsStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' | 'PENDING_REDRIVE';

/** An event of an execution's history. */
export interface StepFunctionsHistoryEvent {
  id: number;
  previousEventId: number;
  /** e.g. `TaskStateEntered`. */
  type: string;
  timestamp: Timestamp;
  /** Details of the event, as in GetExecutionHistory. */
  details?: Record<string, unknown>;
}

/** An execution with its history. */
export interface StepFunctionsExecution extends Located {
  executionArn: string;
  stateMachineArn: string;
  name: string;
  status: StepFunctionsStatus;
  /** JSON. */
  input: string;
  /** JSON; absent while it runs or after a failure. */
  output?: string;
  error?: string;
  cause?: string;
  startDate: Timestamp;
  stopDate?: Timestamp;
  history: StepFunctionsHistoryEvent[];
}

/** An Express execution that was started and awaited in one request. */
export interface StepFunctionsSyncExecution extends StepFunctionsExecution {
  billedDurationInMilliseconds: number;
  billedMemoryUsedInMB: number;
}

/** An execution with the tree of executions that it started. */
export interface StepFunctionsExecutionTree {
  executionArn: string;
  stateMachineArn: string;
  name: string;
  status: StepFunctionsStatus;
  startDate: Timestamp;
  stopDate?: Timestamp;
  /** State of the parent that started it; absent for the root. */
  parentStateName?: string;
  children: StepFunctionsExecutionTree[];
}

/** A task for the workers of an activity. */
export interface StepFunctionsActivityTask {
  activityArn: string;
  /** JSON; `{}` by default. */
  input?: string;
}
