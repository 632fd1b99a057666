import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { DeliverySource, InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import type { DeliverySourceRecord } from '../records.ts';
import { deliverySourceType } from '../resources.ts';
import { tagging } from '../tags.ts';
import { checkSource } from '../vended/check.ts';

/**
 * Log types of the services with vended logs, by the name in ARNs; undefined for services whose types AWS does not
 * list there.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDeliverySource.html
 */
const LOG_TYPES: Readonly<Record<string, readonly string[] | undefined>> = {
  aidevops: ['APPLICATION_LOGS'],
  bedrock: ['APPLICATION_LOGS', 'EVENT_LOGS'],
  'bedrock-agentcore': ['APPLICATION_LOGS', 'USAGE_LOGS', 'TRACES'],
  cloudfront: ['ACCESS_LOGS'],
  codewhisperer: ['EVENT_LOGS'],
  'cognito-idp': undefined,
  ec2: ['EVENT_LOGS'],
  eks: [
    'AUTO_MODE_BLOCK_STORAGE_LOGS',
    'AUTO_MODE_COMPUTE_LOGS',
    'AUTO_MODE_IPAM_LOGS',
    'AUTO_MODE_LOAD_BALANCING_LOGS',
  ],
  elasticloadbalancing: ['NLB_ACCESS_LOGS'],
  entityresolution: ['WORKFLOW_LOGS'],
  events: undefined,
  mediapackagev2: ['EGRESS_ACCESS_LOGS', 'INGRESS_ACCESS_LOGS'],
  mediatailor: ['AD_DECISION_SERVER_LOGS', 'MANIFEST_SERVICE_LOGS', 'TRANSCODE_LOGS'],
  'network-firewall': ['ALERT_LOGS', 'ALLOW_LOGS', 'DENY_LOGS'],
  pcs: ['PCS_SCHEDULER_LOGS', 'PCS_JOBCOMP_LOGS', 'PCS_SCHEDULER_AUDIT_LOGS'],
  qbusiness: ['EVENT_LOGS', 'SYNC_JOB_LOGS'],
  quicksight: ['CHAT_LOGS', 'FEEDBACK_LOGS'],
  rtbfabric: ['APPLICATION_LOGS'],
  securityhub: ['SECURITY_FINDING_LOGS'],
  ses: ['APPLICATION_LOGS', 'TRAFFIC_POLICY_DEBUG_LOGS'],
  sso: ['ERROR_LOGS'],
  'vpc-lattice': undefined,
  wisdom: ['EVENT_LOGS', 'SYNC_JOB_LOGS'],
  workmail: [
    'ACCESS_CONTROL_LOGS',
    'AUTHENTICATION_LOGS',
    'WORKMAIL_AVAILABILITY_PROVIDER_LOGS',
    'WORKMAIL_MAILBOX_ACCESS_LOGS',
    'WORKMAIL_PERSONAL_ACCESS_TOKEN_LOGS',
  ],
};

/** Whether a service has vended logs. */
export const isVendedService = (name: string): boolean => Object.hasOwn(LOG_TYPES, name);

/**
 * Creates or updates a delivery source for a resource.
 * @throws AwsError `ResourceNotFoundException` for a service without vended logs, `ConflictException` for a change of
 * its resource, `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDeliverySource.html
 */
export function PutDeliverySource(
  input: InputOf<'PutDeliverySource'>,
  ctx: LogsContext,
): OutputOf<'PutDeliverySource'> {
  const { name, resourceArn, logType, tags, deliverySourceConfiguration: configuration } = input;
  const service = parseArn(resourceArn)?.service ?? '';
  if (!isVendedService(service)) throw notFound('Cannot access provided service.');
  checkSource(resourceArn, logType, ctx.region, LOG_TYPES[service]);
  const existing = ctx.state.deliverySources.get(name);
  if (existing && existing.resourceArn !== resourceArn)
    throw conflict('A delivery source of this name exists for another resource.');
  const record = ctx.state.deliverySources.put(name, {
    name,
    resourceArn,
    service,
    logType,
    ...(configuration && { configuration }),
    tags: tagging.merge(existing?.tags, tags),
  });
  return { deliverySource: describe(record, ctx) };
}

/**
 * Returns a delivery source.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetDeliverySource.html
 */
export function GetDeliverySource(
  { name }: InputOf<'GetDeliverySource'>,
  ctx: LogsContext,
): OutputOf<'GetDeliverySource'> {
  const source = ctx.state.deliverySources.get(name);
  if (!source) throw notFound('Requested Delivery Source does not exist in this account.');
  return { deliverySource: describe(source, ctx) };
}

/**
 * Lists delivery sources.
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeDeliverySources.html
 */
export function DescribeDeliverySources(
  input: InputOf<'DescribeDeliverySources'>,
  ctx: LogsContext,
): OutputOf<'DescribeDeliverySources'> {
  return paging
    .page('DescribeDeliverySources', input, ctx.state.deliverySources.values(), ({ name }) => name)
    .list((source) => describe(source, ctx));
}

/**
 * Deletes a delivery source without deliveries.
 * @throws AwsError `ResourceNotFoundException`, `ConflictException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteDeliverySource.html
 */
export function DeleteDeliverySource(
  { name }: InputOf<'DeleteDeliverySource'>,
  ctx: LogsContext,
): OutputOf<'DeleteDeliverySource'> {
  const { deliverySources, vendedDeliveries } = ctx.state;
  // AWS's message ends with two full stops.
  if (!deliverySources.has(name)) throw notFound('Requested Delivery Source does not exist in this account..');
  if ([...vendedDeliveries.values()].some(({ sourceName }) => sourceName === name))
    throw conflict('The delivery source has deliveries. Delete them first.');
  deliverySources.delete(name);
  return {};
}

const describe = (source: DeepReadonly<DeliverySourceRecord>, ctx: LogsContext): DeliverySource => ({
  name: source.name,
  arn: deliverySourceType.arn({ name: source.name }, ctx),
  resourceArns: [source.resourceArn],
  service: source.service,
  logType: source.logType,
  ...(source.configuration && { deliverySourceConfiguration: { ...source.configuration } }),
  ...(Object.keys(source.tags).length && { tags: { ...source.tags } }),
});
