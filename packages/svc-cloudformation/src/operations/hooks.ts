import type {
  Annotation,
  ChangeSetHook,
  HookTargetAction,
  InputOf,
  OutputOf,
  ResourceChange,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { cloudformationError, invalid } from '../errors.ts';
import { HOOK_VERSION } from '../hooks/runner.ts';
import { paging } from '../paging.ts';
import { appliesTo } from '../registry/hook-configuration.ts';
import type { HookResult } from '../registry/registry.ts';
import { changeSetIdOf, changeSetOf, changesOf } from './change-set-descriptions.ts';

/** Hook actions by change action. */
const ACTIONS: Partial<Record<NonNullable<ResourceChange['Action']>, HookTargetAction>> = {
  Add: 'CREATE',
  Modify: 'UPDATE',
  Remove: 'DELETE',
};

/**
 * Lists the hooks that the execution of a change set will invoke.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeChangeSetHooks.html
 */
export function DescribeChangeSetHooks(
  input: InputOf<'DescribeChangeSetHooks'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeChangeSetHooks'> {
  const { changeSet, stack } = changeSetOf(input, ctx);
  const roleArn = changeSet.target.roleArn;
  const hooks = changesOf(changeSet).flatMap(({ ResourceChange: change }): ChangeSetHook[] => {
    const { LogicalResourceId: logicalId, ResourceType: type = '', Action } = change ?? {};
    const action = Action && ACTIONS[Action];
    if (!action || (input.LogicalResourceId !== undefined && input.LogicalResourceId !== logicalId)) return [];
    return ctx.state.registry
      .hooks()
      .filter(({ configuration }) =>
        appliesTo(configuration, { operation: 'RESOURCE', type, action, stackName: stack.name, roleArn }),
      )
      .map(({ type: hook, configuration }) => ({
        InvocationPoint: 'PRE_PROVISION',
        FailureMode: configuration.mode,
        TypeName: hook.name,
        TypeVersionId: HOOK_VERSION,
        TypeConfigurationVersionId: String(hook.configurationVersion),
        TargetDetails: {
          TargetType: 'RESOURCE',
          ResourceTargetDetails: {
            ...(logicalId !== undefined && { LogicalResourceId: logicalId }),
            ResourceType: type,
            ...(Action && { ResourceAction: Action }),
          },
        },
      }));
  });
  const numbered = hooks.map((hook, index) => ({ hook, key: String(index).padStart(6, '0') }));
  return {
    ChangeSetId: changeSetIdOf(changeSet, ctx),
    ChangeSetName: changeSet.name,
    ...paging.page('DescribeChangeSetHooks', input, numbered, ({ key }) => key).list(({ hook }) => hook),
    Status: 'PLANNED',
    StackId: ctx.state.arn(stack),
    StackName: stack.name,
  };
}

const common = (result: HookResult) => ({
  HookResultId: result.id,
  InvocationPoint: 'PRE_PROVISION' as const,
  FailureMode: result.mode,
  TypeName: result.typeName,
  TypeVersionId: HOOK_VERSION,
  TypeConfigurationVersionId: String(result.configurationVersion),
  TypeArn: result.typeArn,
  Status: result.status,
  ...(result.reason !== undefined && { HookStatusReason: result.reason }),
  InvokedAt: new Date(result.invokedAt),
});

/**
 * Returns a hook result.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetHookResult.html
 */
export function GetHookResult(
  { HookResultId = '' }: InputOf<'GetHookResult'>,
  { state }: CloudformationContext,
): OutputOf<'GetHookResult'> {
  const result = state.registry.hookResult(HookResultId);
  if (!result) throw cloudformationError('HookResultNotFoundException', `Hook result ${HookResultId} cannot be found`);
  const { originalTypeName, operation, targetType, targetId, action, annotations } = result;
  const ofResource = operation === 'RESOURCE' || operation === 'CLOUD_CONTROL';
  return {
    ...common(result),
    OriginalTypeName: originalTypeName,
    // Only the members of a resource target identify it.
    ...(ofResource && {
      Target: { TargetType: 'RESOURCE', TargetTypeName: targetType, TargetId: targetId, Action: action },
    }),
    Annotations: annotations.map((annotation): Annotation => ({ ...annotation })),
  };
}

/**
 * Lists hook results, newest first.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListHookResults.html
 */
export function ListHookResults(
  input: InputOf<'ListHookResults'>,
  ctx: CloudformationContext,
): OutputOf<'ListHookResults'> {
  const { TargetType, TargetId, TypeArn, Status } = input;
  if ((TargetType === undefined) !== (TargetId === undefined))
    throw invalid('TargetType and TargetId must be specified together.');
  if (Status !== undefined && TypeArn === undefined) throw invalid('Status can only be specified with TypeArn.');
  if (TypeArn !== undefined && TargetId !== undefined)
    throw invalid('TypeArn cannot be specified with TargetType and TargetId.');
  const results = ctx.state.registry
    .hookResults()
    .filter(
      (result) =>
        (TypeArn === undefined || result.typeArn === TypeArn) &&
        (Status === undefined || result.status === Status) &&
        (TargetId === undefined || (result.operation === TargetType && result.targetId === TargetId)),
    );
  if (TargetId !== undefined && !results.length)
    throw cloudformationError('HookResultNotFoundException', `No hook results are found for the target ${TargetId}`);
  const key = ({ invokedAt, id }: HookResult) => `${String(invokedAt).padStart(15, '0')} ${id}`;
  return paging.page('ListHookResults', input, results, key, { descending: true }).list((result) => ({
    ...common(result),
    TargetType: result.operation,
    TargetId: result.targetId,
    ...(result.stackId !== undefined && { HookExecutionTarget: result.stackId }),
  }));
}
