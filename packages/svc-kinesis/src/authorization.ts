import { type AuthorizationRequest, namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { DescribeStreamConsumerInput, KinesisOperations } from '@emu/service-types/kinesis';
import type { KinesisContext } from './context.ts';
import { consumerKey, consumerType, resources, streamType } from './resources.ts';
import type { KinesisState } from './state.ts';

/** Returns the permission on a consumer, given by its ARN, or by its name and the ARN of its stream. */
function onConsumer(
  operation: string,
  { ConsumerARN, ConsumerName: name, StreamARN }: DescribeStreamConsumerInput,
  ctx: KinesisContext,
): AuthorizationRequest {
  const action = `kinesis:${operation}`;
  const stream = StreamARN === undefined ? undefined : streamType.parse(StreamARN);
  const given = ConsumerARN === undefined ? undefined : consumerType.parse(ConsumerARN);
  if (given) return permissionOn(action, consumerType, given, ctx.handle);
  if (!stream || name === undefined) return { action, resource: '*' };
  const consumer = ctx.handle
    .existingState(stream.place.accountId, stream.place.region)
    ?.consumers.get(stream.key.name, name);
  const key = consumer ? consumerKey(consumer) : { stream: stream.key.name, name, createdAt: '*' };
  return permissionOn(action, consumerType, { key, place: stream.place }, ctx.handle);
}

/** Returns the permission of an operation on the resource in its input. */
function onNamed(operation: string, input: object, ctx: KinesisContext): AuthorizationRequest {
  const action = `kinesis:${operation}`;
  const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
  if (!named) return { action, resource: '*' };
  return permissionOn(action, named.type, named.address, ctx.handle);
}

/**
 * Permissions of Kinesis's operations: their own action on the stream or consumer.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonkinesisdatastreams.html
 */
export const authorization: ServiceAuthorization<KinesisOperations, KinesisState> = {
  prefix: 'kinesis',
  tagOnCreate: {
    // `kinesis:TagResource` does not apply. https://docs.aws.amazon.com/kinesis/latest/APIReference/API_CreateStream.html
    CreateStream: 'AddTagsToStream',
    // https://docs.aws.amazon.com/kinesis/latest/APIReference/API_RegisterStreamConsumer.html
    RegisterStreamConsumer: (input, ctx) => onConsumer('TagResource', input, ctx),
  },
  withoutResource: { DisableEnhancedMonitoring: true, EnableEnhancedMonitoring: true, UpdateStreamMode: true },
  operations: {
    DeregisterStreamConsumer: (input, ctx) => onConsumer('DeregisterStreamConsumer', input, ctx),
    DescribeStreamConsumer: (input, ctx) => onConsumer('DescribeStreamConsumer', input, ctx),
  },
  otherwise: (operation, input, ctx) => onNamed(operation, input as object, ctx),
};
