import {
  type AuthorizationRequest,
  formatArn,
  namedResource,
  type PassedRole,
  type PassedRoles,
  passRole,
  permissionOn,
  type ServiceAuthorization,
} from '@emu/core/service';
import type { SsmOperations, UpdateServiceSettingRequest } from '@emu/service-types/ssm';
import { currentVersion } from './associations/store.ts';
import { type AutomationRequest, passedRole } from './automation/starting.ts';
import type { SsmContext } from './context.ts';
import { opsItemType } from './ops/resources.ts';
import { documentType, instanceType, parameterType, resources } from './resources.ts';
import type { SsmState } from './state.ts';

function requirement(operation: string, input: object, ctx: SsmContext) {
  const action = `ssm:${operation}`;
  const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
  if (!named) return { action, resource: '*' };
  return permissionOn(action, named.type, named.address, ctx.handle);
}

/** Members of an association that determine the runbook it runs. */
interface AssociationRunbook {
  Name: string;
  DocumentVersion?: string | undefined;
  Parameters?: Record<string, string[]> | undefined;
}

/** Requires a permission for each parameter in a list. */
const ofEach =
  (operation: string) =>
  ({ Names }: { Names: string[] }, ctx: SsmContext) =>
    Names.map((Name) => requirement(operation, { Name }, ctx));

/** Requires a permission on a document, given by name or ARN. */
function onDocument(operation: string, given: string, ctx: SsmContext): AuthorizationRequest {
  const address = documentType.identify({ ResourceType: 'Document', ResourceId: given }, ctx)!;
  return permissionOn(`ssm:${operation}`, documentType, address, ctx.handle);
}

/** Requires a permission on a managed node. */
function onNode(operation: string, id: string, ctx: SsmContext): AuthorizationRequest {
  const { accountId, region, handle } = ctx;
  const action = `ssm:${operation}`;
  if (id.startsWith('mi-'))
    return permissionOn(action, instanceType, { key: { id }, place: { accountId, region } }, handle);
  return { action, resource: formatArn({ service: 'ec2', region, accountId, resource: `instance/${id}` }, region) };
}

/** Returns the permissions of operations that run runbooks, including `iam:PassRole` for the runbooks' roles. */
const passing = (operation: string, input: object, ctx: SsmContext, ...runbooks: AutomationRequest[]) => {
  const roles = new Set(runbooks.map((runbook) => passedRole(ctx.state.automations, runbook)));
  return [requirement(operation, input, ctx), ...[...roles].flatMap((role) => (role ? [passRole(role, 'ssm')] : []))];
};

const roleNamed = (name: string, { accountId, region }: Pick<SsmContext, 'accountId' | 'region'>): string =>
  formatArn({ service: 'iam', region: '', accountId, resource: `role/${name}` }, region);

/** A role that a request gives by name, without path. */
const NAMED_ROLE: PassedRole<SsmState> = { service: 'ssm', role: roleNamed };

/**
 * The role that the setting for nodes without an instance profile gives them.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/fleet-manager-default-host-management-configuration.html
 */
const DEFAULT_NODE_ROLE: PassedRole<SsmState> = {
  service: 'ssm',
  role: (name, ctx, input) =>
    (input as UpdateServiceSettingRequest).SettingId.endsWith('/default-ec2-instance-management-role')
      ? roleNamed(name, ctx)
      : undefined,
};

/** The role of a window's task, and the role for notifications of its command. */
const TASK_ROLES: PassedRoles<SsmState> = {
  ServiceRoleArn: 'ssm',
  'TaskInvocationParameters.RunCommand.ServiceRoleArn': 'ssm',
};

/** Returns the runbook of an association. */
const runbookOf = ({ Name, DocumentVersion, Parameters }: AssociationRunbook): AutomationRequest => ({
  DocumentName: Name,
  DocumentVersion,
  Parameters,
});

/**
 * Permissions of Systems Manager's operations: the action of the same name on the parameter, document or other
 * resource.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 */
export const authorization: ServiceAuthorization<SsmOperations, SsmState> = {
  prefix: 'ssm',
  roles: {
    CreateActivation: { IamRole: NAMED_ROLE },
    CreateAssociation: { AssociationDispatchAssumeRole: 'ssm' },
    CreateAssociationBatch: { AssociationDispatchAssumeRole: 'ssm' },
    RegisterTaskWithMaintenanceWindow: TASK_ROLES,
    SendCommand: { ServiceRoleArn: 'ssm' },
    UpdateAssociation: { AssociationDispatchAssumeRole: 'ssm' },
    UpdateMaintenanceWindowTask: TASK_ROLES,
    UpdateManagedInstanceRole: { IamRole: NAMED_ROLE },
    UpdateServiceSetting: { SettingValue: DEFAULT_NODE_ROLE },
  },
  operations: {
    CreateActivation: () => ({ action: 'ssm:CreateActivation', resource: '*' }),
    // https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateOpsItem.html
    CreateOpsItem: ({ Tags }, { accountId, region, handle }) => [
      { action: 'ssm:CreateOpsItem', resource: '*' },
      ...(Tags?.length
        ? [
            permissionOn(
              'ssm:AddTagsToResource',
              opsItemType,
              { key: { id: '*' }, place: { accountId, region } },
              handle,
            ),
          ]
        : []),
    ],
    SendCommand: ({ DocumentName, InstanceIds = [] }, ctx) => [
      onDocument('SendCommand', DocumentName, ctx),
      ...InstanceIds.map((id) => onNode('SendCommand', id, ctx)),
    ],
    StartAutomationExecution: (input, ctx) => passing('StartAutomationExecution', input, ctx, input),
    StartChangeRequestExecution: (input, ctx) =>
      passing('StartChangeRequestExecution', input, ctx, input, ...(input.Runbooks as AutomationRequest[])),
    CreateAssociation: (input, ctx) => passing('CreateAssociation', input, ctx, runbookOf(input)),
    CreateAssociationBatch: (input, ctx) =>
      passing('CreateAssociationBatch', input, ctx, ...input.Entries.map(runbookOf)),
    UpdateAssociation: (input, ctx) => {
      const known = ctx.state.associations.associations.get(input.AssociationId);
      const Name = input.Name ?? (known && currentVersion(known).settings.Name);
      return passing('UpdateAssociation', input, ctx, ...(Name === undefined ? [] : [runbookOf({ ...input, Name })]));
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
