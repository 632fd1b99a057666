import { defineCollection } from '@emu/core/service';
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
  /** ISO 8601, as given in the request. */
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
  /** Time of the last change of the schedule, from which rates count. */
  scheduledAt: number;
  /** Scheduled time of the last run, in epoch milliseconds. */
  ranFor?: number | undefined;
}

/** Targets of a window's tasks. */
export interface WindowTargetRecord {
  id: string;
  windowId: string;
  resourceType: MaintenanceWindowResourceType;
  targets: Target[];
  ownerInformation?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
}

/** Parameters of a task; the payload of a function is base64. */
export type InvocationParameters = Omit<MaintenanceWindowTaskInvocationParameters, 'Lambda'> & {
  Lambda?: { ClientContext?: string | undefined; Qualifier?: string | undefined; Payload?: string | undefined };
};

/** A task of a window. */
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

/** Progress of a window's execution, task or invocation. */
interface Progress {
  status: MaintenanceWindowExecutionStatus;
  details?: string | undefined;
  /** Epoch milliseconds. */
  startedAt?: number | undefined;
  endedAt?: number | undefined;
}

/** An execution of a window. */
export interface ExecutionRecord extends Progress {
  id: string;
  windowId: string;
  startedAt: number;
  /** Epoch milliseconds after which nothing is started. */
  cutoffAt: number;
  /** Ids of its task executions, by priority. */
  taskIds: string[];
}

/** One invocation of a task. */
export interface InvocationRecord extends Progress {
  id: string;
  /** Id of the command, automation, request or execution that it started. */
  executionId?: string | undefined;
  /** JSON text of the call's parameters. */
  parameters?: string | undefined;
  windowTargetId?: string | undefined;
  ownerInformation?: string | undefined;
  /** Target node or resource; commands have targets instead. */
  resourceId?: string | undefined;
  targets: Target[];
}

/** An execution of a window's task, with the task as of the opening. */
export interface TaskExecutionRecord extends Progress {
  id: string;
  executionId: string;
  windowId: string;
  task: WindowTaskRecord;
  /** Alarms that stopped it. */
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
