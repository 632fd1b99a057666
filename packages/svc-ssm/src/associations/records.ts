import { defineCollection } from '@emu/core/service';
import type {
  AlarmConfiguration,
  AlarmStateInformation,
  AssociationComplianceSeverity,
  AssociationStatus,
  AssociationSyncCompliance,
  InstanceAssociationOutputLocation,
  Target,
  TargetLocation,
} from '@emu/service-types/ssm';

/** Settings of an association version, in the shape of requests and responses. */
export interface AssociationSettings {
  /** Name of the document. */
  Name: string;
  DocumentVersion?: string | undefined;
  Parameters?: Record<string, string[]> | undefined;
  Targets?: Target[] | undefined;
  ScheduleExpression?: string | undefined;
  OutputLocation?: InstanceAssociationOutputLocation | undefined;
  AssociationName?: string | undefined;
  AutomationTargetParameterName?: string | undefined;
  MaxErrors?: string | undefined;
  MaxConcurrency?: string | undefined;
  ComplianceSeverity?: AssociationComplianceSeverity | undefined;
  SyncCompliance?: AssociationSyncCompliance | undefined;
  ApplyOnlyAtCronInterval?: boolean | undefined;
  CalendarNames?: string[] | undefined;
  ScheduleOffset?: number | undefined;
  /** Hours. */
  Duration?: number | undefined;
  TargetMaps?: Record<string, string[]>[] | undefined;
  AssociationDispatchAssumeRole?: string | undefined;
  TargetLocations?: TargetLocation[] | undefined;
  AlarmConfiguration?: AlarmConfiguration | undefined;
}

/** A version of an association. */
export interface AssociationVersionRecord {
  version: number;
  /** Epoch milliseconds. */
  createdAt: number;
  settings: AssociationSettings;
}

/** An association of a document with nodes or other targets. */
export interface AssociationRecord {
  id: string;
  /** Node id, for an association of the older kind. */
  instanceId?: string | undefined;
  /** Oldest first. */
  versions: AssociationVersionRecord[];
  /** Status set by UpdateAssociationStatus, for the older kind, with epoch milliseconds. */
  told?: (Omit<AssociationStatus, 'Date'> & { at: number }) | undefined;
  status: string;
  detailedStatus: string;
  /** Number of targets by status in the last execution. */
  counts: Record<string, number>;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  executedAt?: number | undefined;
  succeededAt?: number | undefined;
  /** Alarms that ended the last execution. */
  triggeredAlarms?: AlarmStateInformation[] | undefined;
  /** Scheduled time of the last run, in epoch milliseconds. */
  ranFor?: number | undefined;
}

/** Result of an execution on one target. */
export interface AssociationTargetRecord {
  resourceId: string;
  resourceType: string;
  status: string;
  detailedStatus: string;
  /** Epoch milliseconds. */
  at: number;
}

/** An execution of an association. */
export interface AssociationExecutionRecord {
  id: string;
  associationId: string;
  version: number;
  /** Id of the command or automation that it started. */
  outputId?: string | undefined;
  outputType: 'RunCommand' | 'Automation';
  status: string;
  detailedStatus: string;
  /** Epoch milliseconds. */
  createdAt: number;
  endedAt?: number | undefined;
  targets: AssociationTargetRecord[];
  /** Alarms that ended it. */
  triggeredAlarms?: AlarmStateInformation[] | undefined;
}

export const associationCollection = defineCollection<AssociationRecord>('associations', 'region', {
  content: ['settings', 'told'],
});
export const associationExecutionCollection = defineCollection<AssociationExecutionRecord>(
  'associationExecutions',
  'region',
);

export const associationCollections = [associationCollection, associationExecutionCollection] as const;
