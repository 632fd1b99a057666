import { defineCollection, outboxCollection } from '@emu/core/service';
import type { ExecutionStatus, LoggingConfiguration } from '@emu/service-types/stepfunctions';
import type { EncryptionRecord } from './encryption.ts';
import type { EventRecord } from './runtime/events.ts';

type Tags = Record<string, string>;
export type MachineType = 'STANDARD' | 'EXPRESS';

/** What runs: the definition that a state machine has now, or that one of its versions has. */
export interface Revision {
  /** JSON text, as it was given. */
  definition: string;
  roleArn: string;
  /** Absent until the first update. */
  revisionId?: string;
  tracing: boolean;
  /** The customer's key; AWS's own is used where it is absent. */
  encryption?: EncryptionRecord;
}

/** A state machine. */
export interface MachineRecord extends Revision {
  name: string;
  type: MachineType;
  /** Epoch milliseconds. */
  createdAt: number;
  includesData: boolean;
  /** What goes to CloudWatch Logs; nothing where it is absent. */
  logging?: LoggingConfiguration;
  /** Number of the version that was published last; 0 for none. */
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
  /** Versions with how many of a hundred executions they get. */
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
  /** Puts executions in the order in which they were started. */
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
  /** Tells an express execution from others of its name. */
  expressId?: string;
  /** The run of a distributed Map that it belongs to, and which batch of its items it works on. */
  batch?: { mapRun: string; index: number; items: number };
  /** Test case of the mocked integrations that it is run by. */
  testCase?: string;
  /** How often it was redriven, and when last: epoch milliseconds. */
  redrives?: number;
  redrivenAt?: number;
  /** Client token of the last redrive. */
  redriveToken?: string;
}

/** A run of a distributed Map, kept by its ARN. Times are epoch milliseconds. */
export interface MapRunRecord {
  arn: string;
  label: string;
  /** ARN of the execution that made it, and of its state machine. */
  execution: string;
  machine: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  maxConcurrency: number;
  toleratedCount: number;
  toleratedPercentage: number;
  /** How many there are. */
  items: number;
  executions: number;
  /** How many results were written, of executions and of items. */
  written: [executions: number, items: number];
  startedAt: number;
  stoppedAt?: number;
  /** How often it was redriven, and when last. */
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
/** Where executions stand: JSON text of a frame, by the execution's key. */
export const frameCollection = defineCollection<string>('frames', 'region', { content: 'all' });
/** Events, by the execution's key and their number. */
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
