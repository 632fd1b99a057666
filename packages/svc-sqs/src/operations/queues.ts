import type { CreateQueueRequest, InputOf, OutputOf } from '@emu/service-types/sqs';
import type { SqsContext } from '../context.ts';
import { invalidAttributeName, invalidAttributeValue, missingParameter, sqsError } from '../errors.ts';
import { noSuchQueue, queueAt, rejectQueuePath, urlOf } from '../lookup.ts';
import { serveWaiting } from '../messages/receive.ts';
import { SQS_OPTIONS } from '../options.ts';
import { checkMaxResults, paging } from '../paging.ts';
import { checkPrincipals } from '../policy.ts';
import {
  type ComputedAttributes,
  differingAttribute,
  mergeAttributes,
  normalizeAttributes,
  selectAttributes,
} from '../queues/attributes.ts';
import { deadLetterSourcesOf } from '../queues/dead-letter.ts';
import { checkQueueName, isFifoName } from '../queues/name.ts';
import type { Queue } from '../queues/queue.ts';
import { checkRedriveTarget } from '../queues/redrive-policy.ts';
import type { QueueRecord } from '../records.ts';
import type { SqsState } from '../state.ts';
import { tagging } from '../tags.ts';

/** Minimum milliseconds between purges of a queue. */
const PURGE_INTERVAL = 60_000;

/**
 * Creates a queue, or returns the existing one with the same attributes.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
 */
export async function CreateQueue(input: InputOf<'CreateQueue'>, ctx: SqsContext): Promise<OutputOf<'CreateQueue'>> {
  rejectQueuePath(ctx);
  const { state } = ctx;
  const { QueueName: name } = input;
  const given = (input.Attributes ?? {}) as Record<string, string>;
  if (given.FifoQueue?.toLowerCase() === 'false') throw invalidAttributeName('Unknown Attribute FifoQueue.');
  const fifo = given.FifoQueue !== undefined;
  checkQueueName(name, fifo);
  const changes = normalizeAttributes(given, fifo);
  if (changes.Policy) await checkPrincipals(changes.Policy, state.accountId, ctx);
  const existing = state.find(name);
  if (existing) {
    const differing = differingAttribute(existing.record, changes);
    if (differing)
      throw sqsError(
        'QueueNameExists',
        `A queue already exists with the same name and a different value for attribute ${differing}`,
      );
    if (differentTags(existing.record.tags, input.tags))
      // AWS rejects them with this code; its message is unknown.
      throw sqsError('QueueNameExists', 'A queue already exists with the same name and different tags');
    return { QueueUrl: urlOf({ state, queue: existing }, ctx) };
  }
  if (waits(ctx) && state.wasDeletedRecently(name))
    throw sqsError(
      'QueueDeletedRecently',
      'You must wait 60 seconds after deleting a queue before you can create another with the same name.',
    );
  checkRedrive(state, name, changes, ctx);
  const attributes = mergeAttributes({}, changes);
  const now = ctx.clock.now();
  const queue = state.create({
    name,
    id: ctx.ids.hex(16),
    createdAt: now,
    modifiedAt: now,
    attributes,
    tags: tagging.merge(undefined, input.tags, name),
    deduplicationScope: (attributes.DeduplicationScope ?? 'queue') as QueueRecord['deduplicationScope'],
  });
  return { QueueUrl: urlOf({ state, queue }, ctx) };
}

/** Whether the waits after deleting and purging a queue are enforced. */
const waits = ({ settings }: SqsContext): boolean => !settings.of(SQS_OPTIONS).EMULATOR_SQS_NO_WAITS;

/** Whether given tags differ from the queue's; omitted tags do not. */
function differentTags(kept: Readonly<Record<string, string>>, given: CreateQueueRequest['tags'] = {}): boolean {
  const keys = Object.keys(given);
  return keys.length > 0 && (keys.length !== Object.keys(kept).length || keys.some((key) => kept[key] !== given[key]));
}

/** Checks that a redrive policy names a valid dead-letter queue. */
function checkRedrive(state: SqsState, name: string, changes: Readonly<Record<string, string>>, ctx: SqsContext): void {
  if (!changes.RedrivePolicy) return;
  const missing = checkRedriveTarget(
    changes.RedrivePolicy,
    { arn: state.arnOf(name), fifo: isFifoName(name) },
    (target) => {
      const queue = state.find(target);
      return queue && { fifo: queue.settings.fifo, allowPolicy: queue.record.attributes.RedriveAllowPolicy };
    },
  );
  if (missing) ctx.wouldRefuse(missing);
}

/** Deletes a queue with its messages; waiting receivers get an error. */
export function DeleteQueue(input: InputOf<'DeleteQueue'>, ctx: SqsContext): OutputOf<'DeleteQueue'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  state.delete(queue, noSuchQueue(ctx));
  return {};
}

/** Lists the queues of the account and region by name. */
export function ListQueues(input: InputOf<'ListQueues'>, ctx: SqsContext): OutputOf<'ListQueues'> {
  rejectQueuePath(ctx);
  const { state } = ctx;
  const prefix = input.QueueNamePrefix ?? '';
  const queues = state.list().filter(({ name }) => name.startsWith(prefix));
  checkMaxResults(input.MaxResults);
  const { items, next } = paging.page('ListQueues', input, queues, ({ name }) => name);
  return {
    ...(items.length && { QueueUrls: items.map((queue) => urlOf({ state, queue }, ctx)) }),
    ...(input.MaxResults !== undefined && next),
  };
}

/** Returns the URL of a queue of any account. */
export function GetQueueUrl(input: InputOf<'GetQueueUrl'>, ctx: SqsContext): OutputOf<'GetQueueUrl'> {
  const { QueueName: name, QueueOwnerAWSAccountId: owner } = input;
  if (!name) throw missingParameter('QueueName');
  const foreign = owner !== undefined && owner !== ctx.accountId;
  if (foreign && !/^\d{12}$/.test(owner)) throw noSuchQueue(ctx);
  const state = foreign ? ctx.handle.state(owner, ctx.region) : ctx.state;
  const queue = state.find(name);
  if (!queue) throw noSuchQueue(ctx);
  return { QueueUrl: urlOf({ state, queue }, ctx) };
}

/** Returns attributes of a queue: set ones, defaults, counts and times. */
export function GetQueueAttributes(
  input: InputOf<'GetQueueAttributes'>,
  ctx: SqsContext,
): OutputOf<'GetQueueAttributes'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  const attributes = selectAttributes(queue.record, input.AttributeNames ?? [], () =>
    computedAttributes(state, queue, ctx.clock.now()),
  );
  return Object.keys(attributes).length ? { Attributes: attributes } : {};
}

function computedAttributes(state: SqsState, queue: Queue, now: number): ComputedAttributes {
  queue.settle(now);
  return {
    ApproximateNumberOfMessages: String(queue.visible),
    ApproximateNumberOfMessagesNotVisible: String(queue.inFlight),
    ApproximateNumberOfMessagesDelayed: String(queue.delayed),
    CreatedTimestamp: String(Math.floor(queue.record.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.record.modifiedAt / 1000)),
    QueueArn: state.arnOf(queue.name),
  };
}

/** Changes attributes of a queue immediately. */
export async function SetQueueAttributes(
  input: InputOf<'SetQueueAttributes'>,
  ctx: SqsContext,
): Promise<OutputOf<'SetQueueAttributes'>> {
  const { state: owner, queue: found } = queueAt(input.QueueUrl, ctx);
  const { fifo } = found.settings;
  const given = input.Attributes as Record<string, string>;
  if (!Object.keys(given).length) throw missingParameter('Attribute.Name');
  if (fifo && given.FifoQueue === 'false')
    throw invalidAttributeValue('FifoQueue', 'Modifying queue type is not supported.');
  const changes = normalizeAttributes(given, fifo);
  if (changes.Policy) await checkPrincipals(changes.Policy, owner.accountId, ctx);
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  checkRedrive(state, queue.name, changes, ctx);
  setAttributes(state, queue, changes, ctx.clock.now());
  return {};
}

/** Stores normalized attributes and serves receivers with messages that become ready. */
export function setAttributes(
  state: SqsState,
  queue: Queue,
  changes: Readonly<Record<string, string>>,
  now: number,
): void {
  const attributes = mergeAttributes(queue.record.attributes, changes);
  state.update(queue, (draft) => {
    draft.attributes = attributes;
    draft.modifiedAt = now;
  });
  serveWaiting(state, queue);
}

/** Deletes all messages of a queue, including in-flight and delayed ones; once a minute. */
export function PurgeQueue(input: InputOf<'PurgeQueue'>, ctx: SqsContext): OutputOf<'PurgeQueue'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  const now = ctx.clock.now();
  const { purgedAt } = queue.record;
  if (waits(ctx) && purgedAt !== undefined && now < purgedAt + PURGE_INTERVAL)
    throw sqsError(
      'PurgeQueueInProgress',
      `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`,
    );
  queue.clear();
  state.update(queue, (draft) => {
    draft.purgedAt = now;
  });
  return {};
}

/** Lists the source queues of a dead-letter queue. */
export function ListDeadLetterSourceQueues(
  input: InputOf<'ListDeadLetterSourceQueues'>,
  ctx: SqsContext,
): OutputOf<'ListDeadLetterSourceQueues'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  checkMaxResults(input.MaxResults);
  const sources = deadLetterSourcesOf(state, queue);
  const { items, next } = paging.page('ListDeadLetterSourceQueues', input, sources, ({ name }) => name);
  return {
    queueUrls: items.map((source) => urlOf({ state, queue: source }, ctx)),
    ...(input.MaxResults !== undefined && next),
  };
}
