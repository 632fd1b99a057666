import type { Change, InputOf, OutputOf } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { stackDriftOf } from '../drift/live.ts';
import { invalid, noChangeSet } from '../errors.ts';
import { capabilitiesOf, rollbackOf, stackOf, tagsOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { changeSetType } from '../resources.ts';
import type { ChangeSet, Stack } from '../stacks/registry.ts';
import { parametersOf } from './describe.ts';

/** Returns the ARN of a change set. */
export const changeSetIdOf = (changeSet: Pick<ChangeSet, 'name' | 'uuid'>, { state }: CloudformationContext): string =>
  changeSetType.arn({ name: changeSet.name, uuid: changeSet.uuid }, state);

/**
 * Returns the change set that a request names, with its stack.
 * @throws AwsError `ChangeSetNotFound`, or `ValidationError` if the request names no stack
 */
export function changeSetOf(
  { ChangeSetName: name, StackName }: { ChangeSetName: string; StackName?: string | undefined },
  ctx: CloudformationContext,
): { changeSet: ChangeSet; stack: Stack } {
  const { state } = ctx;
  const parsed = changeSetType.parse(name);
  if (parsed) {
    const changeSet = state.changeSet(parsed.key.uuid);
    if (!changeSet) throw noChangeSet(name);
    return { changeSet, stack: state.stack(changeSet.stack)! };
  }
  if (StackName === undefined)
    throw invalid('StackName must be specified if ChangeSetName is not specified as an ARN.');
  const stack = stackOf(StackName, ctx);
  const changeSet = state.changeSetsIn(stack.uuid).find((known) => known.name === name);
  if (!changeSet) throw noChangeSet(name);
  return { changeSet, stack };
}

/**
 * Returns the changes of a change set.
 * @param detailed whether to include property values
 */
export const changesOf = ({ changes, detailedChanges }: ChangeSet, detailed = false): Change[] =>
  JSON.parse(detailed ? detailedChanges : changes, (name, value: unknown) =>
    name === 'DriftDetectionTimestamp' ? new Date(value as string) : value,
  ) as Change[];

/** Returns the change sets that contain a nested one. */
function nestingOf({ parent }: ChangeSet, ctx: CloudformationContext) {
  const idOf = (uuid: string) => {
    const found = ctx.state.changeSet(uuid);
    return found && changeSetIdOf(found, ctx);
  };
  return parent ? { ParentChangeSetId: idOf(parent.uuid), RootChangeSetId: idOf(parent.root) } : {};
}

/**
 * Describes a change set.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeChangeSet.html
 */
export function DescribeChangeSet(
  input: InputOf<'DescribeChangeSet'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeChangeSet'> {
  const { changeSet, stack } = changeSetOf(input, ctx);
  const { target, reason, description, onStackFailure, deploymentMode, live } = changeSet;
  const all = changesOf(changeSet, input.IncludePropertyValues);
  const statusReason = reason ?? (input.IncludePropertyValues ? changeSet.valuesWarning : undefined);
  const numbered = all.map((change, index) => ({ change, key: String(index).padStart(6, '0') }));
  const page = paging.page('DescribeChangeSet', input, numbered, ({ key }) => key);
  return {
    ChangeSetName: changeSet.name,
    ChangeSetId: changeSetIdOf(changeSet, ctx),
    StackId: ctx.state.arn(stack),
    StackName: stack.name,
    ...(description !== undefined && { Description: description }),
    ...(target.parameters.length && { Parameters: parametersOf(target) }),
    CreationTime: new Date(changeSet.createdAt),
    ExecutionStatus: changeSet.execution,
    Status: changeSet.status,
    ...(statusReason !== undefined && { StatusReason: statusReason }),
    ...(live && { StackDriftStatus: stackDriftOf(live) }),
    NotificationARNs: [...target.notificationArns],
    RollbackConfiguration: rollbackOf(target),
    Capabilities: capabilitiesOf(target),
    ...(target.tags.length && { Tags: tagsOf(target) }),
    ...page.list(({ change }) => change),
    IncludeNestedStacks: changeSet.includeNested,
    ...nestingOf(changeSet, ctx),
    ...(changeSet.importExisting && { ImportExistingResources: true }),
    ...(onStackFailure !== undefined && { OnStackFailure: onStackFailure }),
    ...(deploymentMode !== undefined && { DeploymentMode: deploymentMode }),
  };
}

/**
 * Lists the change sets of a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListChangeSets.html
 */
export function ListChangeSets(
  input: InputOf<'ListChangeSets'>,
  ctx: CloudformationContext,
): OutputOf<'ListChangeSets'> {
  const stack = stackOf(input.StackName, ctx);
  return paging
    .page('ListChangeSets', input, ctx.state.changeSetsIn(stack.uuid), ({ name }) => name)
    .list((changeSet) => ({
      StackId: ctx.state.arn(stack),
      StackName: stack.name,
      ChangeSetId: changeSetIdOf(changeSet, ctx),
      ChangeSetName: changeSet.name,
      ExecutionStatus: changeSet.execution,
      Status: changeSet.status,
      ...(changeSet.reason !== undefined && { StatusReason: changeSet.reason }),
      CreationTime: new Date(changeSet.createdAt),
      ...(changeSet.description !== undefined && { Description: changeSet.description }),
      IncludeNestedStacks: changeSet.includeNested,
      ...nestingOf(changeSet, ctx),
      ...(changeSet.importExisting && { ImportExistingResources: true }),
    }));
}
