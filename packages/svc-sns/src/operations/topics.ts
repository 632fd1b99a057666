import type { InputOf, OutputOf } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { invalidParameter, snsError } from '../errors.ts';
import { topicAt, topicOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { checkPrincipals } from '../policy.ts';
import type { TopicRecord } from '../records.ts';
import type { SnsState } from '../state.ts';
import { tagging } from '../tags.ts';
import { checkTopicName, normalizeTopicAttribute } from '../topics/attributes.ts';
import { checkDataProtectionPolicy } from '../topics/data-protection-policy.ts';
import { describeTopicPolicy } from '../topics/delivery-policy.ts';
import { policyOf, type Topic } from '../topics/topic.ts';

const CREATION = 'Attributes Reason: ';

/**
 * Creates a topic, or returns the existing one if the requested attributes match.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_CreateTopic.html
 */
export async function CreateTopic(input: InputOf<'CreateTopic'>, ctx: SnsContext): Promise<OutputOf<'CreateTopic'>> {
  const { Name, Attributes = {}, DataProtectionPolicy } = input;
  const fifo = Attributes.FifoTopic?.toLowerCase() === 'true';
  const tags = tagging.merge(undefined, input.Tags);
  checkTopicName(Name, fifo);
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(Attributes)) {
    const kept = normalizeTopicAttribute(name, value, { fifo, prefix: CREATION });
    if (kept !== undefined) attributes[name] = kept;
  }
  delete attributes.FifoTopic;
  if (DataProtectionPolicy) checkDataProtectionPolicy(DataProtectionPolicy);
  const { state } = ctx;
  if (attributes.Policy) await checkPrincipals(attributes.Policy, CREATION, state.accountId, ctx);
  const existing = state.topic(Name);
  if (existing) {
    checkSame(existing, attributes, tags);
    return { TopicArn: existing.arn };
  }
  const now = ctx.clock.now();
  const record: TopicRecord = {
    name: Name,
    createdAt: now,
    attributes,
    tags,
    deletedSubscriptions: 0,
    ...(DataProtectionPolicy && { dataProtectionPolicy: DataProtectionPolicy }),
    ...(attributes.ArchivePolicy && { archivedSince: now }),
  };
  return { TopicArn: state.createTopic(record).arn };
}

/** Rejects the creation of an existing topic with different attributes or tags. */
function checkSame({ record }: Topic, attributes: Record<string, string>, tags: Record<string, string>): void {
  const has = (current: Readonly<Record<string, string>>, given: Record<string, string>, defaults = DEFAULTS) =>
    Object.entries(given).every(([name, value]) => (current[name] ?? defaults[name]) === value);
  if (!has(record.attributes, attributes))
    throw invalidParameter(`${CREATION}Topic already exists with different attributes`);
  if (!has(record.tags, tags, {})) throw invalidParameter('Tags Reason: Topic already exists with different tags');
}

const DEFAULTS: Readonly<Record<string, string>> = { ContentBasedDeduplication: 'false' };

/** Deletes a topic and its subscriptions. Succeeds for an unknown one. */
export function DeleteTopic({ TopicArn }: InputOf<'DeleteTopic'>, ctx: SnsContext): OutputOf<'DeleteTopic'> {
  const target = topicOf(TopicArn, ctx);
  if (target?.topic.archiveDays !== undefined)
    throw snsError('InvalidStateException', 'Invalid state: Cannot delete a topic with an ArchivePolicy');
  target?.state.deleteTopic(target.topic.name);
  return {};
}

/** Lists the account's topics. */
export function ListTopics(input: InputOf<'ListTopics'>, { state }: SnsContext): OutputOf<'ListTopics'> {
  return paging
    .page('ListTopics', input, state.listTopics(), ({ name }) => name)
    .list(({ arn }) => ({ TopicArn: arn }));
}

/** Returns all attributes of a topic. */
export function GetTopicAttributes(
  input: InputOf<'GetTopicAttributes'>,
  ctx: SnsContext,
): OutputOf<'GetTopicAttributes'> {
  const { state, topic } = topicAt(input.TopicArn, ctx);
  return { Attributes: describe(state, topic) };
}

function describe(state: SnsState, topic: Topic): Record<string, string> {
  const { record, arn, fifo, accountId } = topic;
  const { attributes, deletedSubscriptions, archivedSince } = record;
  const { confirmed, pending } = state.subscriptions.countsOf(topic.name);
  return {
    ...(fifo && { FifoTopic: 'true', ContentBasedDeduplication: 'false' }),
    DisplayName: '',
    Policy: policyOf(topic),
    ...attributes,
    Owner: accountId,
    TopicArn: arn,
    EffectiveDeliveryPolicy: describeTopicPolicy(attributes.DeliveryPolicy),
    SubscriptionsConfirmed: String(confirmed),
    SubscriptionsPending: String(pending),
    SubscriptionsDeleted: String(deletedSubscriptions),
    ...(archivedSince !== undefined && { BeginningArchiveTime: new Date(archivedSince).toISOString() }),
  };
}

/** Changes one attribute of a topic. */
export async function SetTopicAttributes(
  input: InputOf<'SetTopicAttributes'>,
  ctx: SnsContext,
): Promise<OutputOf<'SetTopicAttributes'>> {
  const { state: owner, topic: found } = topicAt(input.TopicArn, ctx);
  const { AttributeName: name, AttributeValue: value = '' } = input;
  if (name === 'FifoTopic') throw invalidParameter('AttributeName');
  const kept = normalizeTopicAttribute(name, value, { fifo: found.fifo, prefix: '' });
  if (name === 'Policy' && kept !== undefined) await checkPrincipals(kept, '', owner.accountId, ctx);
  const { state, topic } = topicAt(input.TopicArn, ctx);
  setTopicAttribute(state, topic, name, kept, ctx.clock.now());
  return {};
}

/** Sets or removes an attribute. */
export function setTopicAttribute(
  state: SnsState,
  topic: Topic,
  name: string,
  value: string | undefined,
  now: number,
): void {
  state.updateTopic(topic.name, (draft) => {
    if (value === undefined) delete draft.attributes[name];
    else draft.attributes[name] = value;
    if (name !== 'ArchivePolicy') return;
    if (value === undefined) delete draft.archivedSince;
    else draft.archivedSince ??= now;
  });
  if (name === 'ArchivePolicy' && value === undefined) state.archive.discard(topic.name);
}
