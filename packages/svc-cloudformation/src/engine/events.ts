import { type Outbox, parseArn } from '@emu/core/service';
import type { OperationType, ResourceStatus } from '@emu/service-types/cloudformation';
import type { EventRecord } from '../stacks/records.ts';
import type { ChangeSet, Operation, Resource, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';

/** Resource type of stacks. */
const STACK_TYPE = 'AWS::CloudFormation::Stack';
/** Names of operations by kind. */
export const OPERATION_TYPES: Readonly<Record<Operation['kind'], OperationType>> = {
  create: 'CREATE_STACK',
  update: 'UPDATE_STACK',
  delete: 'DELETE_STACK',
  import: 'UPDATE_STACK',
  rollback: 'ROLLBACK',
  'continue-rollback': 'CONTINUE_ROLLBACK',
};
/** Maximum length of a reason in characters. */
const MAX_REASON = 4096;

/** Returns the operation of an event: the requested one, or the rollback that followed. */
function operationOf({ id, kind, startedAt, rollback }: Operation) {
  const type = rollback ? OPERATION_TYPES.rollback : OPERATION_TYPES[kind];
  return { operationId: rollback?.id ?? id, operation: { type, startedAt: rollback?.startedAt ?? startedAt } };
}

/** Records stack events and publishes them to the stacks' notification topics. */
export class EventLog {
  constructor(
    private readonly store: StackStore,
    private readonly outbox: Outbox,
  ) {}

  /** Records an event of the stack itself. */
  stack(stack: Stack, operation: Operation | undefined, status: string, reason?: string): void {
    const arn = this.store.arn(stack);
    this.add(stack, operation, {
      id: this.store.ids.uuid(),
      logicalId: stack.name,
      physicalId: arn,
      type: STACK_TYPE,
      status: status as ResourceStatus,
      reason,
    });
  }

  /** Records an event of change set creation, which only DescribeEvents returns. */
  changeSet(stack: Stack, { uuid, createdAt, operationId, reason }: ChangeSet): void {
    this.store.addEvent({
      id: this.store.ids.uuid(),
      stack: stack.uuid,
      at: this.store.nextEventTime(stack.uuid),
      logicalId: stack.name,
      physicalId: this.store.arn(stack),
      type: STACK_TYPE,
      status: reason === undefined ? 'CREATE_COMPLETE' : 'CREATE_FAILED',
      ...(reason !== undefined && { reason: reason.slice(0, MAX_REASON) }),
      ...(operationId !== undefined && { operationId }),
      operation: { type: 'CREATE_CHANGESET', startedAt: createdAt },
      changeSet: uuid,
    });
  }

  /**
   * Records an event of a resource.
   * @param physicalId identifier of the resource
   */
  resource(
    stack: Stack,
    operation: Operation | undefined,
    { logicalId, type }: Pick<Resource, 'logicalId' | 'type'>,
    physicalId: string,
    status: ResourceStatus,
    more: { reason?: string | undefined; properties?: unknown; hook?: EventRecord['hook'] } = {},
  ): void {
    const at = new Date(this.store.nextEventTime(stack.uuid)).toISOString();
    const cleaning = operation?.phase === 'cleanup' || operation?.phase === 'revert-cleanup';
    this.add(stack, operation, {
      // Here a resource can have the same status several times in one millisecond, which does not happen in AWS.
      id: cleaning ? `${logicalId}-${this.store.ids.uuid()}` : `${logicalId}-${status}-${at}-${this.store.ids.hex(4)}`,
      logicalId,
      physicalId,
      type,
      status,
      reason: more.reason,
      ...(more.properties !== undefined && { properties: JSON.stringify(more.properties) }),
      ...(more.hook && { hook: more.hook }),
    });
  }

  private add(
    stack: Stack,
    operation: Operation | undefined,
    event: {
      id: string;
      logicalId: string;
      physicalId: string;
      type: string;
      status: ResourceStatus;
      reason: string | undefined;
      properties?: string;
      hook?: EventRecord['hook'];
    },
  ): void {
    const { reason, ...rest } = event;
    const at = this.store.nextEventTime(stack.uuid);
    this.store.addEvent({
      ...rest,
      stack: stack.uuid,
      at,
      ...(reason !== undefined && { reason: reason.slice(0, MAX_REASON) }),
      ...(operation && operationOf(operation)),
      ...(operation?.token !== undefined && { token: operation.token }),
    });
    if (stack.notificationArns.length) this.publish(stack, operation, event, at);
  }

  /** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cfn-console-create-stack-options.html */
  private publish(
    stack: Stack,
    operation: Operation | undefined,
    event: {
      id: string;
      logicalId: string;
      physicalId: string;
      type: string;
      status: string;
      reason: string | undefined;
      properties?: string;
    },
    at: number,
  ): void {
    const lines = {
      StackId: this.store.arn(stack),
      Timestamp: new Date(at).toISOString(),
      EventId: event.id,
      LogicalResourceId: event.logicalId,
      Namespace: this.store.accountId,
      PhysicalResourceId: event.physicalId,
      ResourceProperties: event.properties ?? 'null',
      ResourceStatus: event.status,
      ResourceStatusReason: event.reason ?? '',
      ResourceType: event.type,
      StackName: stack.name,
      ClientRequestToken: operation?.token ?? 'null',
    };
    const Message = Object.entries(lines)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join('');
    for (const TopicArn of stack.notificationArns) {
      const region = parseArn(TopicArn)?.region;
      const input = { TopicArn, Message, Subject: 'AWS CloudFormation Notification' };
      const options = { ...(region && { region }), cause: operation?.cause };
      this.outbox.send('sns', 'Publish', input, options, `an event of the stack ${stack.name} for ${TopicArn}`);
    }
  }
}
