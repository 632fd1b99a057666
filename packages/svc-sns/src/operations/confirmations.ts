import type { InputOf, OutputOf } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { invalidParameter, invalidRequest, snsError } from '../errors.ts';
import { baseUrlOf, isHttp, isSigned, regionOf, stateAt, subscriptionAt } from '../lookup.ts';
import { subscriptionType, topicType } from '../resources.ts';
import { isToken, newToken, sendToken } from '../subscriptions/confirmation.ts';

/**
 * Confirms a subscription with the token sent to its endpoint, or restores it after its end.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html
 */
export function ConfirmSubscription(
  input: InputOf<'ConfirmSubscription'>,
  ctx: SnsContext,
): OutputOf<'ConfirmSubscription'> {
  const { TopicArn, Token, AuthenticateOnUnsubscribe } = input;
  const address = topicType.parse(TopicArn);
  if (address?.place.region !== regionOf(TopicArn, ctx) || !/^\d{12}$/.test(address.place.accountId))
    throw invalidParameter('Topic');
  if (!isToken(Token)) throw invalidRequest('Invalid token');
  const state = stateAt(address.place, ctx);
  const topic = state?.topic(address.key.name);
  // Tokens of a deleted topic are invalid.
  if (!state || !topic) throw invalidParameter('Token');
  const authenticate = AuthenticateOnUnsubscribe === 'true';
  if (authenticate && !isSigned(ctx))
    throw snsError('AuthorizationErrorException', 'AuthenticateOnUnsubscribe requires a signed request');
  const record = state.subscriptions.confirm(topic.name, Token, ctx.clock.now(), (draft) => {
    if (!authenticate) return;
    draft.authenticated = true;
    draft.authenticateOnUnsubscribe = true;
  });
  if (!record) throw invalidParameter('Token');
  if (record.attributes.ReplayPolicy && record.replayStatus === undefined)
    state.replays.start(record.id, ctx.requestId);
  return { SubscriptionArn: subscriptionType.arn(record, state) };
}

/**
 * Ends a subscription. Succeeds for an unknown one. HTTP endpoints are notified and can restore the subscription.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_Unsubscribe.html
 */
export async function Unsubscribe(
  { SubscriptionArn }: InputOf<'Unsubscribe'>,
  ctx: SnsContext,
): Promise<OutputOf<'Unsubscribe'>> {
  const target = subscriptionAt(SubscriptionArn, ctx, regionOf(SubscriptionArn, ctx));
  if (!target) return {};
  const { state, record } = target;
  if (record.authenticateOnUnsubscribe && !isSigned(ctx))
    throw snsError('AuthorizationErrorException', 'This subscription can only be deleted by a signed request');
  if (!record.confirmed) {
    state.subscriptions.delete(record);
    return {};
  }
  const isNotified = isHttp(record.protocol);
  const baseUrl = isNotified ? await baseUrlOf(ctx, true) : '';
  // Another request may have ended it meanwhile.
  if (!state.subscriptions.get(record.id)) return {};
  const token = newToken(state);
  state.subscriptions.delete(record, isNotified ? { value: token, now: ctx.clock.now() } : undefined);
  state.updateTopic(record.topic, (draft) => {
    draft.deletedSubscriptions++;
  });
  if (isNotified) sendToken(state, record, 'UnsubscribeConfirmation', token, baseUrl, ctx.requestId);
  return {};
}
