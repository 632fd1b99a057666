import type {
  DescribeEventsInput,
  EventType,
  InputOf,
  OperationEvent,
  OutputOf,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { invalid } from '../errors.ts';
import { stackOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { NumberedEvent, Stack } from '../stacks/registry.ts';
import { changeSetOf } from './change-set-descriptions.ts';
import { hookOf } from './describe.ts';

const FAILED = /_FAILED$|^(UPDATE_|IMPORT_)?ROLLBACK_IN_PROGRESS$/;

/** An event of a stack. */
interface Found extends NumberedEvent {
  readonly stack: Stack;
}

/** Whether an event belongs to the stack itself; events of nested stacks as resources have a different id. */
const isOwn = ({ stack, event }: Found, { state }: CloudformationContext): boolean =>
  event.physicalId === state.arn(stack);

/** Whether an event reports a failure. */
const failed = ({ event }: Found): boolean => FAILED.test(event.hook?.status ?? event.status);

/** Returns the type of an event. */
function kindOf(found: Found, own: boolean): EventType {
  if (own) return 'STACK_EVENT';
  if (!failed(found)) return 'PROGRESS_EVENT';
  return found.event.hook ? 'HOOK_INVOCATION_ERROR' : 'PROVISIONING_ERROR';
}

function described(found: Found, ctx: CloudformationContext): OperationEvent {
  const { stack, event } = found;
  const own = isOwn(found, ctx);
  const { operation, reason } = event;
  const ended = own && !/_IN_PROGRESS$/.test(event.status);
  return {
    EventId: event.id,
    StackId: ctx.state.arn(stack),
    ...(event.operationId !== undefined && { OperationId: event.operationId }),
    ...(operation && { OperationType: operation.type }),
    ...(own && {
      OperationStatus: failed(found) ? ('FAILED' as const) : ended ? ('SUCCEEDED' as const) : ('IN_PROGRESS' as const),
    }),
    EventType: kindOf(found, own),
    LogicalResourceId: event.logicalId,
    PhysicalResourceId: event.physicalId,
    ResourceType: event.type,
    Timestamp: new Date(event.at),
    ...(own && operation && { StartTime: new Date(operation.startedAt) }),
    ...(ended && { EndTime: new Date(event.at) }),
    // The status of a change set is not a stack status.
    ...(event.changeSet === undefined && { ResourceStatus: event.status }),
    ...(reason !== undefined && { ResourceStatusReason: reason }),
    ...(event.properties !== undefined && { ResourceProperties: event.properties }),
    ...(event.token !== undefined && { ClientRequestToken: event.token }),
    ...(event.hook && hookOf(event.hook)),
  };
}

/** Returns the events that a request selects, of one stack or of the stack of an operation. */
function asked(input: DescribeEventsInput, ctx: CloudformationContext): Found[] {
  const { state } = ctx;
  const { StackName, ChangeSetName, OperationId } = input;
  const of = (stack: Stack): Found[] => state.events(stack.uuid).map((event) => ({ ...event, stack }));
  if (ChangeSetName !== undefined) {
    const { changeSet, stack } = changeSetOf({ ChangeSetName, StackName }, ctx);
    return of(stack).filter(({ event }) => event.changeSet === changeSet.uuid);
  }
  if (StackName !== undefined) return of(stackOf(StackName, ctx));
  if (OperationId === undefined) throw invalid('One of ChangeSetName, OperationId or StackName must be specified.');
  for (const stack of state.allStacks()) {
    const events = of(stack).filter(({ event }) => event.operationId === OperationId);
    if (events.length) return events;
  }
  throw invalid(`Operation [${OperationId}] does not exist`);
}

/**
 * Describes the events of a stack, a change set or one operation, newest first.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeEvents.html
 */
export function DescribeEvents(
  input: InputOf<'DescribeEvents'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeEvents'> {
  const { OperationId, Filters } = input;
  const events = asked(input, ctx).filter(
    (found) =>
      (OperationId === undefined || found.event.operationId === OperationId) &&
      (!Filters?.FailedEvents || failed(found)),
  );
  const key = ({ number }: Found) => String(number).padStart(9, '0');
  return paging.page('DescribeEvents', input, events, key, { descending: true }).list((found) => described(found, ctx));
}
