import {
  type AuthorizationRequest,
  namedResource,
  type PassedRole,
  type PassedRoles,
  parseArn,
  permissionOn,
  type ServiceAuthorization,
} from '@emu/core/service';
import type { LogsInternalOperations } from '@emu/service-types/internal/logs';
import type { LogsOperations, PutAccountPolicyRequest } from '@emu/service-types/logs';
import { asString } from '@emu/wire';
import type { LogsContext } from './context.ts';
import { readPointer } from './insights/engine/event.ts';
import { lookupTableType, scheduledQueryType } from './insights/resources.ts';
import { policyDocumentIn } from './operations/account-policies.ts';
import {
  deliveryDestinationType,
  deliverySourceType,
  deliveryType,
  destinationType,
  detectorType,
  groupType,
  streamArn,
} from './resources.ts';
import type { LogsState } from './state.ts';

type Input = Readonly<Record<string, unknown>>;
/** Operations whose resource is the ARN of a log group without a suffix. */
const PLAIN: ReadonlySet<string> = new Set(['ListTagsForResource', 'TagResource', 'UntagResource']);

/**
 * Returns the permission on a log group or one of its streams. AWS uses a stream's ARN, with an empty stream name for
 * the whole group.
 */
function onGroup(operation: string, input: Input, ctx: LogsContext): AuthorizationRequest | undefined {
  const action = `logs:${operation}`;
  const address = groupType.identify(input, ctx, operation);
  if (!address) return undefined;
  const request = permissionOn(action, groupType, address, ctx.handle);
  if (PLAIN.has(operation)) return request;
  return { ...request, resource: streamArn(request.resource, asString(input.logStreamName) ?? '') };
}

/** Returns the permission on another resource. */
function onOther(operation: string, input: Input, ctx: LogsContext): AuthorizationRequest | undefined {
  const named = namedResource(OTHER_TYPES, input, ctx, operation);
  return named && permissionOn(`logs:${operation}`, named.type, named.address, ctx.handle);
}

/** Types other than log groups. */
const OTHER_TYPES = [
  deliveryType,
  deliverySourceType,
  deliveryDestinationType,
  detectorType,
  destinationType,
  lookupTableType,
  scheduledQueryType,
];

/** Returns the permissions on the log groups in a list of names and ARNs. */
const onGroups = (operation: string, groups: readonly string[], ctx: LogsContext): AuthorizationRequest[] =>
  groups.map((logGroupIdentifier) => onGroup(operation, { logGroupIdentifier }, ctx)!);

/** Returns the permissions on the log groups of other accounts in a list of names and ARNs. */
const onForeignGroups = (
  operation: string,
  groups: readonly string[] | undefined = [],
  ctx: LogsContext,
): AuthorizationRequest[] =>
  onGroups(
    operation,
    groups.filter((group) => (parseArn(group)?.accountId ?? ctx.accountId) !== ctx.accountId),
    ctx,
  );

/** Returns the permissions of an operation for which AWS names no resource, and those on log groups of other accounts. */
const onAnyGroups = (operation: string, groups: readonly string[], ctx: LogsContext): AuthorizationRequest[] => [
  { action: `logs:${operation}`, resource: '*' },
  ...onForeignGroups(operation, groups, ctx),
];

/** Returns the permission on all log groups. */
const onEveryGroup = (operation: string, ctx: LogsContext): AuthorizationRequest => ({
  action: `logs:${operation}`,
  resource: streamArn(groupType.arn({ name: '' }, ctx), ''),
});

/** Returns the permissions on a delivery, on its source and on its destination, which may be of another account. */
function onDelivery(operation: string, id: string, source: string, targetArn: string | undefined, ctx: LogsContext) {
  const action = `logs:${operation}`;
  const target = targetArn === undefined ? undefined : deliveryDestinationType.parse(targetArn);
  return [
    permissionOn(action, deliveryType, { key: { id }, place: ctx }, ctx.handle),
    permissionOn(action, deliverySourceType, { key: { name: source }, place: ctx }, ctx.handle),
    permissionOn(action, deliveryDestinationType, target ?? { key: { name: '*' }, place: ctx }, ctx.handle),
  ];
}

/** Defines the permissions of operations on a scheduled query, given by name or ARN. */
const ofScheduledQuery =
  (operation: string) =>
  ({ identifier }: { identifier: string }, ctx: LogsContext): AuthorizationRequest => {
    const id = ctx.state.insights.scheduled.find(identifier)?.id ?? '*';
    const address = scheduledQueryType.parse(identifier) ?? { key: { id }, place: ctx };
    return permissionOn(`logs:${operation}`, scheduledQueryType, address, ctx.handle);
  };

/** Returns the permissions of an operation on the resource in its input, with those to read masked data. */
function onNamed(operation: string, input: Input, ctx: LogsContext): AuthorizationRequest[] {
  const main = onOther(operation, input, ctx) ??
    onGroup(operation, input, ctx) ?? { action: `logs:${operation}`, resource: '*' };
  return withUnmask([main], input.unmask === true);
}

/** Adds the permission to read masked data to those on its resources. */
const withUnmask = (requests: readonly AuthorizationRequest[], unmask: boolean): AuthorizationRequest[] =>
  unmask ? [...requests, ...requests.map((request) => ({ ...request, action: 'logs:Unmask' }))] : [...requests];

const SCHEDULED_QUERY_ROLES: PassedRoles<LogsState> = {
  executionRoleArn: 'logs',
  'destinationConfiguration.s3Configuration.roleArn': 'logs',
};

/** The role in an account policy for subscription filters. */
const POLICY_ROLE: PassedRole<LogsState> = {
  service: 'logs',
  role(document, _ctx, input) {
    if ((input as PutAccountPolicyRequest).policyType !== 'SUBSCRIPTION_FILTER_POLICY') return undefined;
    return asString((policyDocumentIn(document) as { RoleArn?: unknown }).RoleArn);
  },
};

/**
 * Permissions required by CloudWatch Logs operations.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatchlogs.html
 */
export const authorization: ServiceAuthorization<LogsOperations & LogsInternalOperations, LogsState> = {
  roles: {
    CreateImportTask: { importRoleArn: 'logs' },
    CreateScheduledQuery: SCHEDULED_QUERY_ROLES,
    PutAccountPolicy: { policyDocument: POLICY_ROLE },
    PutDestination: { roleArn: 'logs' },
    PutSubscriptionFilter: { roleArn: 'logs' },
    // The managed policy CloudWatchOpenSearchDashboardsFullAccess passes it to this service.
    PutIntegration: {
      'resourceConfig.openSearchResourceConfig.dataSourceRoleArn': 'directquery.opensearchservice',
    },
    UpdateScheduledQuery: SCHEDULED_QUERY_ROLES,
  },
  // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html
  tagOnCreate: { CreateLogGroup: (input, ctx) => onGroup('TagResource', { ...input }, ctx)! },
  withoutResource: { ListLogGroups: true },
  operations: {
    CreateDelivery: ({ deliverySourceName, deliveryDestinationArn }, ctx) =>
      onDelivery('CreateDelivery', '*', deliverySourceName, deliveryDestinationArn, ctx),
    CreateLogAnomalyDetector: ({ logGroupArnList }, ctx) => onGroups('CreateLogAnomalyDetector', logGroupArnList, ctx),
    CreateScheduledQuery: (_input, ctx) => ({
      action: 'logs:CreateScheduledQuery',
      resource: scheduledQueryType.arn({ id: '*' }, ctx),
    }),
    DeleteIndexPolicy: ({ logGroupIdentifier }, ctx) => onAnyGroups('DeleteIndexPolicy', [logGroupIdentifier], ctx),
    DeleteScheduledQuery: ofScheduledQuery('DeleteScheduledQuery'),
    GetScheduledQuery: ofScheduledQuery('GetScheduledQuery'),
    GetScheduledQueryHistory: ofScheduledQuery('GetScheduledQueryHistory'),
    UpdateScheduledQuery: ofScheduledQuery('UpdateScheduledQuery'),
    // AWS's message names all groups. https://github.com/hashicorp/terraform-provider-aws/issues/8804
    DescribeLogGroups: ({ logGroupIdentifiers }, ctx) => [
      onEveryGroup('DescribeLogGroups', ctx),
      ...onForeignGroups('DescribeLogGroups', logGroupIdentifiers, ctx),
    ],
    DescribeFieldIndexes: ({ logGroupIdentifiers }, ctx) =>
      onAnyGroups('DescribeFieldIndexes', logGroupIdentifiers, ctx),
    DescribeIndexPolicies: ({ logGroupIdentifiers }, ctx) =>
      onAnyGroups('DescribeIndexPolicies', logGroupIdentifiers, ctx),
    DescribeMetricFilters: ({ logGroupName }, ctx) =>
      onGroup('DescribeMetricFilters', { logGroupName }, ctx) ?? onEveryGroup('DescribeMetricFilters', ctx),
    GetLogRecord({ logRecordPointer, unmask = false }, ctx) {
      const group = readPointer(logRecordPointer)?.group;
      const request = onGroup('GetLogRecord', { logGroupName: group }, ctx) ?? onEveryGroup('GetLogRecord', ctx);
      return withUnmask([request], unmask);
    },
    GetQueryResults({ queryId }, ctx) {
      const groups = ctx.state.insights.queries.find(queryId)?.facts.groups ?? [];
      return groups.length > 0 ? onGroups('GetQueryResults', groups, ctx) : onEveryGroup('GetQueryResults', ctx);
    },
    IngestLogs: ({ stream, group, bearer }) => [
      { action: 'logs:PutLogEvents', resource: stream },
      ...(bearer ? [{ action: 'logs:CallWithBearerToken', resource: group }] : []),
    ],
    PutSubscriptionFilter(input, ctx) {
      const group = onGroup('PutSubscriptionFilter', { ...input }, ctx)!;
      const destination = destinationType.parse(input.destinationArn);
      if (!destination) return group;
      return [group, permissionOn('logs:PutSubscriptionFilter', destinationType, destination, ctx.handle)];
    },
    StartLiveTail: ({ logGroupIdentifiers }, ctx) => onGroups('StartLiveTail', logGroupIdentifiers, ctx),
    StartQuery({ logGroupName, logGroupNames = [], logGroupIdentifiers = [], queryString }, ctx) {
      const named = [...(logGroupName === undefined ? [] : [logGroupName]), ...logGroupNames, ...logGroupIdentifiers];
      const requests = named.length > 0 ? onGroups('StartQuery', named, ctx) : [onEveryGroup('StartQuery', ctx)];
      return withUnmask(requests, /\bunmask\b/i.test(queryString));
    },
    UpdateDeliveryConfiguration({ id }, ctx) {
      const { sourceName = '*', destinationArn } = ctx.state.vendedDeliveries.get(id) ?? {};
      return onDelivery('UpdateDeliveryConfiguration', id, sourceName, destinationArn, ctx);
    },
  },
  otherwise: (operation, input, ctx) => onNamed(operation, input as Input, ctx),
};
