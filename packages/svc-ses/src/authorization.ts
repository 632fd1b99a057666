import {
  type AuthorizationRequest,
  namedResource,
  type PassedRoles,
  permissionOn,
  type ServiceAuthorization,
} from '@emu/core/service';
import type { SesOperations } from '@emu/service-types/ses';
import type { SendEmailRequest, Sesv2Operations } from '@emu/service-types/sesv2';
import type { SesContext } from './context.ts';
import { bareAddress } from './identities/addresses.ts';
import { coveringNames } from './identities/names.ts';
import {
  configurationSetType,
  exportJobType,
  identityType,
  importJobType,
  resources,
  templateType,
} from './resources.ts';
import type { SesState } from './state.ts';

type Input = Readonly<Record<string, unknown>>;

const textIn = (input: Input, ...members: readonly string[]): string | undefined =>
  members.map((member) => input[member]).find((value): value is string => typeof value === 'string');

/** Returns the address of a mail's sender identity, existing or not. */
function senderAddress(input: Input, ctx: SesContext) {
  const arn = textIn(input, 'FromArn', 'SourceArn', 'FromEmailAddressIdentityArn');
  const given = arn === undefined ? undefined : identityType.parse(arn);
  if (given) return given;
  const address = bareAddress(textIn(input, 'Source', 'FromEmailAddress', 'BounceSender') ?? '');
  const name = [...coveringNames(address)].find((one) => ctx.state.identity(one)) ?? address;
  return { key: { name }, place: ctx };
}

/** Returns the value of a condition key for sending: sender or recipients. */
function sendingCondition(input: Input, key: string): string | string[] | undefined {
  const from = textIn(input, 'Source', 'FromEmailAddress');
  const destination = (input.Destination ?? {}) as Record<string, string[] | undefined>;
  switch (key) {
    case 'ses:fromaddress':
      return from === undefined ? from : bareAddress(from);
    case 'ses:fromdisplayname':
      return from?.includes('<') ? from.slice(0, from.indexOf('<')).trim().replace(/^"|"$/g, '') : undefined;
    case 'ses:feedbackaddress':
      return textIn(input, 'ReturnPath', 'FeedbackForwardingEmailAddress');
    case 'ses:recipients':
      return Object.values(destination).flatMap((list) => (list ?? []).map(bareAddress));
    default:
      return undefined;
  }
}

/** Returns the permissions for sending: on the identity, whose policies may grant it, and on other named resources. */
function sending(action: string, given: object, ctx: SesContext): AuthorizationRequest[] {
  const input = given as Input;
  const address = senderAddress(input, ctx);
  const base = permissionOn(action, identityType, address, ctx.handle);
  const owner = identityType.locate(ctx.handle, address)?.state;
  const policies = Object.values(owner?.identity(address.key.name)?.policies ?? {});
  const [document] = policies;
  const requests: AuthorizationRequest[] = [
    {
      ...base,
      ...(document !== undefined && {
        resourcePolicy: { document: mergedPolicy(policies), id: base.resource, type: 'resource' as const },
      }),
      condition: (key) => sendingCondition(input, key) ?? base.condition?.(key),
    },
  ];
  const set = textIn(input, 'ConfigurationSetName');
  if (set !== undefined)
    requests.push(permissionOn(action, configurationSetType, { key: { name: set }, place: ctx }, ctx.handle));
  const template = textIn(input, 'Template');
  if (template !== undefined)
    requests.push(permissionOn(action, templateType, { key: { name: template }, place: ctx }, ctx.handle));
  return requests;
}

/** Merges the policies of an identity into one. */
function mergedPolicy(policies: readonly string[]): string {
  const statements = policies.flatMap((text) => (JSON.parse(text) as { Statement: unknown }).Statement);
  return JSON.stringify({ Version: '2012-10-17', Statement: statements });
}

/** Returns the permission of an operation on the resource in its input. */
function onNamed(operation: string, given: unknown, ctx: SesContext): AuthorizationRequest {
  const action = `ses:${operation}`;
  const input = given as Input;
  const named = namedResource(resources, input, ctx, operation);
  if (!named) return { action, resource: '*' };
  return permissionOn(action, named.type, named.address, ctx.handle);
}

/** Defines the permissions of operations on a job. */
const onJob =
  (operation: string, type: typeof exportJobType) =>
  ({ JobId: id }: { JobId: string }, ctx: SesContext): AuthorizationRequest => ({
    action: `ses:${operation}`,
    resource: type.arn({ id }, ctx),
  });

/** Defines the permissions of operations on the association of a resource with a tenant: on both. */
const onAssociation =
  (operation: string) =>
  (input: { TenantName: string; ResourceArn: string }, ctx: SesContext): AuthorizationRequest[] => [
    onNamed(operation, { ResourceArn: input.ResourceArn }, ctx),
    onNamed(operation, { TenantName: input.TenantName }, ctx),
  ];

/** Roles by which a receipt rule writes to S3 and calls Amazon Connect. */
const RECEIPT_ROLES: PassedRoles<SesState> = {
  'Rule.Actions.S3Action.IamRoleArn': 'ses',
  'Rule.Actions.ConnectAction.IAMRoleARN': 'ses',
};

/**
 * Permissions of the operations of version 1.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonses.html
 */
export const authorization: ServiceAuthorization<SesOperations, SesState> = {
  prefix: 'ses',
  roles: {
    CreateConfigurationSetEventDestination: { 'EventDestination.KinesisFirehoseDestination.IAMRoleARN': 'ses' },
    CreateReceiptRule: RECEIPT_ROLES,
    UpdateConfigurationSetEventDestination: { 'EventDestination.KinesisFirehoseDestination.IAMRoleARN': 'ses' },
    UpdateReceiptRule: RECEIPT_ROLES,
  },
  withoutResource: {
    CreateConfigurationSetTrackingOptions: true,
    DeleteConfigurationSetTrackingOptions: true,
    DeleteIdentity: true,
    DeleteIdentityPolicy: true,
    DeleteTemplate: true,
    DescribeConfigurationSet: true,
    GetIdentityPolicies: true,
    GetTemplate: true,
    ListIdentityPolicies: true,
    PutIdentityPolicy: true,
    SetIdentityDkimEnabled: true,
    SetIdentityFeedbackForwardingEnabled: true,
    SetIdentityHeadersInNotificationsEnabled: true,
    SetIdentityMailFromDomain: true,
    SetIdentityNotificationTopic: true,
    TestRenderTemplate: true,
    UpdateConfigurationSetReputationMetricsEnabled: true,
    UpdateConfigurationSetSendingEnabled: true,
    UpdateConfigurationSetTrackingOptions: true,
  },
  operations: {
    CreateConfigurationSet: ({ ConfigurationSet }, ctx) =>
      onNamed('CreateConfigurationSet', { ConfigurationSetName: ConfigurationSet.Name }, ctx),
    SendEmail: (input, ctx) => sending('ses:SendEmail', input, ctx),
    SendRawEmail: (input, ctx) => sending('ses:SendRawEmail', input, ctx),
    SendTemplatedEmail: (input, ctx) => sending('ses:SendTemplatedEmail', input, ctx),
    SendBulkTemplatedEmail: (input, ctx) => sending('ses:SendBulkTemplatedEmail', input, ctx),
    SendBounce: (input, ctx) => sending('ses:SendBounce', input, ctx),
  },
  otherwise: onNamed,
};

/** Returns the action for a mail of version 2, the same as for its content in version 1. */
const actionFor = ({ Content }: SendEmailRequest): string => (Content.Raw ? 'ses:SendRawEmail' : 'ses:SendEmail');

/**
 * Permissions of the operations of version 2.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html
 */
export const v2Authorization: ServiceAuthorization<Sesv2Operations, SesState> = {
  prefix: 'ses',
  roles: {
    CreateConfigurationSetEventDestination: { 'EventDestination.KinesisFirehoseDestination.IamRoleArn': 'ses' },
    UpdateConfigurationSetEventDestination: { 'EventDestination.KinesisFirehoseDestination.IamRoleArn': 'ses' },
  },
  withoutResource: { CreateMultiRegionEndpoint: true },
  operations: {
    CancelExportJob: onJob('CancelExportJob', exportJobType),
    CreateDeliverabilityTestReport: (input, ctx) =>
      permissionOn('ses:CreateDeliverabilityTestReport', identityType, senderAddress({ ...input }, ctx), ctx.handle),
    CreateTenantResourceAssociation: onAssociation('CreateTenantResourceAssociation'),
    DeleteTenantResourceAssociation: onAssociation('DeleteTenantResourceAssociation'),
    GetDedicatedIps: ({ PoolName = '*' }, ctx) => onNamed('GetDedicatedIps', { PoolName }, ctx),
    GetDomainStatisticsReport: ({ Domain }, ctx) =>
      onNamed('GetDomainStatisticsReport', { EmailIdentity: Domain }, ctx),
    GetExportJob: onJob('GetExportJob', exportJobType),
    GetImportJob: onJob('GetImportJob', importJobType),
    ListReputationEntities: (_input, ctx) => onNamed('ListReputationEntities', { TenantName: '*' }, ctx),
    UpdateReputationEntityPolicy: (input, ctx) => [
      onNamed('UpdateReputationEntityPolicy', input, ctx),
      { action: 'ses:UpdateReputationEntityPolicy', resource: input.ReputationEntityPolicy },
    ],
    SendEmail: (input, ctx) => sending(actionFor(input), input, ctx),
    SendBulkEmail: (input, ctx) => sending('ses:SendBulkEmail', input, ctx),
  },
  otherwise: onNamed,
};
