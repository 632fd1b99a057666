import type { DeepReadonly } from '@emu/core/service';
import type { KinesisContext } from '../context.ts';
import { consumerAt, streamOf } from '../lookup.ts';
import { consumerType } from '../resources.ts';

/** Common members of streams and consumers. */
interface Described {
  tags: Record<string, string>;
  policy?: string;
}

/** A stream or a consumer. */
export interface Resource {
  readonly record: DeepReadonly<Described>;
  update(change: (draft: Described) => void): void;
}

/**
 * Returns the stream or consumer with an ARN.
 * @throws AwsError `ResourceNotFoundException`
 */
export function resourceAt(arn: string, ctx: KinesisContext): Resource {
  if (consumerType.parse(arn)) {
    const { state, consumer } = consumerAt(arn, ctx);
    return {
      record: consumer,
      update: (change) => void state.consumers.update(consumer.stream, consumer.name, change),
    };
  }
  const { state, stream } = streamOf({ StreamARN: arn }, ctx);
  return { record: stream, update: (change) => void state.updateStream(stream.name, change) };
}
