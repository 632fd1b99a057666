import { type DeepReadonly, formatArn, type Place, roleSessionPrincipal } from '@emu/core/service';
import { emit, type OutboxScope } from '../parameters/events.ts';
import type { CommandRecord, InvocationRecord } from './records.ts';

type Command = DeepReadonly<CommandRecord>;

/**
 * Publishes a status change to the SNS topic of the command.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/monitoring-sns-notifications.html
 */
function publish(
  scope: OutboxScope,
  command: Command,
  type: 'Command' | 'Invocation',
  status: string,
  more: object,
): void {
  const { notification, serviceRole, cause } = command;
  const { NotificationArn: TopicArn, NotificationEvents = ['All'], NotificationType = 'Command' } = notification ?? {};
  if (TopicArn === undefined || NotificationType !== type) return;
  if (!NotificationEvents.some((event) => event === 'All' || event === status)) return;
  const Message = JSON.stringify({
    commandId: command.id,
    documentName: command.documentName,
    ...more,
    requestedDateTime: new Date(command.requestedAt).toISOString(),
    status,
    detailedStatus: status,
    eventTime: new Date(scope.clock.now()).toISOString(),
  });
  const principal = serviceRole === undefined ? command.principal : roleSessionPrincipal(serviceRole, 'ssm');
  const { accountId, region } = scope;
  const options = { accountId, region, principal: { ...principal }, authorize: {}, cause };
  const Subject = `EC2 Run Command Notification ${region}`;
  const about = `a notification of the command ${command.id}`;
  scope.outbox.send('sns', 'Publish', { TopicArn, Subject, Message }, options, about);
}

/** Sends a command's status change to EventBridge and to the command's topic. */
export function announceCommand(scope: OutboxScope, command: Command): void {
  const detail = {
    'command-id': command.id,
    'document-name': command.documentName,
    'requested-date-time': new Date(command.requestedAt).toISOString(),
    'expire-after': new Date(command.expiresAt).toISOString(),
    status: command.status,
  };
  const instances = command.invocations.map(({ instanceId }) => instanceArn(scope, instanceId));
  emit(scope, 'EC2 Command Status-change Notification', instances, detail, command.cause);
  publish(scope, command, 'Command', command.status, {
    instanceIds: command.invocations.map(({ instanceId }) => instanceId),
  });
}

/** Sends an invocation's status change to EventBridge and to the command's topic. */
export function announceInvocation(
  scope: OutboxScope,
  command: Command,
  { instanceId, status }: DeepReadonly<InvocationRecord>,
): void {
  const detail = {
    'command-id': command.id,
    'document-name': command.documentName,
    'instance-id': instanceId,
    'requested-date-time': new Date(command.requestedAt).toISOString(),
    status,
  };
  emit(
    scope,
    'EC2 Command Invocation Status-change Notification',
    [instanceArn(scope, instanceId)],
    detail,
    command.cause,
  );
  publish(scope, command, 'Invocation', status, { instanceId });
}

/** Returns the ARN of a node: an EC2 instance or a registered machine. */
const instanceArn = ({ region, accountId }: Place, id: string): string =>
  id.startsWith('mi-')
    ? formatArn({ service: 'ssm', region, accountId, resource: `managed-instance/${id}` }, region)
    : formatArn({ service: 'ec2', region, accountId, resource: `instance/${id}` }, region);
