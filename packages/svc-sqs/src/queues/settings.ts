import { parseArn } from '@emu/core/service';
import type { QueueRecord } from '../records.ts';
import { attributeOf } from './attributes.ts';
import { isFifoName } from './name.ts';
import { parseRedrivePolicy } from './redrive-policy.ts';

/** Parsed queue attributes for hot paths. Durations are milliseconds, sizes bytes. */
export interface QueueSettings {
  readonly fifo: boolean;
  readonly visibilityTimeout: number;
  readonly delay: number;
  readonly retention: number;
  readonly maximumMessageSize: number;
  /** Seconds. */
  readonly receiveWaitTimeSeconds: number;
  readonly contentBasedDeduplication: boolean;
  /** Lifetime of a data key of the queue's KMS key. */
  readonly dataKeyReuse: number;
  readonly redrive: { readonly deadLetterQueue: string; readonly maxReceiveCount: number } | undefined;
}

/** Parses a queue's attributes when the queue is created or changed. */
export function settingsOf(queue: Pick<QueueRecord, 'name' | 'attributes'>): QueueSettings {
  const number = (name: string) => Number(attributeOf(queue, name));
  const redrive = parseRedrivePolicy(queue.attributes.RedrivePolicy);
  return {
    fifo: isFifoName(queue.name),
    visibilityTimeout: number('VisibilityTimeout') * 1000,
    delay: number('DelaySeconds') * 1000,
    retention: number('MessageRetentionPeriod') * 1000,
    maximumMessageSize: number('MaximumMessageSize'),
    receiveWaitTimeSeconds: number('ReceiveMessageWaitTimeSeconds'),
    contentBasedDeduplication: attributeOf(queue, 'ContentBasedDeduplication') === 'true',
    dataKeyReuse: Number(attributeOf(queue, 'KmsDataKeyReusePeriodSeconds') ?? 0) * 1000,
    redrive: redrive && {
      deadLetterQueue: parseArn(redrive.deadLetterTargetArn)!.resource,
      maxReceiveCount: redrive.maxReceiveCount,
    },
  };
}
