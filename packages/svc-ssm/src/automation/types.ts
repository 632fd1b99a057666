import type { CallOptions, Clock, DeepReadonly, StateScope } from '@emu/core';
import type { AutomationExecutionStatus } from '@emu/service-types/ssm';
import type { CommandRecord } from '../commands/records.ts';
import type { JsonObject } from '../documents/content.ts';
import type { DocumentSource } from '../documents/resolve.ts';
import type { AutomationRecord, ParentStepRecord } from './records.ts';
import type { Surroundings } from './references.ts';
import type { AutomationSignal } from './signals.ts';

export type Execution = DeepReadonly<AutomationRecord>;

/** The commands that a step waits for. */
export interface CommandHost {
  get(id: string): DeepReadonly<CommandRecord> | undefined;
  /** Resolves when a command is over. */
  ended(id: string): Promise<void>;
  /** @param instanceIds all where it is empty */
  cancel(id: string, instanceIds: readonly string[]): void;
}

/** What executions need of the state that they belong to. */
export interface AutomationOwner extends DocumentSource {
  readonly commands: CommandHost;
  /** The log group of what scripts put out; undefined where that is written nowhere. */
  readonly scriptLogGroup: string | undefined;
  automationArn(id: string): string;
  documentArn(name: string): string;
  definitionArn(name: string, version: string): string;
  /** The executions of another account or region; its state is made where there is none. */
  automationsAt(accountId: string, region: string): AutomationHost;
}

/** The executions of an account and region, as one of them sees them. */
export interface AutomationHost {
  readonly owner: AutomationOwner;
  readonly scope: StateScope;
  arnOf(id: string): string;
  get(id: string): Execution | undefined;
  update(id: string, change: (draft: AutomationRecord) => void): Execution;
  /** Begins an execution. */
  start(record: AutomationRecord): Execution;
  /** Resolves when an execution is over, at once where it is, or is not there. */
  ended(id: string): Promise<void>;
  /** Ends an execution before its steps are done. @param complete whether it is taken for a success */
  stop(id: string, complete: boolean): void;
  setStatus(id: string, status: AutomationExecutionStatus): void;
  /** Ends an execution whose alarm is in the state ALARM. @throws Ended */
  checkAlarms(run: Run): Promise<void>;
  /** Tells EventBridge what became of a step. */
  tellStep(record: Execution, stepId: string): void;
}

/** Where steps stand: at the top, or in an iteration of a loop. */
export interface Position {
  readonly next: string | undefined;
  /** @param next empty behind the last step */
  save(next: string): void;
}

/** An execution under way, as its steps see it. */
export interface Run {
  readonly automations: AutomationHost;
  readonly id: string;
  readonly record: Execution;
  /** The runbook. */
  readonly content: JsonObject;
  readonly clock: Clock;
  /** As whom its steps call services. */
  readonly caller: CallOptions;
  /** Aborted when the execution is to end. */
  readonly stopSignal: AbortSignal;
  /** Whether the execution ends only to go on after a restart. */
  readonly suspended: boolean;
  update(change: (draft: AutomationRecord) => void): void;
  /** Runs from where the record stands to the end. @throws Ended, ExecutionFailure */
  steps(): Promise<void>;
  /** Runs steps one after the other. */
  runSteps(steps: readonly JsonObject[], position: Position, parent: ParentStepRecord | undefined): Promise<void>;
  /** Waits for a signal that a step is to be given. */
  forSignal<T>(step: StepContext, take: (signal: AutomationSignal, done: (value: T) => void) => boolean): Promise<T>;
  /** What values of its runbook are resolved with. */
  surroundings(): Surroundings;
  /** Waits until a point in time. */
  until(time: number, signal: AbortSignal): Promise<void>;
}

/** A step as its action sees it. */
export interface StepContext {
  readonly run: Run;
  readonly id: string;
  readonly name: string;
  /** With everything in double braces replaced. */
  readonly inputs: JsonObject;
  /** As the runbook has them. */
  readonly given: JsonObject;
  /** Ends with the step. */
  readonly signal: AbortSignal;
  readonly timeout: number | undefined;
  /** What it goes on with after a restart. */
  readonly progress: JsonObject;
  save(progress: JsonObject): void;
  status(status: AutomationExecutionStatus): void;
}
