import { defineCollection, type Principal } from '@emu/core/service';
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

/** Result of a plugin on a node. Times are epoch milliseconds. */
export interface PluginRecord {
  /** Name in responses: a step, or a plugin of schema version 1.2. */
  name: string;
  /** For example `aws:runShellScript`. */
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
  /** JSON text of the document at the time of sending. */
  content: string;
  comment: string;
  parameters: Record<string, string[]>;
  /** Node ids in the request. */
  instanceIds: string[];
  targets: Target[];
  requestedAt: number;
  /** Time at which delivery times out. */
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
