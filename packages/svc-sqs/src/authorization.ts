import { type AuthorizationRequest, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { SqsOperations } from '@emu/service-types/sqs';
import type { SqsContext } from './context.ts';
import { queueAddress } from './lookup.ts';
import { parseTaskHandle } from './messages/move-tasks.ts';
import { OWNER_ONLY } from './policy.ts';
import { queueType } from './resources.ts';
import type { SqsState } from './state.ts';

/** Actions that a queue policy cannot grant to other accounts, in lower case. */
const NOT_GRANTABLE: ReadonlySet<string> = new Set([...OWNER_ONLY].map((action) => action.toLowerCase()));
/** Actions by which a root user repairs a policy that denies everybody access. */
const ROOT_KEEPS: ReadonlySet<string> = new Set([
  'getqueueattributes',
  'setqueueattributes',
  'getqueueurl',
  'listqueues',
]);

/** Returns the permission for an action on a queue, existing or not. SQS writes its actions in lower case. */
function onQueue(operation: string, accountId: string, name: string, ctx: SqsContext): AuthorizationRequest {
  const action = operation.toLowerCase();
  const address = { key: { name }, place: { accountId, region: ctx.region } };
  const { resourcePolicy, ...request } = permissionOn(`sqs:${action}`, queueType, address, ctx.handle);
  const foreign = ctx.principal.accountId !== accountId;
  return {
    ...request,
    ...(resourcePolicy && !(foreign && NOT_GRANTABLE.has(action)) && { resourcePolicy }),
    ...(ROOT_KEEPS.has(action) && { rootKeeps: true }),
  };
}

/** Returns the permission for an action on a queue by URL. */
function atUrl(operation: string, url: string | undefined, ctx: SqsContext): AuthorizationRequest {
  const { accountId = ctx.accountId, name } = queueAddress(url, ctx);
  return onQueue(operation, accountId, name, ctx);
}

/** Returns the permission for an action on a queue by ARN. */
function atArn(operation: string, arn: string, ctx: SqsContext): AuthorizationRequest {
  const address = queueType.parse(arn);
  return address
    ? onQueue(operation, address.place.accountId, address.key.name, ctx)
    : { action: `sqs:${operation.toLowerCase()}`, resource: arn };
}

/** Defines the permission of an operation on one queue, with the operation's own action. */
const of =
  (action: string) =>
  ({ QueueUrl }: { QueueUrl: string }, ctx: SqsContext): AuthorizationRequest =>
    atUrl(action, QueueUrl, ctx);

/**
 * Permissions of SQS's operations. Batch operations require the actions of their single forms.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-api-permissions-reference.html
 */
export const authorization: ServiceAuthorization<SqsOperations, SqsState> = {
  tagOnCreate: { CreateQueue: 'tagqueue' },
  operations: {
    AddPermission: of('AddPermission'),
    ChangeMessageVisibility: of('ChangeMessageVisibility'),
    ChangeMessageVisibilityBatch: of('ChangeMessageVisibility'),
    DeleteMessage: of('DeleteMessage'),
    DeleteMessageBatch: of('DeleteMessage'),
    DeleteQueue: of('DeleteQueue'),
    GetQueueAttributes: of('GetQueueAttributes'),
    ListDeadLetterSourceQueues: of('ListDeadLetterSourceQueues'),
    ListQueueTags: of('ListQueueTags'),
    PurgeQueue: of('PurgeQueue'),
    ReceiveMessage: of('ReceiveMessage'),
    RemovePermission: of('RemovePermission'),
    SendMessage: of('SendMessage'),
    SendMessageBatch: of('SendMessage'),
    SetQueueAttributes: of('SetQueueAttributes'),
    TagQueue: (input, ctx) => atUrl('TagQueue', input.QueueUrl, ctx),
    UntagQueue: (input, ctx) => atUrl('UntagQueue', input.QueueUrl, ctx),
    CreateQueue: (input, ctx) => onQueue('CreateQueue', ctx.accountId, input.QueueName, ctx),
    GetQueueUrl: ({ QueueName, QueueOwnerAWSAccountId }, ctx) =>
      onQueue('GetQueueUrl', QueueOwnerAWSAccountId ?? ctx.accountId, QueueName, ctx),
    ListQueues: (_input, ctx) => onQueue('ListQueues', ctx.accountId, '', ctx),
    StartMessageMoveTask: ({ SourceArn, DestinationArn }, ctx) => [
      ...['StartMessageMoveTask', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) =>
        atArn(action, SourceArn, ctx),
      ),
      ...(DestinationArn === undefined ? [] : [atArn('SendMessage', DestinationArn, ctx)]),
    ],
    CancelMessageMoveTask: ({ TaskHandle }, ctx) =>
      atArn('CancelMessageMoveTask', parseTaskHandle(TaskHandle).sourceArn, ctx),
    ListMessageMoveTasks: ({ SourceArn }, ctx) => atArn('ListMessageMoveTasks', SourceArn, ctx),
  },
};
