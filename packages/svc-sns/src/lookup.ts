import { type Place, parseArn } from '@emu/core/service';
import { snsArn, subscriptionAddress } from './arns.ts';
import type { SnsContext } from './context.ts';
import { notFound } from './errors.ts';
import { topicType } from './resources.ts';
import type { SnsState } from './state.ts';
import type { StoredSubscription } from './subscriptions/subscriptions.ts';
import type { Topic } from './topics/topic.ts';

/** A topic with its state. */
export interface TopicTarget {
  state: SnsState;
  topic: Topic;
}

/**
 * Returns the topic with an ARN; undefined if it does not exist.
 * @throws AwsError `InvalidParameter` for another ARN, or one of another region
 */
export function topicOf(arn: string, ctx: SnsContext, parameter = 'TopicArn'): TopicTarget | undefined {
  const address = topicType.parse(snsArn(arn, parameter, ctx.region));
  const state = address && stateAt(address.place, ctx);
  const topic = state?.topic(address!.key.name);
  return topic && { state: state!, topic };
}

/**
 * Returns the topic with an ARN.
 * @throws AwsError `InvalidParameter` for another ARN, or one of another region; `NotFound`
 */
export function topicAt(arn: string, ctx: SnsContext, parameter = 'TopicArn'): TopicTarget {
  const target = topicOf(arn, ctx, parameter);
  if (!target) throw notFound('Topic');
  return target;
}

/** Returns the state of an account and region if it has been used. */
export const stateAt = ({ accountId, region }: Place, ctx: SnsContext): SnsState | undefined =>
  ctx.handle.existingState(accountId, region);

/** A subscription with its state. */
export interface SubscriptionTarget {
  state: SnsState;
  record: StoredSubscription;
}

/**
 * Returns the subscription with an ARN; undefined if it does not exist.
 * @throws AwsError `InvalidParameter` for another ARN, or one of another region
 */
export function subscriptionAt(arn: string, ctx: SnsContext, region = ctx.region): SubscriptionTarget | undefined {
  const { place, key } = subscriptionAddress(snsArn(arn, 'SubscriptionArn', region));
  const state = stateAt(place, ctx);
  const record = state?.subscriptions.get(key.id);
  return record?.topic === key.topic ? { state: state!, record } : undefined;
}

/**
 * Returns the region of a request that may be unsigned. Links in messages are followed without a signature, and their
 * host stands for every region.
 */
export function regionOf(arn: string, ctx: SnsContext): string {
  return isSigned(ctx) ? ctx.region : (parseArn(arn)?.region ?? ctx.region);
}

/** Whether a request is signed. Calls between services count as signed. */
export function isSigned({ http }: SnsContext): boolean {
  return !http || http.headers.authorization !== undefined || /[?&]?X-Amz-Signature=/i.test(http.query);
}

/**
 * Returns the base URL of links in messages. For HTTP endpoints it is reachable from a process on this machine, even if
 * the request arrived without a network.
 * @param reachable whether the links will be followed
 */
export async function baseUrlOf(ctx: SnsContext, reachable: boolean): Promise<string> {
  const { http, endpoint, settings } = ctx;
  if (settings.externalUrl !== undefined) return settings.externalUrl;
  if (endpoint && (http?.remoteAddress !== undefined || !reachable)) return endpoint;
  return ctx.handle.selfUrl();
}

/** Whether a URL leads to emu: by its base URL, or by the host name of one of its resources. */
export const leadsToEmu = ({ origin, hostname }: URL, { endpoint, handle }: SnsContext): boolean =>
  origin === new URL(endpoint).origin || handle.ownsHost(hostname);

/** Whether endpoints of a protocol are called over HTTP. */
export const isHttp = (protocol: string): boolean => protocol === 'http' || protocol === 'https';
