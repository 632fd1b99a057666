import { defineCollection, type Principal } from '@emu/core';
import type {
  AlarmConfiguration,
  AlarmStateInformation,
  AutomationExecutionStatus,
  ExecutionMode,
  Runbook,
  Target,
  TargetLocation,
} from '@emu/service-types/ssm';
import type { Json, JsonObject } from '../documents/content.ts';

/** Values of parameters by their names. */
export type Parameters = Record<string, string[]>;

/** The loop, and which of its iterations, that a step belongs to. */
export interface ParentStepRecord {
  id: string;
  name: string;
  action: string;
  iteration: number;
  iteratorValue?: string;
}

/** A step that has begun, or that is still to come. Times are epoch milliseconds. */
export interface StepRecord {
  id: string;
  name: string;
  action: string;
  status: AutomationExecutionStatus;
  startedAt?: number;
  endedAt?: number;
  inputs: JsonObject;
  outputs: JsonObject;
  responseCode?: string;
  failure?: { message: string; stage: string; type: string };
  parent?: ParentStepRecord;
  /** Where the step goes next, once it is known. */
  nextStep?: string;
  /** How far its action has come: what it goes on with after a restart. */
  progress: JsonObject;
}

/** One of the executions that a rate-controlled execution is made of. */
export interface PlanItem {
  accountId: string;
  region: string;
  parameters: Parameters;
  /** What it is for, as the execution shows it. */
  target?: string;
  /** Role as which it runs. */
  role?: string;
  /** Targets of its own, of a location. */
  targets?: Target[];
  maxConcurrency?: string;
  maxErrors?: string;
  alarms?: AlarmConfiguration;
  /** Id of the execution, once it has begun. */
  child?: string;
}

/** How an execution is spread over targets or locations. */
export interface Plan {
  kind: 'targets' | 'locations';
  items: PlanItem[];
  maxConcurrency: string;
  maxErrors: string;
}

/** What a request for a change adds to an execution. */
export interface ChangeRequest {
  name?: string;
  runbooks: Runbook[];
  scheduledAt?: number;
  autoApprove: boolean;
  details?: string;
  /** The executions of its runbooks, as far as they have begun. */
  children: string[];
}

/** An execution of a runbook. Times are epoch milliseconds. */
export interface AutomationRecord {
  id: string;
  documentName: string;
  documentVersion: string;
  /** JSON text of the runbook as it was when the execution began. */
  content: string;
  parameters: Parameters;
  mode: ExecutionMode;
  status: AutomationExecutionStatus;
  startedAt: number;
  endedAt?: number;
  failureMessage?: string;
  outputs?: JsonObject;
  /** Whether a critical step has failed although the execution went on. */
  failed: boolean;
  variables: Record<string, Json>;
  steps: StepRecord[];
  /** Name of the step that comes next; undefined before the first and after the last one. */
  next?: string;
  /** Who started it, and as whom its steps act unless it has a role. */
  principal: Principal;
  role?: string;
  cause?: string;
  parent?: string;
  target?: string;
  targetParameterName?: string;
  targets?: Target[];
  targetMaps?: Parameters[];
  targetLocations?: TargetLocation[];
  targetLocationsUrl?: string;
  plan?: Plan;
  change?: ChangeRequest;
  alarms?: AlarmConfiguration;
  triggeredAlarms?: AlarmStateInformation[];
  clientToken?: string;
  /** What the client token stands for. */
  request?: string;
  associationId?: string;
  tags: Record<string, string>;
}

/** What a preview of an execution has found. */
export interface PreviewRecord {
  id: string;
  endedAt: number;
  steps: Record<string, number>;
  regions: string[];
  targets: { type: string; count: number }[];
  accounts: number;
}

export const automationCollection = defineCollection<AutomationRecord>('automations', 'region', {
  content: ['content', 'parameters', 'inputs', 'outputs', 'variables', 'progress'],
});
export const previewCollection = defineCollection<PreviewRecord>('executionPreviews', 'region');
