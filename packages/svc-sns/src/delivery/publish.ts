import { snsError } from '../errors.ts';
import type { LoggedMessage } from '../messages/log.ts';
import type { CheckedMessage, PublishInput } from '../messages/message.ts';
import type { StoredMessage } from '../records.ts';
import type { SnsState } from '../state.ts';
import { applyDataProtection } from '../topics/data-protection-policy.ts';
import { contentDeduplicationId } from '../topics/fifo.ts';
import type { Topic } from '../topics/topic.ts';
import { fanOut } from './fan-out.ts';

/** Result of a publication. */
export interface Published {
  MessageId: string;
  /** FIFO topics only. */
  SequenceNumber?: string;
}

/** A message to publish to a topic. */
export interface Publication {
  input: PublishInput;
  checked: CheckedMessage;
  /** ARN of the publisher. */
  publisher: string;
  baseUrl: string;
  traceHeader: string | undefined;
  /** Id of the request. */
  requestId: string;
  /** Topic name in the request, if it did not use TopicArn. */
  targetArn?: string;
}

/**
 * Publishes a message to a topic. A duplicate within five minutes on a FIFO topic returns the result of the first.
 * @throws AwsError `AuthorizationError` if the topic's data protection policy denies it
 */
export async function publish(state: SnsState, topic: Topic, publication: Publication): Promise<Published> {
  const { input, baseUrl, traceHeader, requestId, targetArn } = publication;
  const now = state.clock.now();
  const checked = inbound(topic, publication);
  const { groupId = '' } = checked;
  const deduplicationId = topic.fifo ? (checked.deduplicationId ?? contentDeduplicationId(checked.text)) : undefined;
  const earlier =
    deduplicationId === undefined ? undefined : state.deduplication.find(topic, { groupId, deduplicationId }, now);
  if (earlier) return { MessageId: earlier.messageId, SequenceNumber: earlier.sequence };
  const id = state.ids.uuid();
  // One object literal, because spreading and then adding members is several times slower.
  const { text, texts, subject, attributes } = checked;
  const message: StoredMessage = { id, topicArn: topic.arn, text, publishedAt: now, baseUrl, cause: requestId };
  if (texts) message.texts = texts;
  if (subject !== undefined) message.subject = subject;
  if (attributes) message.attributes = attributes;
  if (checked.groupId !== undefined) message.groupId = checked.groupId;
  if (checked.deduplicationId !== undefined) message.deduplicationId = checked.deduplicationId;
  if (traceHeader !== undefined) message.traceHeader = traceHeader;
  if (deduplicationId !== undefined) {
    message.deduplicationId = deduplicationId;
    message.sequence = state.deduplication.add(topic, { groupId, deduplicationId }, id, now);
  }
  if (topic.archiveDays !== undefined) state.archive.add(topic.name, message);
  const entry: LoggedMessage = { message, input, deliveries: [] };
  if (targetArn !== undefined) entry.targetArn = targetArn;
  state.messages.add(entry, state.subscribersOf(topic.name).length);
  state.report(topic.name, 'NumberOfMessagesPublished');
  state.report(topic.name, 'PublishSize', Buffer.byteLength(text), 'Bytes');
  await fanOut(state, topic, message, entry);
  return message.sequence === undefined ? { MessageId: id } : { MessageId: id, SequenceNumber: message.sequence };
}

/** Returns the message that the topic's data protection policy allows. */
function inbound({ record }: Topic, { checked, publisher }: Publication): CheckedMessage {
  const policy = record.dataProtectionPolicy;
  if (!policy) return checked;
  const clean = (text: string): string => {
    const result = applyDataProtection(policy, 'Inbound', publisher, text);
    if (result.denied)
      throw snsError(
        'AuthorizationErrorException',
        'The message was denied by the data protection policy of the topic',
      );
    return result.text;
  };
  const { texts } = checked;
  return {
    ...checked,
    text: clean(checked.text),
    ...(texts && { texts: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, clean(text)])) }),
  };
}
