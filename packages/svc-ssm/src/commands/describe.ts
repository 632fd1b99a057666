import type { DeepReadonly } from '@emu/core/service';
import type { CommandInvocation, Command as CommandShape, GetCommandInvocationResult } from '@emu/service-types/ssm';
import type { Command } from './commands.ts';
import { outputUrls } from './outputs.ts';
import type { CommandRecord, InvocationRecord, PluginRecord } from './records.ts';

/** Maximum number of output characters in lists. */
const LISTED = 2500;
const STDERR_LIMIT = 8000;

const copy = <T>(value: DeepReadonly<T>): T => structuredClone(value) as T;

/** Returns the members common to a command and its invocations. */
const shared = (command: Command) => ({
  CommandId: command.id,
  DocumentName: command.documentName,
  DocumentVersion: command.documentVersion,
  Comment: command.comment,
  RequestedDateTime: new Date(command.requestedAt),
  ServiceRole: command.serviceRole ?? '',
  NotificationConfig: copy<NonNullable<CommandRecord['notification']>>(
    command.notification ?? { NotificationArn: '', NotificationEvents: [], NotificationType: undefined },
  ),
  CloudWatchOutputConfig: {
    CloudWatchLogGroupName: command.cloudWatch?.CloudWatchLogGroupName ?? '',
    CloudWatchOutputEnabled: command.cloudWatch?.CloudWatchOutputEnabled ?? false,
  },
});

/** Returns a command as in ListCommands. */
export function describeCommand(command: Command): CommandShape {
  const count = (test: (invocation: DeepReadonly<InvocationRecord>) => boolean): number =>
    command.invocations.filter(test).length;
  return {
    ...shared(command),
    ExpiresAfter: new Date(command.expiresAt),
    Parameters: copy<CommandRecord['parameters']>(command.parameters),
    InstanceIds: [...command.instanceIds],
    Targets: copy<CommandRecord['targets']>(command.targets),
    Status: command.status,
    StatusDetails: command.statusDetails,
    ...(command.bucketRegion !== undefined && { OutputS3Region: command.bucketRegion }),
    OutputS3BucketName: command.bucket ?? '',
    OutputS3KeyPrefix: command.bucketPrefix ?? '',
    MaxConcurrency: command.maxConcurrency,
    MaxErrors: command.maxErrors,
    TargetCount: command.invocations.length,
    CompletedCount: count(({ status }) => /^(?:Success|Failed|TimedOut|Cancelled)$/.test(status)),
    ErrorCount: count(({ status, statusDetails }) => status === 'Failed' || statusDetails === 'ExecutionTimedOut'),
    DeliveryTimedOutCount: count(({ statusDetails }) => statusDetails === 'DeliveryTimedOut'),
    TimeoutSeconds: command.timeoutSeconds,
    ...(command.triggeredAlarms && {
      TriggeredAlarms: copy<NonNullable<CommandRecord['triggeredAlarms']>>(command.triggeredAlarms),
    }),
    ...(command.alarms && { AlarmConfiguration: copy<NonNullable<CommandRecord['alarms']>>(command.alarms) }),
  };
}

/** Returns the output of an invocation as shown in lists. */
const outputOf = ({ stdout, stderr }: DeepReadonly<PluginRecord>): string =>
  `${stdout}${stderr === '' ? '' : `\n----------ERROR-------\n${stderr}`}`.slice(0, LISTED);

/**
 * Returns an invocation as in ListCommandInvocations.
 * @param details whether to include the plugins
 */
export function describeInvocation(
  command: Command,
  invocation: DeepReadonly<InvocationRecord>,
  details: boolean,
  region: string,
): CommandInvocation {
  const { instanceId, plugins } = invocation;
  return {
    ...shared(command),
    InstanceId: instanceId,
    InstanceName: invocation.instanceName,
    Status: invocation.status,
    StatusDetails: invocation.statusDetails,
    ...outputUrls(command, instanceId, plugins.length === 1 ? plugins[0] : undefined, region),
    CommandPlugins: details
      ? plugins.map((plugin) => ({
          Name: plugin.name,
          Status: plugin.status,
          StatusDetails: plugin.statusDetails,
          ResponseCode: plugin.responseCode,
          ...(plugin.startedAt !== undefined && { ResponseStartDateTime: new Date(plugin.startedAt) }),
          ...(plugin.endedAt !== undefined && { ResponseFinishDateTime: new Date(plugin.endedAt) }),
          Output: outputOf(plugin),
          ...outputUrls(command, instanceId, plugin, region),
          OutputS3Region: command.bucketRegion ?? region,
          OutputS3BucketName: command.bucket ?? '',
          OutputS3KeyPrefix: command.bucketPrefix ?? '',
        }))
      : [],
  };
}

const isoTime = (time: number | undefined): string => (time === undefined ? '' : new Date(time).toISOString());

/**
 * Formats an ISO 8601 duration, for example `PT0.011S`.
 * @param milliseconds the duration
 */
const durationText = (milliseconds: number): string => `PT${milliseconds / 1000}S`;

/** Returns a plugin of an invocation as in GetCommandInvocation. */
export function describeResult(
  command: Command,
  invocation: DeepReadonly<InvocationRecord>,
  plugin: DeepReadonly<PluginRecord> | undefined,
  pluginName: string,
  region: string,
): GetCommandInvocationResult {
  const { CommandId, DocumentName, DocumentVersion, Comment, CloudWatchOutputConfig } = shared(command);
  const { startedAt, endedAt } = plugin ?? {};
  return {
    CommandId,
    InstanceId: invocation.instanceId,
    Comment,
    DocumentName,
    DocumentVersion,
    PluginName: pluginName,
    ResponseCode: plugin?.responseCode ?? -1,
    ExecutionStartDateTime: isoTime(startedAt),
    ExecutionElapsedTime: startedAt !== undefined && endedAt !== undefined ? durationText(endedAt - startedAt) : '',
    ExecutionEndDateTime: isoTime(endedAt),
    Status: plugin && pluginName !== '' ? plugin.status : invocation.status,
    StatusDetails: plugin && pluginName !== '' ? plugin.statusDetails : invocation.statusDetails,
    StandardOutputContent: plugin?.stdout ?? '',
    StandardErrorContent: (plugin?.stderr ?? '').slice(0, STDERR_LIMIT),
    ...outputUrls(command, invocation.instanceId, plugin, region),
    CloudWatchOutputConfig,
  };
}
