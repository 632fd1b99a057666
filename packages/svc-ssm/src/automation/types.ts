import type { CallOptions, Clock, DeepReadonly, StateScope } from '@emu/core/service';
import type { AutomationExecutionStatus } from '@emu/service-types/ssm';
import type { CommandRecord } from '../commands/records.ts';
import type { JsonObject } from '../documents/content.ts';
import type { DocumentSource } from '../documents/resolve.ts';
import type { AutomationRecord, ParentStepRecord } from './records.ts';
import type { ReferenceContext } from './references.ts';
import type { AutomationSignal } from './signals.ts';

export type Execution = DeepReadonly<AutomationRecord>;

/** Commands that a step can wait for. */
export interface CommandHost {
  get(id: string): DeepReadonly<CommandRecord> | undefined;
  /** Resolves when a command has ended. */
  ended(id: string): Promise<void>;
  /**
   * Cancels a command.
   * @param instanceIds nodes to cancel it on; empty for all
   */
  cancel(id: string, instanceIds: readonly string[]): void;
}

/** Parts of the state that executions depend on. */
export interface AutomationOwner extends DocumentSource {
  readonly commands: CommandHost;
  /** Log group for script output; undefined if the output is not logged. */
  readonly scriptLogGroup: string | undefined;
  automationArn(id: string): string;
  documentArn(name: string): string;
  definitionArn(name: string, version: string): string;
  /** Returns the executions of another account or region, creating its state if necessary. */
  automationsAt(accountId: string, region: string): AutomationHost;
}

/** Operations on the executions of an account and region. */
export interface AutomationHost {
  readonly owner: AutomationOwner;
  readonly scope: StateScope;
  arnOf(id: string): string;
  get(id: string): Execution | undefined;
  update(id: string, change: (draft: AutomationRecord) => void): Execution;
  /** Starts an execution. */
  start(record: AutomationRecord): Execution;
  /** Resolves when an execution has ended; immediately if it is unknown. */
  ended(id: string): Promise<void>;
  /**
   * Stops an execution before its last step.
   * @param complete whether it counts as successful
   */
  stop(id: string, complete: boolean): void;
  setStatus(id: string, status: AutomationExecutionStatus): void;
  /**
   * Ends an execution if one of its alarms is in the state ALARM.
   * @throws Ended
   */
  checkAlarms(run: Run): Promise<void>;
  /** Sends the status of a step to EventBridge. */
  announceStep(record: Execution, stepId: string): void;
}

/** Position of a sequence of steps: top level, or an iteration of a loop. */
export interface Position {
  readonly next: string | undefined;
  /**
   * Saves the position.
   * @param next name of the next step; empty after the last
   */
  save(next: string): void;
}

/** A running execution, for its steps. */
export interface Run {
  readonly automations: AutomationHost;
  readonly id: string;
  readonly record: Execution;
  /** The runbook. */
  readonly content: JsonObject;
  readonly clock: Clock;
  /** Identity with which its steps call services. */
  readonly caller: CallOptions;
  /** Aborted when the execution must end. */
  readonly stopSignal: AbortSignal;
  /** Whether the execution pauses until a restart. */
  readonly suspended: boolean;
  update(change: (draft: AutomationRecord) => void): void;
  /**
   * Runs from the recorded position to the end.
   * @throws Ended, ExecutionFailure
   */
  steps(): Promise<void>;
  /** Runs steps in sequence. */
  runSteps(steps: readonly JsonObject[], position: Position, parent: ParentStepRecord | undefined): Promise<void>;
  /** Waits for a signal to a step. */
  forSignal<T>(step: StepContext, take: (signal: AutomationSignal, done: (value: T) => void) => boolean): Promise<T>;
  /** Returns the context for resolving values of the runbook. */
  referenceContext(): ReferenceContext;
  /** Waits until a time. */
  until(time: number, signal: AbortSignal): Promise<void>;
}

/** A running step, for its action. */
export interface StepContext {
  readonly run: Run;
  readonly id: string;
  readonly name: string;
  /** Inputs with resolved references. */
  readonly inputs: JsonObject;
  /** Inputs as written in the runbook. */
  readonly given: JsonObject;
  /** Aborted when the step ends. */
  readonly signal: AbortSignal;
  readonly timeout: number | undefined;
  /** Saved progress, for continuing after a restart. */
  readonly progress: JsonObject;
  save(progress: JsonObject): void;
  status(status: AutomationExecutionStatus): void;
}
