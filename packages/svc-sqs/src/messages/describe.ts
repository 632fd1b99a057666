import type { Message } from '@emu/service-types/sqs';
import type { QueuedMessage } from '../ordering/queued-message.ts';
import { attributesMd5, selectMessageAttributes } from './attributes.ts';
import { selectSystemAttributes, toAttributeValue } from './system-attributes.ts';

/** Parts of messages that a reader requests. */
export interface MessageView {
  receiptHandle: string;
  /** System attributes by name, or `All`. */
  systemAttributes: readonly string[];
  /** Message attributes by name, by prefix with `.*`, or `All`. */
  attributes: readonly string[] | undefined;
  /** Returns the ARN of a queue in the same account and region. */
  arnOf(queueName: string): string;
}

/** Returns the message as ReceiveMessage returns it. */
export function describeMessage(queued: QueuedMessage, view: MessageView): Message {
  const { message } = queued;
  const described: Message = {
    MessageId: message.id,
    ReceiptHandle: view.receiptHandle,
    MD5OfBody: message.md5,
    Body: message.body,
  };
  if (view.systemAttributes.length) {
    const system = selectSystemAttributes(queued, view.systemAttributes, view.arnOf);
    if (system) described.Attributes = system;
  }
  const attributes = selectMessageAttributes(message.attributes, view.attributes);
  if (attributes) {
    described.MD5OfMessageAttributes = attributesMd5(attributes);
    described.MessageAttributes = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, toAttributeValue(value)]),
    );
  }
  return described;
}
