import { type DeepReadonly, defineCollection, outboxCollection } from '@emu/core/service';
import type { ExecutionStatus, LoggingConfiguration } from '@emu/service-types/stepfunctions';
import type { EncryptionRecord } from './encryption.ts';
import type { EventRecord } from './runtime/events.ts';

type Tags = Record<string, string>;
export type MachineType = 'STANDARD' | 'EXPRESS';

/** What an execution runs: the current definition of a state machine or that of a version. */
export interface Revision {
  /** JSON text as given in the request. */
  definition: string;
  roleArn: string;
  /** Absent until the first update. */
  revisionId?: string;
  tracing: boolean;
  /** Customer key; AWS's own key is used if absent. */
  encryption?: EncryptionRecord;
  /** Logging to CloudWatch Logs; disabled if absent. */
  logging?: DeepReadonly<LoggingConfiguration>;
}

/** Returns the revision of a state machine, version or execution. */
export const revisionOf = ({
  definition,
  roleArn,
  revisionId,
  tracing,
  encryption,
  logging,
}: DeepReadonly<Revision>): Revision => ({
  definition,
  roleArn,
  tracing,
  ...(revisionId !== undefined && { revisionId }),
  ...(encryption && { encryption }),
  ...(logging && { logging }),
});

/** A state machine. */
export interface MachineRecord extends Revision {
  name: string;
  type: MachineType;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Number of the last published version; 0 for none. */
  lastVersion: number;
  tags: Tags;
}

/** A published version. */
export interface VersionRecord extends Revision {
  machine: string;
  number: number;
  description?: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** An alias. */
export interface AliasRecord {
  machine: string;
  name: string;
  description?: string;
  /** Versions with their percentage of executions. */
  routes: { version: string; weight: number }[];
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

/** An execution. */
export interface ExecutionRecord extends Revision {
  machine: string;
  name: string;
  type: MachineType;
  status: ExecutionStatus;
  /** Order of the start of executions. */
  order: number;
  /** JSON text. */
  input: string;
  output?: string;
  error?: string;
  cause?: string;
  /** Epoch milliseconds. */
  startedAt: number;
  stoppedAt?: number;
  versionArn?: string;
  aliasArn?: string;
  traceHeader?: string;
  /** Distinguishes an express execution from others with the same name. */
  expressId?: string;
  /** Map Run of a child execution, with the index and size of its batch. */
  batch?: { mapRun: string; index: number; items: number };
  /** Test case of mocked integrations. */
  testCase?: string;
  /** Number of redrives, and time of the last in epoch milliseconds. */
  redrives?: number;
  redrivenAt?: number;
  /** Client token of the last redrive. */
  redriveToken?: string;
}

/** A Map Run by ARN. Times are epoch milliseconds. */
export interface MapRunRecord {
  arn: string;
  label: string;
  /** ARN of the parent execution and its state machine. */
  execution: string;
  machine: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  maxConcurrency: number;
  toleratedCount: number;
  toleratedPercentage: number;
  /** Number of items. */
  items: number;
  executions: number;
  /** Number of executions and items whose results were written. */
  written: [executions: number, items: number];
  startedAt: number;
  stoppedAt?: number;
  /** Number of redrives, and time of the last. */
  redrives?: number;
  redrivenAt?: number;
}

/** An activity. */
export interface ActivityRecord {
  name: string;
  /** Epoch milliseconds. */
  createdAt: number;
  tags: Tags;
  encryption?: EncryptionRecord;
}

export const machineCollection = defineCollection<MachineRecord>('stateMachines', 'region', {
  content: ['definition'],
});
export const versionCollection = defineCollection<VersionRecord>('versions', 'region', { content: ['definition'] });
export const aliasCollection = defineCollection<AliasRecord>('aliases', 'region');
export const executionCollection = defineCollection<ExecutionRecord>('executions', 'region', {
  content: ['definition', 'input', 'output', 'error', 'cause'],
});
/** Positions of executions: JSON text of a frame, by execution key. */
export const frameCollection = defineCollection<string>('frames', 'region', { content: 'all' });
/** Events by execution key and number. */
export const eventCollection = defineCollection<EventRecord>('events', 'region', { content: ['details'] });
export const mapRunCollection = defineCollection<MapRunRecord>('mapRuns', 'region');
export const activityCollection = defineCollection<ActivityRecord>('activities', 'region');

export const collections = [
  machineCollection,
  versionCollection,
  aliasCollection,
  executionCollection,
  frameCollection,
  eventCollection,
  mapRunCollection,
  activityCollection,
  outboxCollection,
] as const;
