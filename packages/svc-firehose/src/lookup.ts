import type { FirehoseContext } from './context.ts';
import { inUse, streamNotFound } from './errors.ts';
import type { DeliveryStream } from './registry.ts';

/**
 * The delivery stream of a name.
 * @throws AwsError `ResourceNotFoundException`
 */
export function streamOf(name: string, { state, accountId }: FirehoseContext): DeliveryStream {
  const stream = state.stream(name);
  if (!stream) throw streamNotFound(name, accountId);
  return stream;
}

/**
 * The delivery stream of a name, which is to be changed.
 * @throws AwsError `ResourceInUseException` where it is being made or deleted
 */
export function activeStreamOf(name: string, ctx: FirehoseContext): DeliveryStream {
  const stream = streamOf(name, ctx);
  if (stream.status !== 'ACTIVE')
    throw inUse(`Firehose ${name} under accountId ${ctx.accountId} is not in ACTIVE status but in ${stream.status}.`);
  return stream;
}
