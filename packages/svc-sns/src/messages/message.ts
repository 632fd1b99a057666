import { isObject, parseJson } from '@emu/wire';
import { invalidParameter } from '../errors.ts';
import type { StoredMessage } from '../records.ts';
import { attributesSize, type MessageAttributeMap, normalizeAttributes } from './attributes.ts';

/** Limit of a message or a batch in bytes, including attributes. */
export const MAX_BYTES = 262_144;
const MAX_SUBJECT = 100;
const TOKEN = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/;

/** Common members of Publish and an entry of PublishBatch. */
export interface PublishInput {
  Message: string;
  Subject?: string | undefined;
  MessageStructure?: string | undefined;
  MessageAttributes?: MessageAttributeMap | undefined;
  MessageGroupId?: string | undefined;
  MessageDeduplicationId?: string | undefined;
}

/** A validated message without an id. */
export type CheckedMessage = Pick<
  StoredMessage,
  'text' | 'texts' | 'subject' | 'attributes' | 'groupId' | 'deduplicationId'
>;

/** Size of the message in bytes, as AWS counts it. */
export const messageSize = ({ Message, MessageAttributes }: PublishInput): number =>
  Buffer.byteLength(Message) + attributesSize(MessageAttributes);

/**
 * Validates a message.
 * @throws AwsError `InvalidParameter`, or `ParameterValueInvalid` for attributes
 */
export function checkMessage(input: PublishInput): CheckedMessage {
  const { Message, Subject, MessageStructure, MessageAttributes, MessageGroupId, MessageDeduplicationId } = input;
  if (!Message) throw invalidParameter('Empty message');
  if (messageSize(input) > MAX_BYTES) throw invalidParameter('Message too long');
  if (Subject !== undefined && !isSubject(Subject)) throw invalidParameter('Subject');
  const message: CheckedMessage = { text: Message };
  if (MessageStructure !== undefined) {
    if (MessageStructure !== 'json') throw invalidParameter('MessageStructure');
    message.texts = readStructure(Message);
    message.text = message.texts.default!;
  }
  const attributes = normalizeAttributes(MessageAttributes);
  if (Subject !== undefined) message.subject = Subject;
  if (attributes) message.attributes = attributes;
  if (MessageGroupId !== undefined) message.groupId = MessageGroupId;
  if (MessageDeduplicationId !== undefined) message.deduplicationId = MessageDeduplicationId;
  return message;
}

/** Whether a text is a valid subject: one line of up to 100 characters that begins with a visible character. */
function isSubject(subject: string): boolean {
  return subject.length > 0 && subject.length <= MAX_SUBJECT && !/[\p{Cc}]/u.test(subject) && !/^\s/.test(subject);
}

/** Returns the texts by protocol. Members that are not strings are ignored. */
function readStructure(json: string): Record<string, string> {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch {
    throw invalidParameter('Message Structure - JSON message body failed to parse');
  }
  const texts = new Map<string, string>();
  if (isObject(value))
    for (const [name, text] of Object.entries(value)) if (typeof text === 'string') texts.set(name, text);
  if (!texts.has('default')) throw invalidParameter('Message Structure - No default entry in JSON message body');
  return Object.fromEntries(texts);
}

/**
 * Validates message group and deduplication id for the type of the topic.
 * @throws AwsError `InvalidParameter`
 */
export function checkPlacement(
  input: PublishInput,
  topic: { fifo: boolean; contentBasedDeduplication: boolean },
): void {
  const { MessageGroupId, MessageDeduplicationId } = input;
  if (!topic.fifo && MessageDeduplicationId !== undefined)
    throw invalidParameter(
      'MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for this topic type',
    );
  if (topic.fifo && MessageGroupId === undefined)
    throw invalidParameter('The MessageGroupId parameter is required for FIFO topics');
  if (topic.fifo && MessageDeduplicationId === undefined && !topic.contentBasedDeduplication)
    throw invalidParameter(
      'The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
  if (MessageGroupId !== undefined && !TOKEN.test(MessageGroupId)) throw invalidParameter('MessageGroupId');
  if (MessageDeduplicationId !== undefined && !TOKEN.test(MessageDeduplicationId))
    throw invalidParameter('MessageDeduplicationId');
}

/** Returns the text for subscribers of a protocol. */
export function textFor(message: Readonly<Pick<StoredMessage, 'text' | 'texts'>>, protocol: string): string {
  const { texts } = message;
  return texts && Object.hasOwn(texts, protocol) ? texts[protocol]! : message.text;
}
