import type {
  InputOf,
  OperationEntry,
  OutputOf,
  Stack as StackDescription,
  StackResource,
  StackResourceDriftInformation,
  StackSummary,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { HIDDEN_ATTRIBUTE, HIDDEN_PARAMETER } from '../engine/hidden.ts';
import { invalid } from '../errors.ts';
import { capabilitiesOf, resourceNamed, rollbackOf, stackNamed, stackOf, tagsOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { NumberedEvent, Resource, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import { moduleInfo } from '../transforms/modules.ts';

const date = (time: number): Date => new Date(time);

/** Parameters of a stack or change set as in responses. */
export const parametersOf = ({ parameters }: { parameters: Stack['parameters'] }) =>
  parameters.map(({ key, value, resolved, noEcho }) => ({
    ParameterKey: key,
    ParameterValue: noEcho ? HIDDEN_PARAMETER : value,
    ...(resolved !== undefined && { ResolvedValue: resolved }),
  }));

const operationsOf = ({ lastOperations }: Stack): OperationEntry[] =>
  lastOperations.map(({ type, id }) => ({
    OperationType: type as NonNullable<OperationEntry['OperationType']>,
    OperationId: id,
  }));

function describeStack(stack: Stack, store: StackStore): StackDescription {
  const {
    reason,
    description,
    changeSetId,
    updatedAt,
    deletedAt,
    outputs,
    roleArn,
    timeoutMinutes,
    parentId,
    rootId,
    drift,
  } = stack;
  const deleted = stack.status === 'DELETE_COMPLETE';
  return {
    StackId: store.arn(stack),
    StackName: stack.name,
    ...(changeSetId !== undefined && !deleted && { ChangeSetId: changeSetId }),
    ...(description !== undefined && { Description: description }),
    ...(stack.parameters.length && { Parameters: parametersOf(stack) }),
    CreationTime: date(stack.createdAt),
    ...(deletedAt !== undefined && { DeletionTime: date(deletedAt) }),
    ...(updatedAt !== undefined && { LastUpdatedTime: date(updatedAt) }),
    RollbackConfiguration: rollbackOf(stack),
    StackStatus: stack.status,
    ...(reason !== undefined && { StackStatusReason: reason }),
    DisableRollback: stack.disableRollback,
    NotificationARNs: [...stack.notificationArns],
    ...(timeoutMinutes !== undefined && { TimeoutInMinutes: timeoutMinutes }),
    ...(stack.capabilities.length && { Capabilities: capabilitiesOf(stack) }),
    ...(outputs.length && {
      Outputs: outputs.map(({ key, value, description: text, exportName, noEcho }) => ({
        OutputKey: key,
        OutputValue: noEcho ? HIDDEN_ATTRIBUTE : value,
        ...(text !== undefined && { Description: text }),
        ...(exportName !== undefined && { ExportName: exportName }),
      })),
    }),
    ...(roleArn !== undefined && { RoleARN: roleArn }),
    Tags: tagsOf(stack),
    ...(!deleted && { EnableTerminationProtection: stack.terminationProtection }),
    ...(parentId !== undefined && { ParentId: parentId }),
    ...(rootId !== undefined && { RootId: rootId }),
    DriftInformation: {
      StackDriftStatus: drift?.status ?? 'NOT_CHECKED',
      ...(drift && { LastCheckTimestamp: date(drift.checkedAt) }),
    },
    ...(stack.retainExceptOnCreate && { RetainExceptOnCreate: true }),
    ...(stack.deletionMode && { DeletionMode: stack.deletionMode }),
    ...(stack.lastOperations.length && { LastOperations: operationsOf(stack) }),
  };
}

/**
 * Describes one stack, or all that are not deleted.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export async function DescribeStacks(
  input: InputOf<'DescribeStacks'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'DescribeStacks'>> {
  const { state } = ctx;
  const { StackName: name } = input;
  // SDK waiters poll at once and then wait for 30 seconds.
  if (ctx.http && name !== undefined) await state.deployments.endedOrTimedOut(stackNamed(name, ctx).uuid);
  const stacks = name === undefined ? state.activeStacks() : [stackNamed(name, ctx)];
  return paging
    .page('DescribeStacks', input, stacks, orderKey, { descending: true })
    .list((stack) => describeStack(stack, state));
}

/** Returns the sort key of a stack, newest first. */
const orderKey = ({ createdAt, uuid }: Stack): string => `${String(createdAt).padStart(15, '0')} ${uuid}`;

/**
 * Lists stacks, including deleted ones.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStacks.html
 */
export function ListStacks(input: InputOf<'ListStacks'>, ctx: CloudformationContext): OutputOf<'ListStacks'> {
  const { state } = ctx;
  const wanted = input.StackStatusFilter;
  const stacks = state.allStacks().filter(({ status }) => !wanted?.length || wanted.includes(status));
  return paging.page('ListStacks', input, stacks, orderKey, { descending: true }).list((stack): StackSummary => {
    const { description, reason, updatedAt, deletedAt, parentId, rootId, drift } = stack;
    return {
      StackId: state.arn(stack),
      StackName: stack.name,
      ...(description !== undefined && { TemplateDescription: description }),
      CreationTime: date(stack.createdAt),
      ...(updatedAt !== undefined && { LastUpdatedTime: date(updatedAt) }),
      ...(deletedAt !== undefined && { DeletionTime: date(deletedAt) }),
      StackStatus: stack.status,
      ...(reason !== undefined && { StackStatusReason: reason }),
      ...(parentId !== undefined && { ParentId: parentId }),
      ...(rootId !== undefined && { RootId: rootId }),
      DriftInformation: {
        StackDriftStatus: drift?.status ?? 'NOT_CHECKED',
        ...(drift && { LastCheckTimestamp: date(drift.checkedAt) }),
      },
      ...(stack.lastOperations.length && { LastOperations: operationsOf(stack) }),
    };
  });
}

/**
 * Describes the events of a stack, newest first.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackEvents.html
 */
export function DescribeStackEvents(
  input: InputOf<'DescribeStackEvents'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeStackEvents'> {
  const stack = stackOf(input.StackName, ctx);
  const StackId = ctx.state.arn(stack);
  const stackEvents = ctx.state.events(stack.uuid).filter(({ event }) => event.changeSet === undefined);
  const key = ({ number }: { number: number }) => String(number).padStart(9, '0');
  return paging.page('DescribeStackEvents', input, stackEvents, key, { descending: true }).list(({ event }) => ({
    StackId,
    EventId: event.id,
    StackName: stack.name,
    ...(event.operationId !== undefined && { OperationId: event.operationId }),
    LogicalResourceId: event.logicalId,
    PhysicalResourceId: event.physicalId,
    ResourceType: event.type,
    Timestamp: date(event.at),
    ResourceStatus: event.status,
    ...(event.reason !== undefined && { ResourceStatusReason: event.reason }),
    ...(event.properties !== undefined && { ResourceProperties: event.properties }),
    ...(event.token !== undefined && { ClientRequestToken: event.token }),
    ...(event.hook && { ...hookOf(event.hook), HookInvocationId: event.hook.id }),
  }));
}

/** Returns the hook of an event as in responses. */
export const hookOf = ({ type, status, reason, mode }: NonNullable<NumberedEvent['event']['hook']>) => ({
  HookType: type,
  HookStatus: status,
  HookStatusReason: reason,
  HookInvocationPoint: 'PRE_PROVISION' as const,
  HookFailureMode: mode,
});

const driftOf = ({ drift }: Resource): StackResourceDriftInformation => ({
  StackResourceDriftStatus: drift?.status ?? 'NOT_CHECKED',
  ...(drift && { LastCheckTimestamp: date(drift.checkedAt) }),
});

function describeResource(resource: Resource, stack: Stack, store: StackStore): StackResource {
  const { reason, description, current, making } = resource;
  const physicalId = current?.physicalId ?? making?.identifier;
  return {
    StackName: stack.name,
    StackId: store.arn(stack),
    LogicalResourceId: resource.logicalId,
    ...(physicalId !== undefined && { PhysicalResourceId: physicalId }),
    ResourceType: resource.type,
    Timestamp: date(resource.updatedAt),
    ResourceStatus: resource.status,
    ...(reason !== undefined && { ResourceStatusReason: reason }),
    ...(description !== undefined && { Description: description }),
    ...moduleInfo(resource.metadata),
    DriftInformation: driftOf(resource),
  };
}

/**
 * Describes a resource of a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackResource.html
 */
export function DescribeStackResource(
  input: InputOf<'DescribeStackResource'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeStackResource'> {
  const stack = stackNamedOrQuoted(input.StackName, ctx);
  const resource = resourceNamed(stack, input.LogicalResourceId, ctx);
  const { Timestamp, ...rest } = describeResource(resource, stack, ctx.state);
  return {
    StackResourceDetail: {
      ...rest,
      LastUpdatedTimestamp: Timestamp,
      Metadata: resource.metadata ?? '{}',
    },
  };
}

/**
 * Returns the stack of a request. Only this operation quotes the name in its error.
 * @throws AwsError `ValidationError`
 */
function stackNamedOrQuoted(name: string, { state }: CloudformationContext): Stack {
  const stack = state.find(name);
  if (!stack) throw invalid(`Stack '${name}' does not exist`);
  return stack;
}

/**
 * Describes the resources of a stack, or of the stack that contains a physical resource.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackResources.html
 */
export function DescribeStackResources(
  input: InputOf<'DescribeStackResources'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeStackResources'> {
  const { state } = ctx;
  const { StackName, PhysicalResourceId, LogicalResourceId } = input;
  if (StackName === undefined && PhysicalResourceId === undefined)
    throw invalid('Either StackName or PhysicalResourceId must be specified');
  if (StackName !== undefined && PhysicalResourceId !== undefined)
    throw invalid('StackName and PhysicalResourceId cannot both be specified');
  const stack =
    StackName === undefined
      ? state
          .activeStacks()
          .find(({ uuid }) => state.resourcesIn(uuid).some(({ current }) => current?.physicalId === PhysicalResourceId))
      : stackNamed(StackName, ctx);
  if (!stack) throw invalid(`Stack for ${PhysicalResourceId} does not exist`);
  const resources = state.resourcesIn(stack.uuid);
  const wanted = LogicalResourceId === undefined ? resources : [resourceNamed(stack, LogicalResourceId, ctx)];
  const sorted = [...wanted].sort((a, b) => (a.logicalId < b.logicalId ? -1 : 1));
  return { StackResources: sorted.map((resource) => describeResource(resource, stack, state)) };
}

/**
 * Lists the resources of a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 */
export function ListStackResources(
  input: InputOf<'ListStackResources'>,
  ctx: CloudformationContext,
): OutputOf<'ListStackResources'> {
  const stack = stackNamed(input.StackName, ctx);
  return paging
    .page('ListStackResources', input, ctx.state.resourcesIn(stack.uuid), ({ logicalId }) => logicalId)
    .list((resource) => {
      const {
        Timestamp,
        StackName: _name,
        StackId: _id,
        Description: _text,
        ...rest
      } = describeResource(resource, stack, ctx.state);
      return { ...rest, LastUpdatedTimestamp: Timestamp };
    });
}

/**
 * Lists the exports of all stacks.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListExports.html
 */
export function ListExports(input: InputOf<'ListExports'>, ctx: CloudformationContext): OutputOf<'ListExports'> {
  const { state } = ctx;
  return paging
    .page('ListExports', input, state.exportNames(), (name) => name)
    .list((Name) => {
      const { stack, value } = state.exportOf(Name)!;
      return { ExportingStackId: state.arn(stack), Name, Value: value };
    });
}

/**
 * Lists the stacks that import an export.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListImports.html
 */
export function ListImports(input: InputOf<'ListImports'>, ctx: CloudformationContext): OutputOf<'ListImports'> {
  const { state } = ctx;
  const { ExportName } = input;
  if (!state.exportOf(ExportName)) throw invalid(`Export '${ExportName}' does not exist.`);
  const names = state.importersOf(ExportName);
  if (names.length === 0) throw invalid(`Export '${ExportName}' is not imported by any stack.`);
  return paging.page('ListImports', input, names, (name) => name).list((name) => name);
}
