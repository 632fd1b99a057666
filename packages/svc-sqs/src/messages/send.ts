import { hash } from 'node:crypto';
import type { OperationContext } from '@emu/core/service';
import { invalidParameterValue, invalidValueFor, missingParameter, sqsError } from '../errors.ts';
import { contentDeduplicationId } from '../queues/deduplication.ts';
import { type Queue, queuedMessage } from '../queues/queue.ts';
import { formatSequenceNumber } from '../queues/sequence-numbers.ts';
import type { MessageRecord, StoredAttribute } from '../records.ts';
import {
  type AttributeValue,
  attributesMd5,
  attributesSize,
  checkToken,
  hasInvalidCharacters,
  normalizeMessageAttributes,
  traceHeaderMd5,
  traceHeaderOf,
} from './attributes.ts';

const MAX_DELAY_SECONDS = 900;

/** A message as given by its sender. */
export interface OutgoingMessage {
  MessageBody: string;
  DelaySeconds?: number | undefined;
  MessageAttributes?: Readonly<Record<string, AttributeValue>> | undefined;
  MessageSystemAttributes?: Readonly<Record<string, AttributeValue>> | undefined;
  MessageDeduplicationId?: string | undefined;
  MessageGroupId?: string | undefined;
}

/** A validated message. */
export interface CheckedMessage {
  outgoing: OutgoingMessage;
  attributes: Record<string, StoredAttribute> | undefined;
  traceHeader: string | undefined;
}

/** Result for the sender. */
export interface SentMessage {
  messageId: string;
  bodyMd5: string;
  attributesMd5: string | undefined;
  systemAttributesMd5: string | undefined;
  /** FIFO queues only. */
  sequenceNumber: string | undefined;
}

/** Returns the size of a message in bytes: body and attributes. */
export function messageSize({ MessageBody, MessageAttributes }: OutgoingMessage): number {
  return Buffer.byteLength(MessageBody ?? '') + (MessageAttributes ? attributesSize(MessageAttributes) : 0);
}

/**
 * Validates a message for the queue's type: delay, group and deduplication id.
 * @throws AwsError `InvalidParameterValue`, or `MissingParameter` for a FIFO message without group
 */
export function checkPlacement(queue: Queue, message: OutgoingMessage): void {
  const { DelaySeconds, MessageGroupId, MessageDeduplicationId } = message;
  const { fifo, contentBasedDeduplication } = queue.settings;
  if (fifo && DelaySeconds)
    throw invalidValueFor(
      'DelaySeconds',
      DelaySeconds,
      'The request include parameter that is not valid for this queue type.',
    );
  if (DelaySeconds !== undefined && !(DelaySeconds >= 0 && DelaySeconds <= MAX_DELAY_SECONDS))
    throw invalidValueFor('DelaySeconds', DelaySeconds, `DelaySeconds must be >= 0 and <= ${MAX_DELAY_SECONDS}.`);
  if (!fifo && MessageDeduplicationId !== undefined)
    throw invalidValueFor(
      'MessageDeduplicationId',
      MessageDeduplicationId,
      'The request include parameter that is not valid for this queue type.',
    );
  if (fifo && MessageGroupId === undefined) throw missingParameter('MessageGroupId');
  checkToken('MessageGroupId', MessageGroupId);
  if (fifo && MessageDeduplicationId === undefined && !contentBasedDeduplication)
    throw invalidParameterValue(
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
  checkToken('MessageDeduplicationId', MessageDeduplicationId);
}

/**
 * Validates a message's characters and attributes.
 * @throws AwsError `InvalidMessageContents` or `InvalidParameterValue`
 */
export function checkContents(message: OutgoingMessage): CheckedMessage {
  if (hasInvalidCharacters(message.MessageBody))
    throw sqsError(
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
    );
  return {
    outgoing: message,
    attributes: normalizeMessageAttributes(message.MessageAttributes),
    traceHeader: traceHeaderOf(message.MessageSystemAttributes),
  };
}

/**
 * Adds a message to a queue, unless a FIFO queue received its deduplication id within five minutes: then returns the
 * earlier message's result. The caller serves waiting receivers.
 * @param sender the sender and its request
 * @param requestTrace trace header of the request, used unless the message has its own
 */
export function send(
  queue: Queue,
  checked: CheckedMessage,
  { principal, ids, requestId }: Pick<OperationContext, 'principal' | 'ids' | 'requestId'>,
  requestTrace?: string,
): SentMessage {
  const { fifo } = queue.settings;
  const { outgoing: message, attributes, traceHeader } = checked;
  const body = message.MessageBody;
  const now = queue.storage.clock.now();
  const md5 = hash('md5', body, 'hex');
  const groupId = message.MessageGroupId;
  const deduplicationId = fifo ? (message.MessageDeduplicationId ?? contentDeduplicationId(body)) : undefined;
  const earlier = deduplicationId === undefined ? undefined : queue.deduplication.find(deduplicationId, groupId!, now);
  const messageId = earlier?.messageId ?? ids.uuid();
  const sequence = earlier?.sequence ?? String(queue.storage.sequences.take());
  if (!earlier) {
    const record: MessageRecord = {
      queue: queue.name,
      id: messageId,
      body,
      md5,
      senderId: principal.userId,
      sentAt: now,
      cause: requestId,
    };
    const delay = fifo ? 0 : message.DelaySeconds === undefined ? queue.settings.delay : message.DelaySeconds * 1000;
    if (delay > 0) record.delayedUntil = now + delay;
    if (attributes) record.attributes = attributes;
    const trace = traceHeader ?? requestTrace;
    if (trace !== undefined) record.traceHeader = trace;
    if (groupId !== undefined) record.groupId = groupId;
    if (deduplicationId !== undefined) record.deduplicationId = deduplicationId;
    const kept = queue.storage.messages.put(sequence, record);
    if (deduplicationId !== undefined) queue.deduplication.add(deduplicationId, groupId!, { messageId, sequence }, now);
    queue.enter(queuedMessage(sequence, kept, undefined), now);
  }
  queue.metrics?.sent(messageSize(message), now);
  return {
    messageId,
    bodyMd5: md5,
    attributesMd5: attributes && attributesMd5(attributes),
    systemAttributesMd5: traceHeader === undefined ? undefined : traceHeaderMd5(traceHeader),
    sequenceNumber: fifo ? formatSequenceNumber(sequence) : undefined,
  };
}
