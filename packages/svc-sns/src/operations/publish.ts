import { exceedsBytes, parseArn } from '@emu/core/service';
import type {
  BatchResultErrorEntry,
  InputOf,
  OutputOf,
  PublishBatchRequestEntry,
  PublishBatchResultEntry,
  PublishInput,
  PublishResponse,
} from '@emu/service-types/sns';
import { AwsError } from '@emu/wire';
import { snsArn } from '../arns.ts';
import type { SnsContext } from '../context.ts';
import { type Publication, publish } from '../delivery/publish.ts';
import { invalidParameter, snsError } from '../errors.ts';
import { baseUrlOf, isHttp, stateAt, type TopicTarget, topicAt } from '../lookup.ts';
import { checkMessage, checkPlacement, MAX_BYTES, messageSize } from '../messages/message.ts';
import { DELIVERED } from '../messages/outcome.ts';
import { isPublishable } from '../mobile/phone-numbers.ts';
import { sendSms, smsTypeOf } from '../mobile/sms-delivery.ts';
import type { StoredMessage } from '../records.ts';
import { endpointType, textOfKey } from '../resources.ts';
import { useKey } from '../topics/encryption.ts';
import type { Topic } from '../topics/topic.ts';

const MAX_ENTRIES = 10;
const MAX_ENTRY_ID = 80;
const MAX_SMS_BYTES = 1600;

/**
 * Publishes a message to a topic, a platform endpoint or a phone.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
 */
export async function Publish(input: InputOf<'Publish'>, ctx: SnsContext): Promise<OutputOf<'Publish'>> {
  const { TopicArn, TargetArn, PhoneNumber } = input;
  if (PhoneNumber !== undefined) return publishToPhone(PhoneNumber, input, ctx);
  const arn = TopicArn ?? TargetArn;
  if (arn === undefined) throw invalidParameter('TopicArn or TargetArn Reason: no value for required parameter');
  if (TopicArn === undefined && parseArn(arn)?.resource.startsWith('endpoint/'))
    return publishToEndpoint(arn, input, ctx);
  const target = topicAt(arn, ctx, TopicArn === undefined ? 'TargetArn' : 'TopicArn');
  checkPlacement(input, target.topic);
  const checked = checkMessage(input);
  await useKey(target.topic, ctx);
  const publication: Publication = {
    input,
    checked,
    publisher: ctx.principal.arn,
    baseUrl: await baseUrlFor(target, ctx),
    traceHeader: ctx.traceHeader,
    requestId: ctx.requestId,
    ...(TopicArn === undefined && { targetArn: arn }),
  };
  return publish(target.state, target.topic, publication);
}

/** Whether HTTP endpoints will follow links in the message. */
function baseUrlFor({ state, topic }: TopicTarget, ctx: SnsContext): Promise<string> {
  return baseUrlOf(
    ctx,
    state.subscribersOf(topic.name).some(({ record }) => isHttp(record.protocol)),
  );
}

async function publishToPhone(number: string, input: PublishInput, ctx: SnsContext): Promise<PublishResponse> {
  if (!isPublishable(number)) throw invalidParameter(`PhoneNumber Reason: ${number} is not valid to publish to`);
  const checked = checkMessage(input);
  if (exceedsBytes(checked.text, MAX_SMS_BYTES)) throw invalidParameter('Message too long');
  const { state } = ctx;
  const message: StoredMessage = { ...checked, id: ctx.ids.uuid(), publishedAt: ctx.clock.now(), baseUrl: '' };
  const text = checked.texts?.sms ?? checked.text;
  const outcome = sendSms(state, number, message, text);
  const shown = {
    subscriptionArn: '',
    protocol: 'sms',
    endpoint: number,
    ...(outcome.delivered ? { status: 'delivered' as const } : { status: 'failed' as const, error: outcome.error }),
  };
  state.messages.add({ message, input, phoneNumber: number, deliveries: [shown] }, 1);
  await state.statusLog.addSms(number, { text, type: smsTypeOf(state, message) }, message, outcome);
  return { MessageId: message.id };
}

async function publishToEndpoint(arn: string, input: PublishInput, ctx: SnsContext): Promise<PublishResponse> {
  const address = endpointType.parse(snsArn(arn, 'TargetArn', ctx.region));
  const state = address && stateAt(address.place, ctx);
  const endpoint = state?.platform.endpoint(textOfKey(address!.key));
  if (!state || !endpoint) throw invalidParameter('TargetArn Reason: No endpoint found for the target arn specified');
  if (state.platform.application(endpoint.application)?.attributes.Enabled === 'false')
    throw snsError('PlatformApplicationDisabledException', 'Platform application is disabled');
  if (endpoint.attributes.Enabled === 'false') throw snsError('EndpointDisabledException', 'Endpoint is disabled');
  const checked = checkMessage(input);
  const message: StoredMessage = { ...checked, id: ctx.ids.uuid(), publishedAt: ctx.clock.now(), baseUrl: '' };
  const shown = { subscriptionArn: '', protocol: 'application', endpoint: arn, status: 'delivered' as const };
  state.messages.add({ message, input, targetArn: arn, deliveries: [shown] }, 1);
  await state.statusLog.addPush(arn, message, DELIVERED);
  return { MessageId: message.id };
}

/**
 * Publishes up to ten messages to a topic.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_PublishBatch.html
 */
export async function PublishBatch(input: InputOf<'PublishBatch'>, ctx: SnsContext): Promise<OutputOf<'PublishBatch'>> {
  const entries = input.PublishBatchRequestEntries;
  checkEntryCount(entries);
  const target = topicAt(input.TopicArn, ctx);
  checkEntryIds(entries);
  const checked = entries.map((entry) => checkEntry(entry, target.topic));
  if (entries.reduce((sum, entry) => sum + messageSize(entry), 0) > MAX_BYTES)
    throw snsError(
      'BatchRequestTooLongException',
      'The length of all the messages put together is more than the limit.',
    );
  await useKey(target.topic, ctx);
  const common = {
    publisher: ctx.principal.arn,
    baseUrl: await baseUrlFor(target, ctx),
    traceHeader: ctx.traceHeader,
    requestId: ctx.requestId,
  };
  const successful: PublishBatchResultEntry[] = [];
  const failed: BatchResultErrorEntry[] = [];
  for (const [index, entry] of entries.entries())
    try {
      const publication = { ...common, input: entry, checked: checked[index]! };
      successful.push({ Id: entry.Id, ...(await publish(target.state, target.topic, publication)) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed.push({
        Id: entry.Id,
        Code: error.code.replace(/Exception$/, ''),
        Message: error.message,
        SenderFault: true,
      });
    }
  return { Successful: successful, Failed: failed };
}

function checkEntryCount(entries: readonly PublishBatchRequestEntry[]): void {
  if (!entries.length) throw snsError('EmptyBatchRequestException', "The batch request doesn't contain any entries.");
  if (entries.length > MAX_ENTRIES)
    throw snsError(
      'TooManyEntriesInBatchRequestException',
      'The batch request contains more entries than permissible.',
    );
}

function checkEntryIds(entries: readonly PublishBatchRequestEntry[]): void {
  const ids = new Set<string>();
  for (const { Id } of entries) {
    const problem =
      Id.length > MAX_ENTRY_ID ? 'is too long' : /^[\w-]+$/.test(Id) ? '' : 'contains an impermissible character';
    if (problem)
      throw snsError('InvalidBatchEntryIdException', `The Id of a batch entry in the batch request ${problem}: ${Id}`);
    ids.add(Id);
  }
  if (ids.size < entries.length)
    throw snsError('BatchEntryIdsNotDistinctException', 'Two or more batch entries in the request have the same Id.');
}

function checkEntry(entry: PublishBatchRequestEntry, topic: Topic) {
  checkPlacement(entry, topic);
  if (messageSize(entry) > MAX_BYTES)
    throw snsError(
      'BatchRequestTooLongException',
      'The length of all the messages put together is more than the limit.',
    );
  return checkMessage(entry);
}
