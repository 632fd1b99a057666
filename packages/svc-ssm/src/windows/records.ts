import { defineCollection } from '@emu/core';
import type {
  AlarmConfiguration,
  AlarmStateInformation,
  LoggingInfo,
  MaintenanceWindowExecutionStatus,
  MaintenanceWindowResourceType,
  MaintenanceWindowTaskCutoffBehavior,
  MaintenanceWindowTaskInvocationParameters,
  MaintenanceWindowTaskType,
  Target,
} from '@emu/service-types/ssm';

/** A maintenance window. */
export interface WindowRecord {
  id: string;
  name: string;
  description?: string | undefined;
  /** ISO 8601, as the request gives it. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  schedule: string;
  timezone?: string | undefined;
  /** Days. */
  offset?: number | undefined;
  /** Hours. */
  duration: number;
  cutoff: number;
  allowUnassociatedTargets: boolean;
  enabled: boolean;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
  /** When its schedule was last set: from then on rates count. */
  scheduledAt: number;
  /** The run of the schedule that came last. */
  ranFor?: number | undefined;
}

/** What a window's tasks can be run on. */
export interface WindowTargetRecord {
  id: string;
  windowId: string;
  resourceType: MaintenanceWindowResourceType;
  targets: Target[];
  ownerInformation?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
}

/** Parameters of a task, with the payload of a function in base64. */
export type InvocationParameters = Omit<MaintenanceWindowTaskInvocationParameters, 'Lambda'> & {
  Lambda?: { ClientContext?: string | undefined; Qualifier?: string | undefined; Payload?: string | undefined };
};

/** What a window does. */
export interface WindowTaskRecord {
  id: string;
  windowId: string;
  type: MaintenanceWindowTaskType;
  arn: string;
  targets: Target[];
  serviceRoleArn?: string | undefined;
  parameters: Record<string, string[]>;
  invocation: InvocationParameters;
  priority: number;
  maxConcurrency: string;
  maxErrors: string;
  loggingInfo?: LoggingInfo | undefined;
  name?: string | undefined;
  description?: string | undefined;
  cutoffBehavior?: MaintenanceWindowTaskCutoffBehavior | undefined;
  alarms?: AlarmConfiguration | undefined;
}

/** What became of something that a window does. */
interface Progress {
  status: MaintenanceWindowExecutionStatus;
  details?: string | undefined;
  /** Epoch milliseconds. */
  startedAt?: number | undefined;
  endedAt?: number | undefined;
}

/** A run of a window. */
export interface ExecutionRecord extends Progress {
  id: string;
  windowId: string;
  startedAt: number;
  /** Epoch milliseconds from which on nothing is begun. */
  cutoffAt: number;
  /** Ids of the runs of its tasks, in the order of their priorities. */
  taskIds: string[];
}

/** One call of what a task names. */
export interface InvocationRecord extends Progress {
  id: string;
  /** Id of the command, automation, request or execution that it began. */
  executionId?: string | undefined;
  /** JSON text of what it was called with. */
  parameters?: string | undefined;
  windowTargetId?: string | undefined;
  ownerInformation?: string | undefined;
  /** The node or resource that it is for; what commands are for are targets. */
  resourceId?: string | undefined;
  targets: Target[];
}

/** A run of a task of a window, with the task as it was when the window opened. */
export interface TaskExecutionRecord extends Progress {
  id: string;
  executionId: string;
  windowId: string;
  task: WindowTaskRecord;
  /** Alarms that have stopped it. */
  triggeredAlarms?: AlarmStateInformation[];
  invocations: InvocationRecord[];
}

export const windowCollection = defineCollection<WindowRecord>('maintenanceWindows', 'region', {
  content: ['description'],
});
export const windowTargetCollection = defineCollection<WindowTargetRecord>('maintenanceWindowTargets', 'region', {
  content: ['ownerInformation', 'description'],
});
export const windowTaskCollection = defineCollection<WindowTaskRecord>('maintenanceWindowTasks', 'region', {
  content: ['parameters', 'invocation', 'description'],
});
export const executionCollection = defineCollection<ExecutionRecord>('maintenanceWindowExecutions', 'region');
export const taskExecutionCollection = defineCollection<TaskExecutionRecord>(
  'maintenanceWindowTaskExecutions',
  'region',
  { content: ['task', 'parameters'] },
);

export const windowCollections = [
  windowCollection,
  windowTargetCollection,
  windowTaskCollection,
  executionCollection,
  taskExecutionCollection,
] as const;
