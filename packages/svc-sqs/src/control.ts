import type { DeclareRoute, ResourceUrl, SqsMessage } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import { localstack } from './localstack.ts';
import { serveWaiting } from './messages/receive.ts';
import { toAttributeValue } from './messages/system-attributes.ts';
import type { QueuedMessage } from './ordering/queued-message.ts';
import { moveToDeadLetterQueue } from './queues/dead-letter.ts';
import type { Queue } from './queues/queue.ts';
import { formatSequenceNumber } from './queues/sequence-numbers.ts';
import { formatQueueUrl } from './queues/url.ts';
import type { SqsState } from './state.ts';

type Handle = ServiceHandle<SqsState>;

const route: DeclareRoute<Handle, ControlRoute<SqsState>> = controlRoute;

/** Messages of all queues, in order of account, region, queue and position. */
const listMessages = route('GET /_emulator/sqs/messages', ({ endpoint }, service) => {
  const messages: SqsMessage[] = [];
  const now = service.clock.now();
  for (const { state } of service.states())
    for (const queue of state.list()) {
      queue.settle(now);
      const ordered = [...queue.messages()].sort((a, b) => a.order - b.order);
      for (const message of ordered) messages.push(describe(message, queue, state, endpoint));
    }
  return { json: { messages } };
});

function describe(
  { message, delivery, sequence, state: status }: QueuedMessage,
  queue: Queue,
  state: SqsState,
  endpoint: string,
): SqsMessage {
  return {
    queueUrl: formatQueueUrl(endpoint, state.accountId, queue.name),
    queueName: queue.name,
    queueArn: state.arnOf(queue.name),
    accountId: state.accountId,
    region: state.region,
    messageId: message.id,
    body: message.body,
    md5OfBody: message.md5,
    messageAttributes: Object.fromEntries(
      Object.entries(message.attributes ?? {}).map(([name, stored]) => {
        const { DataType, StringValue } = toAttributeValue(stored);
        return [name, { dataType: DataType, stringValue: StringValue, binaryValue: stored.binary }];
      }),
    ),
    senderId: message.senderId,
    messageGroupId: message.groupId,
    messageDeduplicationId: message.deduplicationId,
    sequenceNumber: message.deduplicationId === undefined ? undefined : formatSequenceNumber(sequence),
    awsTraceHeader: message.traceHeader,
    state: status === 'inFlight' ? 'in-flight' : status === 'delayed' ? 'delayed' : 'visible',
    receiveCount: delivery?.receives ?? 0,
    sentTimestamp: toTimestamp(message.sentAt),
    firstReceiveTimestamp: toTimestamp(delivery?.firstReceivedAt),
    visibleTimestamp: toTimestamp(delivery?.visibleAt ?? message.delayedUntil),
    deadLetterQueueSourceArn: delivery?.deadLetteredBy && state.arnOf(delivery.deadLetteredBy),
  };
}

/** Formats epoch milliseconds for control routes. */
function toTimestamp(time: number): string;
function toTimestamp(time: number | undefined): string | undefined;
function toTimestamp(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}

/** Runs the timer processor of every queue now. */
const expire = route('POST /_emulator/sqs/expiration-processor/tick', (_request, service) => {
  let expired = 0;
  for (const { state } of service.states())
    for (const queue of state.list()) for (let count = queue.tick(); count > 0; count = queue.tick()) expired += count;
  return { json: { expiredMessages: expired } };
});

/** Moves the in-flight messages of one queue to its dead-letter queue, whatever their receive count. */
const forceDeadLetter = route('POST /_emulator/sqs/{queue_name}/force-dlq', ({ params, query }, service) => {
  const name = params.queue_name;
  const accountId = query.get('accountId') || service.settings.accountId;
  const region = query.get('region') || service.settings.region;
  const place = [...service.states()].find((scope) => scope.accountId === accountId && scope.region === region);
  const queue = place?.state.find(name);
  if (!place || !queue)
    throw new ControlError(
      404,
      'QueueNotFound',
      `There is no queue ${name} in account ${accountId}, region ${region}.`,
    );
  const { redrive } = queue.settings;
  if (!redrive) throw new ControlError(400, 'NoRedrivePolicy', `The queue ${name} has no redrive policy.`);
  const target = place.state.find(redrive.deadLetterQueue);
  if (!target)
    throw new ControlError(
      400,
      'NoDeadLetterQueue',
      `The dead-letter queue ${redrive.deadLetterQueue} does not exist.`,
    );
  const now = service.clock.now();
  queue.settle(now);
  const inFlight = [...queue.messages()].filter((message) => message.state === 'inFlight');
  inFlight.sort((a, b) => a.order - b.order);
  for (const message of inFlight) moveToDeadLetterQueue(message, queue, target, now);
  serveWaiting(place.state, queue);
  serveWaiting(place.state, target);
  return { json: { movedMessages: inFlight.length } };
});

/** Lists the URLs of all queues. */
const urls = route('GET /_emulator/sqs/urls', ({ endpoint }, service) => {
  const found: ResourceUrl[] = [];
  for (const { accountId, region, state } of service.states())
    for (const { name } of state.list())
      found.push({ accountId, region, name, url: formatQueueUrl(endpoint, accountId, name) });
  return { json: { urls: found } };
});

/** SQS's control routes for tests that inspect and advance queues. */
export const control: readonly ControlRoute<SqsState>[] = [listMessages, urls, expire, forceDeadLetter, ...localstack];
