import { defineCollection, type Principal } from '@emu/core';
import type {
  AlarmConfiguration,
  AlarmStateInformation,
  CloudWatchOutputConfig,
  CommandInvocationStatus,
  CommandPluginStatus,
  CommandStatus,
  NotificationConfig,
  Target,
} from '@emu/service-types/ssm';

/** What a part of a document has come to on a node. Times are epoch milliseconds. */
export interface PluginRecord {
  /** As answers name it: a step, or a plugin of schema version 1.2. */
  name: string;
  /** E.g. `aws:runShellScript`. */
  action: string;
  status: CommandPluginStatus;
  statusDetails: string;
  responseCode: number;
  startedAt?: number;
  endedAt?: number;
  stdout: string;
  stderr: string;
}

/** A command on one node. */
export interface InvocationRecord {
  instanceId: string;
  instanceName: string;
  status: CommandInvocationStatus;
  statusDetails: string;
  plugins: PluginRecord[];
}

/** A command. Times are epoch milliseconds. */
export interface CommandRecord {
  id: string;
  documentName: string;
  documentVersion: string;
  /** JSON text of the document as it was when the command was sent. */
  content: string;
  comment: string;
  parameters: Record<string, string[]>;
  /** As the request names them. */
  instanceIds: string[];
  targets: Target[];
  requestedAt: number;
  /** When what has not been delivered is given up. */
  deliverBy: number;
  expiresAt: number;
  timeoutSeconds: number;
  status: CommandStatus;
  statusDetails: string;
  bucket?: string;
  bucketPrefix?: string;
  bucketRegion?: string;
  maxConcurrency: string;
  maxErrors: string;
  serviceRole?: string;
  notification?: NotificationConfig;
  cloudWatch?: CloudWatchOutputConfig;
  alarms?: AlarmConfiguration;
  triggeredAlarms?: AlarmStateInformation[];
  invocations: InvocationRecord[];
  principal: Principal;
  cause?: string;
}

export const commandCollection = defineCollection<CommandRecord>('commands', 'region', {
  content: ['content', 'parameters', 'comment', 'stdout', 'stderr'],
});
