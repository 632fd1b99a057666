import { defineCollection, type Principal } from '@emu/core/service';
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

/** Parameter values by name. */
export type Parameters = Record<string, string[]>;

/** The loop that a step belongs to, with its iteration. */
export interface ParentStepRecord {
  id: string;
  name: string;
  action: string;
  iteration: number;
  iteratorValue?: string;
}

/** A step that has started or is pending. Times are epoch milliseconds. */
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
  /** Name of the next step, once known. */
  nextStep?: string;
  /** Progress of the action, from which it continues after a restart. */
  progress: JsonObject;
}

/** One of the child executions of a rate-controlled execution. */
export interface PlanItem {
  accountId: string;
  region: string;
  parameters: Parameters;
  /** Name of its target, as shown in the execution. */
  target?: string;
  /** Role that it assumes. */
  role?: string;
  /** Targets of its location. */
  targets?: Target[];
  maxConcurrency?: string;
  maxErrors?: string;
  alarms?: AlarmConfiguration;
  /** Id of the child execution, once started. */
  child?: string;
}

/** Distribution of an execution over targets or locations. */
export interface Plan {
  kind: 'targets' | 'locations';
  items: PlanItem[];
  maxConcurrency: string;
  maxErrors: string;
}

/** Additional members of an execution that is a change request. */
export interface ChangeRequest {
  name?: string;
  runbooks: Runbook[];
  scheduledAt?: number;
  autoApprove: boolean;
  details?: string;
  /** Ids of the runbook executions started so far. */
  children: string[];
}

/** An execution of a runbook. Times are epoch milliseconds. */
export interface AutomationRecord {
  id: string;
  documentName: string;
  documentVersion: string;
  /** JSON text of the runbook at the start of the execution. */
  content: string;
  parameters: Parameters;
  mode: ExecutionMode;
  status: AutomationExecutionStatus;
  startedAt: number;
  endedAt?: number;
  failureMessage?: string;
  outputs?: JsonObject;
  /** Whether a critical step failed while the execution continued. */
  failed: boolean;
  variables: Record<string, Json>;
  steps: StepRecord[];
  /** Name of the next step; undefined before the first step and after the last. */
  next?: string;
  /** Principal that started it; its steps use this identity unless it has a role. */
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
  /** Fingerprint of the request, for its client token. */
  request?: string;
  associationId?: string;
  tags: Record<string, string>;
}

/** Result of an execution preview. */
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
