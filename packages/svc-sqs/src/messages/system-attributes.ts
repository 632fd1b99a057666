import type { QueuedMessage } from '../ordering/queued-message.ts';
import { formatSequenceNumber } from '../queues/sequence-numbers.ts';
import type { StoredAttribute } from '../records.ts';

/** System attributes of a received message, by AWS's names. */
const SYSTEM_ATTRIBUTES: Readonly<
  Record<string, (message: QueuedMessage, arnOf: (queueName: string) => string) => string | undefined>
> = {
  SenderId: ({ message }) => message.senderId,
  SentTimestamp: ({ message }) => String(message.sentAt),
  ApproximateReceiveCount: ({ delivery }) => String(delivery?.receives ?? 0),
  ApproximateFirstReceiveTimestamp: ({ delivery }) =>
    delivery?.firstReceivedAt === undefined ? undefined : String(delivery.firstReceivedAt),
  SequenceNumber: ({ message, sequence }) =>
    message.deduplicationId === undefined ? undefined : formatSequenceNumber(sequence),
  MessageDeduplicationId: ({ message }) => message.deduplicationId,
  MessageGroupId: ({ message }) => message.groupId,
  AWSTraceHeader: ({ message }) => message.traceHeader,
  DeadLetterQueueSourceArn: ({ delivery }, arnOf) =>
    delivery?.deadLetteredBy === undefined ? undefined : arnOf(delivery.deadLetteredBy),
};

/** Whether SQS supports a system attribute. */
export function isSystemAttribute(name: string): boolean {
  return name === 'All' || Object.hasOwn(SYSTEM_ATTRIBUTES, name);
}

/**
 * Selects system attributes of a message.
 * @param names system attributes, or `All`
 * @param arnOf returns the ARN of a queue of this account and region
 * @returns undefined if none match
 */
export function selectSystemAttributes(
  message: QueuedMessage,
  names: readonly string[],
  arnOf: (queueName: string) => string,
): Record<string, string> | undefined {
  const wanted = names.includes('All') ? Object.keys(SYSTEM_ATTRIBUTES) : names;
  const selected: Record<string, string> = {};
  let found = false;
  for (const name of wanted) {
    const value = SYSTEM_ATTRIBUTES[name]?.(message, arnOf);
    if (value === undefined) continue;
    selected[name] = value;
    found = true;
  }
  return found ? selected : undefined;
}

/** Returns a stored message attribute in AWS's form. */
export function toAttributeValue({ type, string, binary }: StoredAttribute): {
  DataType: string;
  StringValue?: string;
  BinaryValue?: Uint8Array;
} {
  return string === undefined
    ? { BinaryValue: Buffer.from(binary!, 'base64'), DataType: type }
    : { StringValue: string, DataType: type };
}
