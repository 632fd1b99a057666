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
import { associationType } from './associations/resources.ts';
import { currentVersion } from './associations/store.ts';
import { type AutomationRequest, passedRole } from './automation/starting.ts';
import type { SsmContext } from './context.ts';
import { opsItemType } from './ops/resources.ts';
import { documentType, instanceType, parameterType, resources, settingType, syncType } from './resources.ts';
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

/** Members of an association that determine its document and nodes. */
interface AssociatedNodes {
  Name: string;
  InstanceId?: string | undefined;
  Targets?: { Key?: string | undefined; Values?: string[] | undefined }[] | undefined;
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

/** Requires a permission on the managed node in an input, and on each in a list. */
const onNodes =
  (operation: string) =>
  (input: { InstanceId?: string; InstanceIds?: string[] }, ctx: SsmContext): AuthorizationRequest[] =>
    [...(input.InstanceIds ?? []), ...(input.InstanceId === undefined ? [] : [input.InstanceId])].map((id) =>
      onNode(operation, id, ctx),
    );

/** Requires a permission on the resource data sync in an input; on all syncs without a name. */
const onSync =
  (operation: string) =>
  ({ SyncName: name = '*', ...input }: { SyncName?: string; SyncType?: string }, ctx: SsmContext) => ({
    action: `ssm:${operation}`,
    resource: syncType.arn({ name }, ctx),
    condition: (key: string) => (key === 'ssm:synctype' ? input.SyncType : undefined),
  });

/** Requires a permission on a service setting, given by id or ARN. */
const onSetting =
  (operation: string) =>
  ({ SettingId: given }: { SettingId: string }, ctx: SsmContext): AuthorizationRequest => ({
    action: `ssm:${operation}`,
    resource: given.startsWith('arn:') ? given : settingType.arn({ id: given.replace(/^\//, '') }, ctx),
  });

/** Returns the permissions on the document and the nodes of an association. */
function onAssociated(operation: string, input: AssociatedNodes, ctx: SsmContext): AuthorizationRequest[] {
  const { Name, InstanceId, Targets = [] } = input;
  const targets = Targets.flatMap(({ Key, Values = [] }) => (Key === 'InstanceIds' ? Values : []));
  const nodes = [...(InstanceId === undefined ? [] : [InstanceId]), ...targets].filter((id) => id !== '*');
  return [onDocument(operation, Name, ctx), ...nodes.map((id) => onNode(operation, id, ctx))];
}

/** Returns the permissions of operations that run runbooks, including `iam:PassRole` for the runbooks' roles. */
const passing = (operation: string, input: object, ctx: SsmContext, ...runbooks: AutomationRequest[]) => [
  requirement(operation, input, ctx),
  ...passedRoles(ctx, runbooks),
];

/** Returns the permissions to pass the roles of runbooks. */
function passedRoles(ctx: SsmContext, runbooks: readonly AutomationRequest[]): AuthorizationRequest[] {
  const roles = new Set(runbooks.map((runbook) => passedRole(ctx.state.automations, runbook)));
  return [...roles].flatMap((role) => (role ? [passRole(role, 'ssm')] : []));
}

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
  // https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateOpsItem.html
  tagOnCreate: {
    CreateOpsItem: (_input, ctx) =>
      permissionOn('ssm:AddTagsToResource', opsItemType, { key: { id: '*' }, place: ctx }, ctx.handle),
  },
  withoutResource: { CreateActivation: true, CreateOpsItem: true, DescribeMaintenanceWindowSchedule: true },
  operations: {
    SendCommand: ({ DocumentName, InstanceIds = [] }, ctx) => [
      onDocument('SendCommand', DocumentName, ctx),
      ...InstanceIds.map((id) => onNode('SendCommand', id, ctx)),
    ],
    StartAutomationExecution: (input, ctx) => passing('StartAutomationExecution', input, ctx, input),
    StartChangeRequestExecution: (input, ctx) =>
      passing('StartChangeRequestExecution', input, ctx, input, ...(input.Runbooks as AutomationRequest[])),
    // The association has no id before it exists.
    CreateAssociation: (input, ctx) => [
      { action: 'ssm:CreateAssociation', resource: associationType.arn({ id: '*' }, ctx) },
      ...onAssociated('CreateAssociation', input, ctx),
      ...passedRoles(ctx, [runbookOf(input)]),
    ],
    CreateAssociationBatch: ({ Entries }, ctx) => [
      ...Entries.flatMap((entry) => onAssociated('CreateAssociationBatch', entry, ctx)),
      ...passedRoles(ctx, Entries.map(runbookOf)),
    ],
    UpdateAssociationStatus: (input, ctx) => onAssociated('UpdateAssociationStatus', input, ctx),
    StartAssociationsOnce: ({ AssociationIds }, ctx) =>
      AssociationIds.map((AssociationId) => requirement('StartAssociationsOnce', { AssociationId }, ctx)),
    CancelMaintenanceWindowExecution({ WindowExecutionId }, ctx) {
      const WindowId = ctx.state.windows.executions.get(WindowExecutionId)?.windowId;
      return requirement('CancelMaintenanceWindowExecution', { WindowId: WindowId ?? '*' }, ctx);
    },
    CreateResourceDataSync: onSync('CreateResourceDataSync'),
    DeleteResourceDataSync: onSync('DeleteResourceDataSync'),
    UpdateResourceDataSync: onSync('UpdateResourceDataSync'),
    GetOpsSummary: onSync('GetOpsSummary'),
    ListNodes: onSync('ListNodes'),
    ListNodesSummary: onSync('ListNodesSummary'),
    DescribeEffectiveInstanceAssociations: onNodes('DescribeEffectiveInstanceAssociations'),
    DescribeInstanceAssociationsStatus: onNodes('DescribeInstanceAssociationsStatus'),
    DescribeInstancePatchStates: onNodes('DescribeInstancePatchStates'),
    DescribeInstancePatches: onNodes('DescribeInstancePatches'),
    GetCalendarState: ({ CalendarNames }, ctx) =>
      CalendarNames.map((name) => onDocument('GetCalendarState', name, ctx)),
    GetDefaultPatchBaseline: ({ OperatingSystem = 'WINDOWS' }, ctx) =>
      requirement('GetDefaultPatchBaseline', { BaselineId: ctx.state.patches.defaultOf(OperatingSystem).id }, ctx),
    GetServiceSetting: onSetting('GetServiceSetting'),
    ResetServiceSetting: onSetting('ResetServiceSetting'),
    UpdateServiceSetting: onSetting('UpdateServiceSetting'),
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
