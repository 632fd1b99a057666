import { type DeepReadonly, stateInRegion } from '@emu/core/service';
import type { Delivery, InputOf, OutputOf } from '@emu/service-types/logs';
import { allowDelivery } from '../bucket-delivery.ts';
import type { LogsContext } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import type { DeliveryRecord } from '../records.ts';
import { deliveryDestinationType, deliverySourceType, deliveryType } from '../resources.ts';
import { tagging } from '../tags.ts';
import { checkDelivery } from '../vended/check.ts';

const ID_LENGTH = 16;

/** @throws AwsError `ResourceNotFoundException` */
function deliveryOf(id: string, ctx: LogsContext): DeepReadonly<DeliveryRecord> {
  const delivery = ctx.state.vendedDeliveries.get(id);
  if (!delivery) throw notFound('Requested Delivery does not exist in this account.');
  return delivery;
}

/**
 * Connects a delivery source to a destination, which may be in another account.
 * @throws AwsError `ResourceNotFoundException`, `ConflictException` if they are already connected,
 * `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateDelivery.html
 */
export async function CreateDelivery(
  input: InputOf<'CreateDelivery'>,
  ctx: LogsContext,
): Promise<OutputOf<'CreateDelivery'>> {
  const {
    deliverySourceName: sourceName,
    deliveryDestinationArn: destinationArn,
    recordFields,
    fieldDelimiter,
  } = input;
  const { state } = ctx;
  const source = state.deliverySources.get(sourceName);
  if (!source) throw notFound('Requested Delivery Source does not exist in this account.');
  const address = deliveryDestinationType.parse(destinationArn);
  const owner = address && stateInRegion(address.place, ctx);
  const destination = address && owner?.deliveryDestinations.get(address.key.name);
  if (!destination) throw notFound('Requested Delivery Destination does not exist in this account.');
  checkDelivery(source, destination, input);
  const isTaken = (delivery: DeepReadonly<DeliveryRecord>): boolean =>
    delivery.sourceName === sourceName && delivery.destinationType === destination.type;
  if ([...state.vendedDeliveries.values()].some(isTaken))
    throw conflict('A delivery from this source to a destination of this type exists already.');
  const sourceArn = deliverySourceType.arn({ name: sourceName }, ctx);
  if (destination.type === 'S3') await allowDelivery(destination.resourceArn!, sourceArn, ctx);
  const id = ctx.ids.hex(ID_LENGTH);
  const record = state.vendedDeliveries.put(id, {
    id,
    sourceName,
    destinationArn,
    destinationType: destination.type,
    ...(recordFields && { recordFields }),
    ...(fieldDelimiter !== undefined && { fieldDelimiter }),
    ...(input.s3DeliveryConfiguration && { s3: input.s3DeliveryConfiguration }),
    tags: tagging.merge(undefined, input.tags),
    createdAt: ctx.clock.now(),
  });
  return { delivery: describe(record, ctx) };
}

/**
 * Updates the settings of a delivery.
 * @throws AwsError `ResourceNotFoundException`, `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UpdateDeliveryConfiguration.html
 */
export function UpdateDeliveryConfiguration(
  input: InputOf<'UpdateDeliveryConfiguration'>,
  ctx: LogsContext,
): OutputOf<'UpdateDeliveryConfiguration'> {
  const { id, recordFields, fieldDelimiter, s3DeliveryConfiguration } = input;
  const { sourceName, destinationType: type } = deliveryOf(id, ctx);
  // A source with deliveries cannot be deleted, so it exists.
  checkDelivery(ctx.state.deliverySources.get(sourceName)!, { type }, input);
  ctx.state.vendedDeliveries.update(id, (draft) => {
    if (recordFields) draft.recordFields = recordFields;
    if (fieldDelimiter !== undefined) draft.fieldDelimiter = fieldDelimiter;
    if (s3DeliveryConfiguration) draft.s3 = { ...draft.s3, ...s3DeliveryConfiguration };
  });
  return {};
}

/**
 * Returns a delivery.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetDelivery.html
 */
export function GetDelivery({ id }: InputOf<'GetDelivery'>, ctx: LogsContext): OutputOf<'GetDelivery'> {
  return { delivery: describe(deliveryOf(id, ctx), ctx) };
}

/**
 * Lists deliveries.
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeDeliveries.html
 */
export function DescribeDeliveries(
  input: InputOf<'DescribeDeliveries'>,
  ctx: LogsContext,
): OutputOf<'DescribeDeliveries'> {
  return paging
    .page('DescribeDeliveries', input, ctx.state.vendedDeliveries.values(), ({ id }) => id)
    .list((delivery) => describe(delivery, ctx));
}

/**
 * Deletes a delivery.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteDelivery.html
 */
export function DeleteDelivery({ id }: InputOf<'DeleteDelivery'>, ctx: LogsContext): OutputOf<'DeleteDelivery'> {
  deliveryOf(id, ctx);
  ctx.state.vendedDeliveries.delete(id);
  return {};
}

const describe = (record: DeepReadonly<DeliveryRecord>, ctx: LogsContext): Delivery => ({
  id: record.id,
  arn: deliveryType.arn({ id: record.id }, ctx),
  deliverySourceName: record.sourceName,
  deliveryDestinationArn: record.destinationArn,
  deliveryDestinationType: record.destinationType,
  ...(record.recordFields && { recordFields: [...record.recordFields] }),
  ...(record.fieldDelimiter !== undefined && { fieldDelimiter: record.fieldDelimiter }),
  ...(record.s3 && { s3DeliveryConfiguration: { ...record.s3 } }),
  ...(Object.keys(record.tags).length && { tags: { ...record.tags } }),
});
