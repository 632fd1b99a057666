import {
  type AuthorizationRequest,
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
import { policyDocumentIn } from './operations/account-policies.ts';
import {
  deliveryDestinationType,
  deliverySourceType,
  destinationType,
  detectorType,
  groupType,
  streamArn,
} from './resources.ts';
import type { LogsState } from './state.ts';

type Input = Readonly<Record<string, unknown>>;
/** Operations whose resource is the ARN of a log group without a suffix. */
const PLAIN: ReadonlySet<string> = new Set(['ListTagsForResource', 'TagResource', 'UntagResource']);

/** Operations that list resources or concern no group: they need the permission on every group, or on any resource. */
const LISTS: ReadonlySet<string> = new Set(['DescribeLogGroups', 'ListLogGroups']);

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

/** Returns the permission on another resource with an ARN. */
function onOther(operation: string, input: Input, ctx: LogsContext): AuthorizationRequest | undefined {
  const action = `logs:${operation}`;
  const source = deliverySourceType.identify(input, ctx, operation);
  if (source) return permissionOn(action, deliverySourceType, source, ctx.handle);
  const target = deliveryDestinationType.identify(input, ctx, operation);
  if (target) return permissionOn(action, deliveryDestinationType, target, ctx.handle);
  const detector = detectorType.identify(input, ctx, operation);
  if (detector) return permissionOn(action, detectorType, detector, ctx.handle);
  const destination = destinationType.identify(input, ctx, operation);
  return destination && permissionOn(action, destinationType, destination, ctx.handle);
}

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
  operations: {
    IngestLogs: ({ stream, group, bearer }) => [
      { action: 'logs:PutLogEvents', resource: stream },
      ...(bearer ? [{ action: 'logs:CallWithBearerToken', resource: group }] : []),
    ],
  },
  otherwise(operation, given, ctx) {
    const input = given as Input;
    const action = `logs:${operation}`;
    const everyGroup = { action, resource: streamArn(groupType.arn({ name: '' }, ctx), '') };
    const main = LISTS.has(operation)
      ? everyGroup
      : (onOther(operation, input, ctx) ?? onGroup(operation, input, ctx) ?? { action, resource: '*' });
    const requests: AuthorizationRequest[] = [main];
    const unmasks = operation === 'StartQuery' && /\bunmask\b/i.test(asString(input.queryString) ?? '');
    if (input.unmask === true || unmasks) requests.push({ ...main, action: 'logs:Unmask' });
    // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html
    if (operation === 'CreateLogGroup' && Object.keys(input.tags ?? {}).length > 0)
      requests.push(onGroup('TagResource', input, ctx)!);
    const destination = asString(input.destinationArn);
    if (
      operation === 'PutSubscriptionFilter' &&
      destination !== undefined &&
      parseArn(destination)?.service === 'logs'
    ) {
      const address = destinationType.parse(destination);
      if (address) requests.push(permissionOn(action, destinationType, address, ctx.handle));
    }
    return requests;
  },
};
