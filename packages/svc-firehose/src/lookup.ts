import type { FirehoseContext } from './context.ts';
import { inUse, streamNotFound } from './errors.ts';
import type { DeliveryStream } from './registry.ts';

/**
 * Returns the delivery stream with a name.
 * @throws AwsError `ResourceNotFoundException`
 */
export function streamOf(name: string, { state, accountId }: FirehoseContext): DeliveryStream {
  const stream = state.stream(name);
  if (!stream) throw streamNotFound(name, accountId);
  return stream;
}

/**
 * Returns the delivery stream with a name for a change.
 * @throws AwsError `ResourceInUseException` while it is created or deleted
 */
export function activeStreamOf(name: string, ctx: FirehoseContext): DeliveryStream {
  const stream = streamOf(name, ctx);
  if (stream.status !== 'ACTIVE')
    throw inUse(`Firehose ${name} under accountId ${ctx.accountId} is not in ACTIVE status but in ${stream.status}.`);
  return stream;
}
