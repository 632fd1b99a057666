import type {
  InputOf,
  OutputOf,
  SendMessageBatchRequest,
  SendMessageBatchRequestEntry,
  SendMessageBatchResult,
} from '@emu/service-types/sqs';
import { AwsError } from '@emu/wire';
import type { SqsContext } from '../context.ts';
import { invalidParameterValue, missingParameter } from '../errors.ts';
import { type QueueTarget, queueAt, requestTraceOf } from '../lookup.ts';
import { checkBatch, checkBatchSize, runBatch } from '../messages/batch.ts';
import { serveWaiting } from '../messages/receive.ts';
import { checkContents, checkPlacement, messageSize, send } from '../messages/send.ts';
import { changeVisibility, deleteMessage } from '../messages/visibility.ts';
import { useKey } from '../queues/encryption.ts';
import type { Queue } from '../queues/queue.ts';

/** Sends up to ten messages independently, except for checks of FIFO queues on the whole batch. */
export function SendMessageBatch(
  input: InputOf<'SendMessageBatch'>,
  ctx: SqsContext,
): OutputOf<'SendMessageBatch'> | Promise<OutputOf<'SendMessageBatch'>> {
  const target = queueAt(input.QueueUrl, ctx);
  checkBatch(input.Entries, 'SendMessageBatchRequestEntry');
  const key = useKey('send', target, ctx);
  // The queue may be deleted while KMS responds.
  return key
    ? key.then(() => sendMessages(input, queueAt(input.QueueUrl, ctx), ctx))
    : sendMessages(input, target, ctx);
}

function sendMessages(
  input: SendMessageBatchRequest,
  { state, queue }: QueueTarget,
  ctx: SqsContext,
): SendMessageBatchResult {
  const { fifo, maximumMessageSize } = queue.settings;
  let size = 0;
  for (const entry of input.Entries) size += messageSize(entry);
  checkBatchSize(size);
  if (fifo) for (const [index, entry] of input.Entries.entries()) checkFifoEntry(queue, entry, index);
  const outcome = runBatch(input.Entries, (entry, index) => {
    requireBody(entry, index);
    if (messageSize(entry) > maximumMessageSize)
      throw invalidParameterValue(
        `One or more parameters cannot be validated. Reason: Message must be shorter than ${maximumMessageSize} bytes.`,
      );
    checkPlacement(queue, entry);
    const sent = send(queue, checkContents(entry), ctx, requestTraceOf(ctx));
    return {
      Id: entry.Id,
      MessageId: sent.messageId,
      MD5OfMessageBody: sent.bodyMd5,
      MD5OfMessageAttributes: sent.attributesMd5,
      MD5OfMessageSystemAttributes: sent.systemAttributesMd5,
      SequenceNumber: sent.sequenceNumber,
    };
  });
  serveWaiting(state, queue);
  return outcome;
}

function requireBody(entry: SendMessageBatchRequestEntry, index: number): void {
  if (!entry.MessageBody) throw missingParameter(`SendMessageBatchRequestEntry.${index + 1}.MessageBody`);
}

/** Checks an entry for a FIFO queue, where an invalid entry fails the whole batch, always with the same code. */
function checkFifoEntry(queue: Queue, entry: SendMessageBatchRequestEntry, index: number): void {
  requireBody(entry, index);
  try {
    checkPlacement(queue, entry);
  } catch (error) {
    throw error instanceof AwsError ? invalidParameterValue(error.message) : error;
  }
}

/** Deletes up to ten received messages independently. */
export function DeleteMessageBatch(
  input: InputOf<'DeleteMessageBatch'>,
  ctx: SqsContext,
): OutputOf<'DeleteMessageBatch'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  checkBatch(input.Entries, 'DeleteMessageBatchRequestEntry');
  return runBatch(input.Entries, ({ Id, ReceiptHandle }, index) => {
    if (ReceiptHandle === undefined)
      throw missingParameter(`DeleteMessageBatchRequestEntry.${index + 1}.ReceiptHandle`);
    deleteMessage(state, queue, ReceiptHandle);
    return { Id };
  });
}

/** Changes the visibility timeout of up to ten received messages independently. */
export function ChangeMessageVisibilityBatch(
  input: InputOf<'ChangeMessageVisibilityBatch'>,
  ctx: SqsContext,
): OutputOf<'ChangeMessageVisibilityBatch'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  const type = 'ChangeMessageVisibilityBatchRequestEntry';
  checkBatch(input.Entries, type);
  return runBatch(input.Entries, ({ Id, ReceiptHandle, VisibilityTimeout }, index) => {
    if (ReceiptHandle === undefined) throw missingParameter(`${type}.${index + 1}.ReceiptHandle`);
    if (VisibilityTimeout === undefined) throw missingParameter(`${type}.${index + 1}.VisibilityTimeout`);
    changeVisibility(state, queue, ReceiptHandle, VisibilityTimeout);
    return { Id };
  });
}
