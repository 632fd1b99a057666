import type { DeepReadonly } from '@emu/core/service';
import type { MessageAttributeValue } from '@emu/service-types/sqs';
import { type Caller, deliverByCall, type Outcome } from '../messages/outcome.ts';
import type { StoredAttribute, StoredMessage } from '../records.ts';
import type { QueueTarget } from '../subscriptions/subscriber.ts';

type Attributes = DeepReadonly<Record<string, StoredAttribute>>;

/**
 * Sends a message to a queue.
 * @param caller calls SQS
 * @param attributes message attributes to forward in raw deliveries
 * @param requestId id of a call whose response is logged
 */
export function sendToQueue(
  caller: Caller,
  queue: QueueTarget,
  body: string,
  message: DeepReadonly<StoredMessage>,
  attributes: Attributes | undefined,
  requestId?: string,
): Promise<Outcome> {
  const input = {
    QueueUrl: queue.url,
    MessageBody: body,
    ...(attributes && { MessageAttributes: queueAttributes(attributes) }),
    ...(message.traceHeader !== undefined && {
      MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: message.traceHeader } },
    }),
    // A standard queue ignores message groups of a FIFO topic. It uses those of a standard topic for fair queues.
    ...((queue.fifo || message.sequence === undefined) &&
      message.groupId !== undefined && { MessageGroupId: message.groupId }),
    ...(queue.fifo && message.deduplicationId !== undefined && { MessageDeduplicationId: message.deduplicationId }),
  };
  return deliverByCall(caller, 'sqs', 'SendMessage', input, { ...queue.call, cause: message.cause }, requestId);
}

function queueAttributes(attributes: Attributes): Record<string, MessageAttributeValue> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type, value }]) => [
      name,
      type.startsWith('Binary')
        ? { DataType: type, BinaryValue: Buffer.from(value, 'base64') }
        : { DataType: type, StringValue: value },
    ]),
  );
}
