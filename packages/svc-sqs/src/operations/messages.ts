import { setCause, whenReady } from '@emu/core/service';
import type {
  InputOf,
  OutputOf,
  ReceiveMessageRequest,
  ReceiveMessageResult,
  SendMessageRequest,
  SendMessageResult,
} from '@emu/service-types/sqs';
import type { SqsContext } from '../context.ts';
import { invalidAttributeName, invalidParameterValue, invalidValueFor, missingParameter } from '../errors.ts';
import { type QueueTarget, queueAt, requestTraceOf } from '../lookup.ts';
import { checkToken } from '../messages/attributes.ts';
import { describeMessage } from '../messages/describe.ts';
import { formatReceiptHandle } from '../messages/receipt-handle.ts';
import { receive, serveWaiting } from '../messages/receive.ts';
import { checkContents, checkPlacement, messageSize, send } from '../messages/send.ts';
import { isSystemAttribute } from '../messages/system-attributes.ts';
import { changeVisibility, deleteMessage, MAX_VISIBILITY_TIMEOUT } from '../messages/visibility.ts';
import type { QueuedMessage } from '../ordering/queued-message.ts';
import { useKey } from '../queues/encryption.ts';

const MAX_MESSAGES = 10;
const MAX_WAIT_SECONDS = 20;

/**
 * Sends a message.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export function SendMessage(
  input: InputOf<'SendMessage'>,
  ctx: SqsContext,
): OutputOf<'SendMessage'> | Promise<OutputOf<'SendMessage'>> {
  const target = queueAt(input.QueueUrl, ctx);
  const key = useKey('send', target, ctx);
  // The queue may be deleted while KMS responds.
  return key ? key.then(() => sendMessage(input, queueAt(input.QueueUrl, ctx), ctx)) : sendMessage(input, target, ctx);
}

function sendMessage(input: SendMessageRequest, { state, queue }: QueueTarget, ctx: SqsContext): SendMessageResult {
  if (!input.MessageBody) throw missingParameter('MessageBody');
  const { maximumMessageSize } = queue.settings;
  if (messageSize(input) > maximumMessageSize)
    throw invalidParameterValue(
      `One or more parameters are invalid. Reason: Message must be shorter than ${maximumMessageSize} bytes.`,
    );
  checkPlacement(queue, input);
  const sent = send(queue, checkContents(input), ctx, requestTraceOf(ctx));
  serveWaiting(state, queue);
  return {
    MD5OfMessageBody: sent.bodyMd5,
    MD5OfMessageAttributes: sent.attributesMd5,
    MD5OfMessageSystemAttributes: sent.systemAttributesMd5,
    MessageId: sent.messageId,
    SequenceNumber: sent.sequenceNumber,
  };
}

/**
 * Receives up to ten messages, waiting for the first one as long as the request or the queue specifies.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html
 */
export function ReceiveMessage(
  input: InputOf<'ReceiveMessage'>,
  ctx: SqsContext,
): OutputOf<'ReceiveMessage'> | Promise<OutputOf<'ReceiveMessage'>> {
  const target = queueAt(input.QueueUrl, ctx);
  checkReceive(input, target);
  const key = target.queue.size > 0 ? useKey('receive', target, ctx) : undefined;
  return key
    ? key.then(() => receiveMessage(input, queueAt(input.QueueUrl, ctx), ctx))
    : receiveMessage(input, target, ctx);
}

function receiveMessage(
  input: ReceiveMessageRequest,
  target: QueueTarget,
  ctx: SqsContext,
): ReceiveMessageResult | Promise<ReceiveMessageResult> {
  const visibility = input.VisibilityTimeout;
  const wait = input.WaitTimeSeconds ?? target.queue.settings.receiveWaitTimeSeconds;
  const request = {
    maxMessages: input.MaxNumberOfMessages ?? 1,
    visibilityTimeout: visibility === undefined ? undefined : visibility * 1000,
    attemptId: input.ReceiveRequestAttemptId,
  };
  const received = receive(target.state, target.queue, request, wait * 1000, () => ctx.signal);
  return whenReady(received, (messages) => receiveResult(messages, input, target, ctx));
}

function checkReceive(input: ReceiveMessageRequest, { queue }: QueueTarget): void {
  const { MaxNumberOfMessages: count, VisibilityTimeout: visibility, WaitTimeSeconds: wait } = input;
  if (count !== undefined && !(count >= 1 && count <= MAX_MESSAGES))
    throw invalidValueFor('MaxNumberOfMessages', count, `Must be between 1 and ${MAX_MESSAGES}, if provided.`);
  if (wait !== undefined && !(wait >= 0 && wait <= MAX_WAIT_SECONDS))
    throw invalidValueFor('WaitTimeSeconds', wait, `Must be >= 0 and <= ${MAX_WAIT_SECONDS}, if provided.`);
  if (visibility !== undefined && !(visibility >= 0 && visibility <= MAX_VISIBILITY_TIMEOUT))
    throw invalidValueFor(
      'VisibilityTimeout',
      visibility,
      `Must be >= 0 and <= ${MAX_VISIBILITY_TIMEOUT}, if provided.`,
    );
  for (const name of systemAttributeNames(input))
    if (!isSystemAttribute(name)) throw invalidAttributeName(`Unknown Attribute ${name}.`);
  const attemptId = input.ReceiveRequestAttemptId;
  if (attemptId !== undefined && !queue.settings.fifo)
    throw invalidValueFor(
      'ReceiveRequestAttemptId',
      attemptId,
      'The request include parameter that is not valid for this queue type.',
    );
  checkToken('ReceiveRequestAttemptId', attemptId);
}

/** Returns `MessageSystemAttributeNames`, and its former name `AttributeNames`. */
function systemAttributeNames(input: ReceiveMessageRequest): readonly string[] {
  const { AttributeNames: old, MessageSystemAttributeNames: current } = input;
  return old?.length && current?.length ? [...old, ...current] : (current ?? old ?? []);
}

function receiveResult(
  messages: readonly QueuedMessage[],
  input: ReceiveMessageRequest,
  target: QueueTarget,
  ctx: SqsContext,
): ReceiveMessageResult {
  if (!messages.length) {
    target.queue.metrics?.emptyReceive(ctx.clock.now());
    return {};
  }
  // Only internal receivers get causes: an extra member would slow down other receivers, which cannot see it.
  const isInternal = ctx.http === undefined;
  return {
    Messages: messages.map((queued) => {
      const described = describeMessage(queued, {
        receiptHandle: formatReceiptHandle(target.queue.record.id, queued.sequence, queued.delivery!.receives),
        systemAttributes: systemAttributeNames(input),
        attributes: input.MessageAttributeNames,
        arnOf: (name) => target.state.arnOf(name),
      });
      const { cause } = queued.message;
      if (isInternal && cause !== undefined) setCause(described, cause);
      return described;
    }),
  };
}

/** Deletes a received message. */
export function DeleteMessage(input: InputOf<'DeleteMessage'>, ctx: SqsContext): OutputOf<'DeleteMessage'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  deleteMessage(state, queue, input.ReceiptHandle);
  return {};
}

/** Changes the visibility timeout of a received message. */
export function ChangeMessageVisibility(
  input: InputOf<'ChangeMessageVisibility'>,
  ctx: SqsContext,
): OutputOf<'ChangeMessageVisibility'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  changeVisibility(state, queue, input.ReceiptHandle, input.VisibilityTimeout);
  return {};
}
