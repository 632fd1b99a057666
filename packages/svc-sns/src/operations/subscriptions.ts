import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf, Subscription } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { isSigned } from '../delivery/attempt.ts';
import { invalidParameter } from '../errors.ts';
import { baseUrlOf, leadsToEmu, type TopicTarget, topicAt } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { SubscriptionRecord } from '../records.ts';
import { endpointType, subscriptionType } from '../resources.ts';
import type { SnsState } from '../state.ts';
import { normalizeSubscriptionAttributes } from '../subscriptions/attributes.ts';
import { newToken, sendToken } from '../subscriptions/confirmation.ts';
import { checkProtocol, normalizeEndpoint, type Protocol } from '../subscriptions/endpoints.ts';
import type { StoredSubscription } from '../subscriptions/subscriptions.ts';

const PENDING = 'pending confirmation';
/** ARN of an unconfirmed subscription in lists. */
const PENDING_IN_LISTS = 'PendingConfirmation';

/**
 * Subscribes an endpoint to a topic. Endpoints that may have another owner must confirm first.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_Subscribe.html
 */
export async function Subscribe(input: InputOf<'Subscribe'>, ctx: SnsContext): Promise<OutputOf<'Subscribe'>> {
  const target = topicAt(input.TopicArn, ctx);
  const { state, topic } = target;
  const { Protocol: protocol, Endpoint, Attributes = {} } = input;
  checkProtocol(protocol, topic.fifo);
  if (Endpoint === undefined) throw invalidParameter('Endpoint Reason: no value for required parameter');
  const endpoint = normalizeEndpoint(protocol, Endpoint, topic.fifo, (url) => leadsToEmu(url, ctx));
  const attributes = normalizeSubscriptionAttributes(Attributes, {
    protocol,
    endpoint,
    fifoTopic: topic.fifo,
    archived: topic.archiveDays !== undefined,
  });
  checkApplicationEndpoint(state, protocol, endpoint);
  const existing = state.subscriptions.find(topic.name, protocol, endpoint);
  if (existing) checkSame(existing, attributes);
  const record = existing ? renewed(state, existing, ctx) : create(target, { protocol, endpoint, attributes }, ctx);
  if (!record.confirmed)
    sendToken(state, record, 'SubscriptionConfirmation', record.token!, await baseUrlOf(ctx, true), ctx.requestId);
  else if (!existing && isSigned(state.anySubscriber(record.id)!)) prepareSigner(state);
  if (!existing && attributes.ReplayPolicy && record.confirmed) state.replays.start(record.id, ctx.requestId);
  const arn = subscriptionType.arn(record, state);
  return { SubscriptionArn: record.confirmed || input.ReturnSubscriptionArn ? arn : PENDING };
}

/** Starts generating the signing key, so that the first message does not wait for it. */
function prepareSigner(state: SnsState): void {
  Promise.resolve(state.signer()).catch((error: unknown) =>
    state.log.warn('the signing key of SNS could not be generated', { error }),
  );
}

/** Rejects a repeated subscription of an endpoint with different attributes. */
function checkSame({ attributes }: StoredSubscription, given: Readonly<Record<string, string>>): void {
  const defaults: Readonly<Record<string, string>> = { RawMessageDelivery: 'false' };
  if (!Object.entries(given).every(([name, value]) => (attributes[name] ?? defaults[name]) === value))
    throw invalidParameter('Attributes Reason: Subscription already exists with different attributes');
}

/** Returns an existing subscription. If it is still unconfirmed, it receives a new token. */
function renewed(state: SnsState, existing: StoredSubscription, ctx: SnsContext): StoredSubscription {
  if (existing.confirmed) return existing;
  return state.subscriptions.update(existing.id, (draft) => {
    draft.token = newToken(state);
    draft.tokenCreatedAt = ctx.clock.now();
  });
}

/** Rejects unknown and deleted endpoints of applications, even those that the topic still has subscriptions of. */
function checkApplicationEndpoint(state: SnsState, protocol: Protocol, endpoint: string): void {
  const address = protocol === 'application' ? endpointType.parse(endpoint) : undefined;
  if (!address) return;
  const { accountId, region } = address.place;
  const own = accountId === state.accountId && region === state.region;
  if (!own || !endpointType.find(state, address.key))
    throw invalidParameter(`Endpoint Reason: Endpoint does not exist for endpoint ${endpoint}`);
}

function create(
  { state, topic }: TopicTarget,
  { protocol, endpoint, attributes }: { protocol: Protocol; endpoint: string; attributes: Record<string, string> },
  ctx: SnsContext,
): StoredSubscription {
  const now = ctx.clock.now();
  const confirmed = isOwn(protocol, endpoint, ctx.accountId);
  const record: SubscriptionRecord = {
    id: ctx.ids.uuid(),
    topic: topic.name,
    protocol,
    endpoint,
    owner: ctx.accountId,
    principal: ctx.principal.arn,
    attributes,
    createdAt: now,
    confirmed,
    authenticated: confirmed,
    authenticateOnUnsubscribe: false,
    ...(!confirmed && { token: newToken(state), tokenCreatedAt: now }),
  };
  state.subscriptions.put(record);
  return state.subscriptions.get(record.id)!;
}

/** Whether an endpoint needs no confirmation: phones, and resources of the subscribing account. */
function isOwn(protocol: Protocol, endpoint: string, accountId: string): boolean {
  if (protocol === 'sms' || protocol === 'application' || protocol === 'lambda' || protocol === 'firehose') return true;
  return protocol === 'sqs' && parseArn(endpoint)?.accountId === accountId;
}

/** Lists the subscriptions of the account. */
export function ListSubscriptions(input: InputOf<'ListSubscriptions'>, ctx: SnsContext): OutputOf<'ListSubscriptions'> {
  return paging
    .page('ListSubscriptions', input, ownSubscriptions(ctx), ({ SubscriptionId }) => SubscriptionId)
    .list(({ shown }) => shown);
}

/** Iterates over the subscriptions of the account, including those to topics of other accounts. */
function* ownSubscriptions(ctx: SnsContext): Iterable<{ SubscriptionId: string; shown: Subscription }> {
  for (const { region, state } of ctx.handle.states())
    if (region === ctx.region)
      for (const record of state.subscriptions.list())
        if (record.owner === ctx.accountId) yield { SubscriptionId: record.id, shown: describe(state, record) };
}

/** Lists the subscriptions of a topic. */
export function ListSubscriptionsByTopic(
  input: InputOf<'ListSubscriptionsByTopic'>,
  ctx: SnsContext,
): OutputOf<'ListSubscriptionsByTopic'> {
  const { state, topic } = topicAt(input.TopicArn, ctx);
  return paging
    .page('ListSubscriptionsByTopic', input, state.subscriptions.listOf(topic.name), ({ id }) => id)
    .list((record) => describe(state, record));
}

function describe(state: SnsState, record: StoredSubscription): Subscription {
  return {
    SubscriptionArn: record.confirmed ? subscriptionType.arn(record, state) : PENDING_IN_LISTS,
    Owner: record.owner,
    Protocol: record.protocol,
    Endpoint: record.endpoint,
    TopicArn: state.arnOfTopic(record.topic),
  };
}
