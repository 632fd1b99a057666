import type { InputOf, OutputOf } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { isHttp, type SubscriptionTarget, subscriptionAt } from '../lookup.ts';
import { subscriptionType } from '../resources.ts';
import type { SnsState } from '../state.ts';
import { normalizeSubscriptionAttribute } from '../subscriptions/attributes.ts';
import { checkFilterPolicy } from '../subscriptions/filter-policy.ts';
import type { StoredSubscription } from '../subscriptions/subscriptions.ts';
import { describeSubscriptionPolicy } from '../topics/delivery-policy.ts';

/** @throws AwsError `InvalidParameter`, `NotFound` */
function existing(arn: string, ctx: SnsContext): SubscriptionTarget {
  const target = subscriptionAt(arn, ctx);
  if (!target) throw notFound('Subscription');
  return target;
}

/** Returns all attributes of a subscription. */
export function GetSubscriptionAttributes(
  input: InputOf<'GetSubscriptionAttributes'>,
  ctx: SnsContext,
): OutputOf<'GetSubscriptionAttributes'> {
  const { state, record } = existing(input.SubscriptionArn, ctx);
  return { Attributes: describe(state, record) };
}

function describe(state: SnsState, record: StoredSubscription): Record<string, string> {
  const { attributes, protocol, topic: name } = record;
  const { FilterPolicy, FilterPolicyScope = 'MessageAttributes', ...others } = attributes;
  return {
    RawMessageDelivery: 'false',
    ...others,
    // The scope is shown only with a filter policy.
    ...(FilterPolicy !== undefined && { FilterPolicy, FilterPolicyScope }),
    ...(isHttp(protocol) && {
      EffectiveDeliveryPolicy: describeSubscriptionPolicy(
        state.topic(name)?.record.attributes.DeliveryPolicy,
        attributes.DeliveryPolicy,
      ),
    }),
    ...(record.replayStatus !== undefined && { ReplayStatus: record.replayStatus }),
    ConfirmationWasAuthenticated: String(record.authenticated),
    Endpoint: record.endpoint,
    Owner: record.owner,
    PendingConfirmation: String(!record.confirmed),
    Protocol: protocol,
    SubscriptionArn: subscriptionType.arn(record, state),
    SubscriptionPrincipal: record.principal,
    TopicArn: state.arnOfTopic(name),
  };
}

/** Changes one attribute of a subscription. */
export function SetSubscriptionAttributes(
  input: InputOf<'SetSubscriptionAttributes'>,
  ctx: SnsContext,
): OutputOf<'SetSubscriptionAttributes'> {
  const { state, record } = existing(input.SubscriptionArn, ctx);
  const { AttributeName: name, AttributeValue: value = '' } = input;
  const topic = state.topic(record.topic);
  const subject = {
    protocol: record.protocol,
    endpoint: record.endpoint,
    fifoTopic: topic?.fifo ?? false,
    archived: topic?.archiveDays !== undefined,
    scope:
      record.attributes.FilterPolicyScope === 'MessageBody' ? ('MessageBody' as const) : ('MessageAttributes' as const),
  };
  const kept = normalizeSubscriptionAttribute(name, value, subject, '');
  const { FilterPolicy: filter } = record.attributes;
  if (kept === 'MessageAttributes' && name === 'FilterPolicyScope' && filter) checkFilterPolicy(filter, kept, '');
  state.subscriptions.update(record.id, (draft) => {
    if (kept === undefined) delete draft.attributes[name];
    else draft.attributes[name] = kept;
    if (name === 'ReplayPolicy' && kept === undefined) delete draft.replayStatus;
  });
  if (name === 'ReplayPolicy' && kept !== undefined) state.replays.start(record.id, ctx.requestId);
  return {};
}
