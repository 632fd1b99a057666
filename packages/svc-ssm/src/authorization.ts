import {
  type AuthorizationRequest,
  formatArn,
  namedResource,
  passRole,
  permissionOn,
  type ServiceAuthorization,
} from '@emu/core';
import type { RegisterTaskWithMaintenanceWindowRequest, SsmOperations, Tag } from '@emu/service-types/ssm';
import { currentVersion } from './associations/store.ts';
import { type AutomationRequest, passedRole } from './automation/starting.ts';
import type { SsmContext } from './context.ts';
import { opsItemType } from './ops/resources.ts';
import { documentType, instanceType, parameterType, resources } from './resources.ts';
import type { SsmState } from './state.ts';
import { tagRecord } from './tags.ts';

/** Systems Manager's own principal. */
const SERVICE = 'ssm.amazonaws.com';

/** Tags in an input. */
interface TagInput {
  Tags?: Tag[];
  TagKeys?: string[];
}

function requirement(operation: string, input: object, ctx: SsmContext) {
  const action = `ssm:${operation}`;
  const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
  if (!named) return { action, resource: '*' };
  const { Tags, TagKeys: keys } = input as TagInput;
  return permissionOn(action, named.type, named.address, ctx.handle, { request: tagRecord(Tags), keys });
}

/** What of an association says which roles it gives. */
interface AssociationRoles {
  DocumentVersion?: string | undefined;
  Parameters?: Record<string, string[]> | undefined;
  AssociationDispatchAssumeRole?: string | undefined;
}

/** A permission for each parameter that a list names. */
const ofEach =
  (operation: string) =>
  ({ Names }: { Names: string[] }, ctx: SsmContext) =>
    Names.map((Name) => requirement(operation, { Name }, ctx));

/** A permission on a document that a request names by its name or ARN. */
function onDocument(operation: string, given: string, ctx: SsmContext): AuthorizationRequest {
  const { accountId, region, handle } = ctx;
  const address = documentType.parse(given) ?? { key: { name: given }, place: { accountId, region } };
  return permissionOn(`ssm:${operation}`, documentType, address, handle);
}

/** A permission on a managed node. */
function onNode(operation: string, id: string, ctx: SsmContext): AuthorizationRequest {
  const { accountId, region, handle } = ctx;
  const action = `ssm:${operation}`;
  if (id.startsWith('mi-'))
    return permissionOn(action, instanceType, { key: { id }, place: { accountId, region } }, handle);
  return { action, resource: formatArn({ service: 'ec2', region, accountId, resource: `instance/${id}` }, region) };
}

/** What operations need that give Systems Manager roles, in which it acts later. */
const passing = (operation: string, input: object, ctx: SsmContext, ...roles: (string | undefined)[]) => [
  requirement(operation, input, ctx),
  ...[...new Set(roles)].flatMap((role) => (role === undefined || role === '' ? [] : [passRole(role, SERVICE)])),
];

/** ARN of a role that a request names without its path. */
const roleOf = (name: string, { accountId, region }: SsmContext): string =>
  formatArn({ service: 'iam', region: '', accountId, resource: `role/${name}` }, region);

/** The role that a window's task acts in, and the one with which its command tells of itself. */
const passedByTask = ({
  ServiceRoleArn,
  TaskInvocationParameters,
}: Pick<RegisterTaskWithMaintenanceWindowRequest, 'ServiceRoleArn' | 'TaskInvocationParameters'>) => [
  ServiceRoleArn,
  TaskInvocationParameters?.RunCommand?.ServiceRoleArn,
];

/** Associations that run a runbook give its role, others the one that dispatches them. */
const passedByAssociation = (
  { Name, DocumentVersion, Parameters, AssociationDispatchAssumeRole }: AssociationRoles & { Name: string },
  { state }: SsmContext,
) => [
  passedRole(state.automations, { DocumentName: Name, DocumentVersion, Parameters }),
  AssociationDispatchAssumeRole,
];

/**
 * What Systems Manager's operations need: their own action on the parameter, document or other resource.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 */
export const authorization: ServiceAuthorization<SsmOperations, SsmState> = {
  prefix: 'ssm',
  operations: {
    CreateActivation: ({ IamRole }, ctx) => [
      { action: 'ssm:CreateActivation', resource: '*' },
      passRole(roleOf(IamRole, ctx), SERVICE),
    ],
    UpdateManagedInstanceRole: (input, ctx) =>
      passing('UpdateManagedInstanceRole', input, ctx, roleOf(input.IamRole, ctx)),
    SendCommand: ({ DocumentName, InstanceIds = [], ServiceRoleArn }, ctx) => [
      onDocument('SendCommand', DocumentName, ctx),
      ...InstanceIds.map((id) => onNode('SendCommand', id, ctx)),
      ...(ServiceRoleArn === undefined ? [] : [passRole(ServiceRoleArn, SERVICE)]),
    ],
    RegisterTaskWithMaintenanceWindow: (input, ctx) =>
      passing('RegisterTaskWithMaintenanceWindow', input, ctx, ...passedByTask(input)),
    UpdateMaintenanceWindowTask: (input, ctx) =>
      passing('UpdateMaintenanceWindowTask', input, ctx, ...passedByTask(input)),
    StartAutomationExecution: (input, ctx) =>
      passing('StartAutomationExecution', input, ctx, passedRole(ctx.state.automations, input)),
    StartChangeRequestExecution: (input, ctx) =>
      passing(
        'StartChangeRequestExecution',
        input,
        ctx,
        ...[input, ...(input.Runbooks as AutomationRequest[])].map((one) => passedRole(ctx.state.automations, one)),
      ),
    CreateAssociation: (input, ctx) => passing('CreateAssociation', input, ctx, ...passedByAssociation(input, ctx)),
    CreateAssociationBatch: (input, ctx) =>
      passing(
        'CreateAssociationBatch',
        input,
        ctx,
        ...input.Entries.flatMap((entry) => passedByAssociation(entry, ctx)),
      ),
    UpdateAssociation: (input, ctx) => {
      const known = ctx.state.associations.associations.get(input.AssociationId);
      const Name = input.Name ?? (known && currentVersion(known).settings.Name);
      return passing(
        'UpdateAssociation',
        input,
        ctx,
        ...(Name === undefined ? [] : passedByAssociation({ ...input, Name }, ctx)),
      );
    },
    StartSession: ({ Target, DocumentName }, ctx) => [
      onNode('StartSession', Target, ctx),
      ...(DocumentName === undefined ? [] : [onDocument('StartSession', DocumentName, ctx)]),
    ],
    StartAccessRequest: ({ Targets }, ctx) => {
      const named = Targets.flatMap(({ Key, Values = [] }) => (Key === 'InstanceIds' ? Values : []));
      if (named.length === 0) return { action: 'ssm:StartAccessRequest', resource: '*' };
      return named.map((id) => onNode('StartAccessRequest', id, ctx));
    },
    GetAccessToken: ({ AccessRequestId: id }, { accountId, region, handle }) =>
      permissionOn('ssm:GetAccessToken', opsItemType, { key: { id }, place: { accountId, region } }, handle),
    GetParameters: ofEach('GetParameters'),
    DeleteParameters: ofEach('DeleteParameters'),
    DescribeParameters: (_input, ctx) => ({
      action: 'ssm:DescribeParameters',
      resource: parameterType.arn({ name: '*' }, ctx).replace('parameter/', ''),
    }),
  },
  otherwise: (operation, input, ctx) => requirement(operation, input as object, ctx),
};
