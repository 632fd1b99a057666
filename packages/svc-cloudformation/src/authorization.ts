import {
  type AuthorizationRequest,
  type PassedRole,
  type PassedRoles,
  permissionOn,
  type ServiceAuthorization,
  tagCondition,
  tagMap,
} from '@emu/core/service';
import type { CloudformationOperations, InputOf, RegistryType } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from './context.ts';
import { changeSetType, stackSetType, stackType } from './resources.ts';
import type { CloudformationState } from './state.ts';

const STACK_ROLE: PassedRoles<CloudformationState> = { RoleARN: 'cloudformation' };
const ADMINISTRATION_ROLE: PassedRoles<CloudformationState> = { AdministrationRoleARN: 'cloudformation' };

/**
 * Roles of extensions, whose trust policies name the principal of their kind.
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/hooks-userguide/lambda-hooks-prepare-to-create-hook.html
 */
const EXTENSION_ROLE: PassedRole<CloudformationState> = {
  service: (input) =>
    (input as { Type?: RegistryType }).Type === 'HOOK' ? 'hooks.cloudformation' : 'resources.cloudformation',
  role: (arn) => arn,
};
const EXTENSION_ROLES: PassedRoles<CloudformationState> = {
  ExecutionRoleArn: EXTENSION_ROLE,
  'LoggingConfig.LogRoleArn': EXTENSION_ROLE,
};

/** Returns the permission on a stack, given by name or id; on `*` for undefined or the ARN of another resource. */
function onStack(operation: string, stack: string | undefined, ctx: CloudformationContext): AuthorizationRequest {
  const action = `cloudformation:${operation}`;
  const address = stackType.identify({ StackName: stack }, ctx, operation);
  return address ? permissionOn(action, stackType, address, ctx.handle) : { action, resource: '*' };
}

/** Returns the permissions on stacks; on all stacks for none. */
const onStacks = (operation: string, stacks: readonly string[], ctx: CloudformationContext): AuthorizationRequest[] =>
  stacks.length === 0
    ? [{ action: `cloudformation:${operation}`, resource: stackType.arn({ name: '*', uuid: '*' }, ctx) }]
    : stacks.map((stack) => onStack(operation, stack, ctx));

/** Defines the permissions of an operation on a refactor: on the stacks that it changes. */
const ofRefactor =
  (operation: string) =>
  ({ StackRefactorId }: { StackRefactorId: string }, ctx: CloudformationContext): AuthorizationRequest[] => {
    const stacks = ctx.state.refactors.get(StackRefactorId)?.stacks ?? [];
    const names = stacks.map(({ uuid, name }) => (ctx.state.stack(uuid) ? stackType.arn({ name, uuid }, ctx) : name));
    return onStacks(operation, names, ctx);
  };

/**
 * Returns the permissions to update a stack set. New and changed tags also need the permission to tag, and removed ones
 * the permission to remove tags.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_UpdateStackSet.html
 */
function updatingStackSet(input: InputOf<'UpdateStackSet'>, ctx: CloudformationContext): AuthorizationRequest[] {
  const set = stackSetType.identify({ StackSetName: input.StackSetName }, ctx, 'UpdateStackSet');
  const needs = (name: string): AuthorizationRequest => {
    const action = `cloudformation:${name}`;
    return set ? permissionOn(action, stackSetType, set, ctx.handle) : { action, resource: '*' };
  };
  const update = needs('UpdateStackSet');
  if (input.Tags === undefined) return [update];
  const given = tagMap(input.Tags) ?? {};
  const existing = tagMap(ctx.state.stackSets.find(input.StackSetName)?.tags) ?? {};
  const adds = Object.entries(given).some(([key, value]) => existing[key] !== value);
  const keys = Object.keys(existing).filter((key) => given[key] === undefined);
  const untag = needs('UntagResource');
  return [
    update,
    ...(adds ? [needs('TagResource')] : []),
    ...(keys.length > 0
      ? [{ ...untag, condition: (key: string) => tagCondition(key, { keys }) ?? untag.condition?.(key) }]
      : []),
  ];
}

/** Returns the id of the stack among the targets of hooks; undefined for targets of other types. */
function targetStack({ TargetType, TargetId }: InputOf<'ListHookResults'>, ctx: CloudformationContext) {
  if (TargetId === undefined || TargetType === 'STACK') return TargetId;
  if (TargetType !== 'CHANGE_SET') return undefined;
  const changeSet = changeSetType.parse(TargetId);
  const stack = changeSet && ctx.state.changeSet(changeSet.key.uuid)?.stack;
  return stack && stackType.arn({ name: '*', uuid: stack }, ctx);
}

/**
 * Permissions of the operations: their action on the stack, stack set or extension, and `iam:PassRole` for the role of a
 * request. A role that the stack has from an earlier request is not passed again.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-iam-servicerole.html
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscloudformation.html
 */
export const authorization: ServiceAuthorization<CloudformationOperations, CloudformationState> = {
  roles: {
    ActivateType: EXTENSION_ROLES,
    ContinueUpdateRollback: STACK_ROLE,
    CreateChangeSet: STACK_ROLE,
    CreateStack: STACK_ROLE,
    CreateStackSet: ADMINISTRATION_ROLE,
    DeleteStack: STACK_ROLE,
    RegisterType: EXTENSION_ROLES,
    RollbackStack: STACK_ROLE,
    UpdateStack: STACK_ROLE,
    UpdateStackSet: ADMINISTRATION_ROLE,
  },
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStackSet.html
  tagOnCreate: { CreateStackSet: 'TagResource' },
  withoutResource: {
    DescribeResourceScan: true,
    DescribeType: true,
    ListResourceScanRelatedResources: true,
    ListResourceScanResources: true,
    ListTypeVersions: true,
    PublishType: true,
  },
  operations: {
    CreateStackRefactor: ({ StackDefinitions }, ctx) =>
      onStacks(
        'CreateStackRefactor',
        StackDefinitions.flatMap(({ StackName }) => StackName ?? []),
        ctx,
      ),
    DescribeStackRefactor: ofRefactor('DescribeStackRefactor'),
    ExecuteStackRefactor: ofRefactor('ExecuteStackRefactor'),
    ListHookResults: (input, ctx) => onStack('ListHookResults', targetStack(input, ctx), ctx),
    ListStackRefactorActions: ofRefactor('ListStackRefactorActions'),
    ListStackRefactors: (_input, ctx) => onStacks('ListStackRefactors', [], ctx),
    UpdateStackSet: updatingStackSet,
  },
};
