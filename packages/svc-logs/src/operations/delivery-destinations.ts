import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { DeliveryDestination, InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { policyProblem } from '../policies.ts';
import type { DeliveryDestinationRecord } from '../records.ts';
import { deliveryDestinationType } from '../resources.ts';
import { tagging } from '../tags.ts';
import { checkDelivery } from '../vended/check.ts';

/** Destination types by the service in their ARN. */
const TYPES: Readonly<Record<string, DeliveryDestinationRecord['type']>> = { s3: 'S3', logs: 'CWL', firehose: 'FH' };

const destinationNotFound = () => notFound('Requested Delivery Destination does not exist in this account.');

/** @throws AwsError `ResourceNotFoundException` */
function destinationNamed(name: string, ctx: LogsContext): DeepReadonly<DeliveryDestinationRecord> {
  const destination = ctx.state.deliveryDestinations.get(name);
  if (!destination) throw destinationNotFound();
  return destination;
}

/**
 * Creates or updates a delivery destination.
 * @throws AwsError `ValidationException`, `ConflictException` for a change of its type
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDeliveryDestination.html
 */
export function PutDeliveryDestination(
  input: InputOf<'PutDeliveryDestination'>,
  ctx: LogsContext,
): OutputOf<'PutDeliveryDestination'> {
  const { name, outputFormat, deliveryDestinationConfiguration, deliveryDestinationType: given, tags } = input;
  const resourceArn = deliveryDestinationConfiguration?.destinationResourceArn;
  const type = resourceArn === undefined ? given : TYPES[parseArn(resourceArn)?.service ?? ''];
  if (type === undefined || (given !== undefined && given !== type))
    throw invalid('The specified delivery destination resource is not supported.');
  if (resourceArn === undefined && type !== 'XRAY')
    throw invalid('The delivery destination configuration is required.');
  const existing = ctx.state.deliveryDestinations.get(name);
  if (existing && existing.type !== type)
    throw conflict('A delivery destination of this name exists with another type.');
  const arn = deliveryDestinationType.arn({ name }, ctx);
  for (const { sourceName, destinationArn } of ctx.state.vendedDeliveries.values()) {
    const source = destinationArn === arn ? ctx.state.deliverySources.get(sourceName) : undefined;
    if (source) checkDelivery(source, { type, outputFormat }, {});
  }
  const record = ctx.state.deliveryDestinations.put(name, {
    name,
    type,
    ...(resourceArn !== undefined && { resourceArn }),
    ...(outputFormat !== undefined && { outputFormat }),
    ...(existing?.policy !== undefined && { policy: existing.policy }),
    tags: tagging.merge(existing?.tags, tags),
  });
  return { deliveryDestination: describe(record, ctx) };
}

/**
 * Returns a delivery destination.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetDeliveryDestination.html
 */
export function GetDeliveryDestination(
  { name }: InputOf<'GetDeliveryDestination'>,
  ctx: LogsContext,
): OutputOf<'GetDeliveryDestination'> {
  return { deliveryDestination: describe(destinationNamed(name, ctx), ctx) };
}

/**
 * Lists delivery destinations.
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeDeliveryDestinations.html
 */
export function DescribeDeliveryDestinations(
  input: InputOf<'DescribeDeliveryDestinations'>,
  ctx: LogsContext,
): OutputOf<'DescribeDeliveryDestinations'> {
  return paging
    .page('DescribeDeliveryDestinations', input, ctx.state.deliveryDestinations.values(), ({ name }) => name)
    .list((destination) => describe(destination, ctx));
}

/**
 * Deletes a delivery destination without deliveries.
 * @throws AwsError `ResourceNotFoundException`, `ConflictException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteDeliveryDestination.html
 */
export function DeleteDeliveryDestination(
  { name }: InputOf<'DeleteDeliveryDestination'>,
  ctx: LogsContext,
): OutputOf<'DeleteDeliveryDestination'> {
  destinationNamed(name, ctx);
  const arn = deliveryDestinationType.arn({ name }, ctx);
  if ([...ctx.state.vendedDeliveries.values()].some(({ destinationArn }) => destinationArn === arn))
    throw conflict('The delivery destination has deliveries. Delete them first.');
  ctx.state.deliveryDestinations.delete(name);
  return {};
}

/**
 * Sets which accounts may deliver to a destination.
 * @throws AwsError `ResourceNotFoundException`, `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDeliveryDestinationPolicy.html
 */
export function PutDeliveryDestinationPolicy(
  input: InputOf<'PutDeliveryDestinationPolicy'>,
  ctx: LogsContext,
): OutputOf<'PutDeliveryDestinationPolicy'> {
  const { deliveryDestinationName: name, deliveryDestinationPolicy: policy } = input;
  destinationNamed(name, ctx);
  const problem = policyProblem(policy);
  if (problem !== undefined) throw invalid(`The specified delivery destination policy is not valid (${problem}).`);
  ctx.state.deliveryDestinations.update(name, (draft) => {
    draft.policy = policy;
  });
  return { policy: { deliveryDestinationPolicy: policy } };
}

/**
 * Returns the policy of a destination, or an empty one.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetDeliveryDestinationPolicy.html
 */
export function GetDeliveryDestinationPolicy(
  input: InputOf<'GetDeliveryDestinationPolicy'>,
  ctx: LogsContext,
): OutputOf<'GetDeliveryDestinationPolicy'> {
  const { policy } = destinationNamed(input.deliveryDestinationName, ctx);
  return { policy: policy === undefined ? {} : { deliveryDestinationPolicy: policy } };
}

/**
 * Deletes the policy of a destination.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteDeliveryDestinationPolicy.html
 */
export function DeleteDeliveryDestinationPolicy(
  input: InputOf<'DeleteDeliveryDestinationPolicy'>,
  ctx: LogsContext,
): OutputOf<'DeleteDeliveryDestinationPolicy'> {
  const { name } = destinationNamed(input.deliveryDestinationName, ctx);
  ctx.state.deliveryDestinations.update(name, (draft) => {
    delete draft.policy;
  });
  return {};
}

const describe = (record: DeepReadonly<DeliveryDestinationRecord>, ctx: LogsContext): DeliveryDestination => ({
  name: record.name,
  arn: deliveryDestinationType.arn({ name: record.name }, ctx),
  deliveryDestinationType: record.type,
  ...(record.outputFormat !== undefined && { outputFormat: record.outputFormat }),
  ...(record.resourceArn !== undefined && {
    deliveryDestinationConfiguration: { destinationResourceArn: record.resourceArn },
  }),
  ...(Object.keys(record.tags).length && { tags: { ...record.tags } }),
});
