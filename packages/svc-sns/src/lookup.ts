import { type Place, parseArn } from '@emu/core';
import { snsArn, subscriptionAddress } from './arns.ts';
import type { SnsContext } from './context.ts';
import { notFound } from './errors.ts';
import { topicType } from './resources.ts';
import type { SnsState } from './state.ts';
import type { StoredSubscription } from './subscriptions/subscriptions.ts';
import type { Topic } from './topics/topic.ts';

/** A topic and the state it is in. */
export interface TopicTarget {
  state: SnsState;
  topic: Topic;
}

/**
 * The topic that an ARN names; undefined where there is none.
 * @throws AwsError `InvalidParameter` where it is no ARN of SNS in the region
 */
export function topicOf(arn: string, ctx: SnsContext, parameter = 'TopicArn'): TopicTarget | undefined {
  const address = topicType.parse(snsArn(arn, parameter, ctx.region));
  const state = address && stateAt(address.place, ctx);
  const topic = state?.topic(address!.key.name);
  return topic && { state: state!, topic };
}

/**
 * The topic that an ARN names.
 * @throws AwsError `InvalidParameter` where it is no ARN of SNS in the region, `NotFound`
 */
export function topicAt(arn: string, ctx: SnsContext, parameter = 'TopicArn'): TopicTarget {
  const target = topicOf(arn, ctx, parameter);
  if (!target) throw notFound('Topic');
  return target;
}

/** The state of an account and region, where something has been there. */
export const stateAt = ({ accountId, region }: Place, ctx: SnsContext): SnsState | undefined =>
  ctx.handle.existingState(accountId, region);

/** A subscription and the state it is in. */
export interface SubscriptionTarget {
  state: SnsState;
  record: StoredSubscription;
}

/**
 * The subscription that an ARN names; undefined where there is none.
 * @throws AwsError `InvalidParameter` where it is no subscription's ARN of the region
 */
export function subscriptionAt(arn: string, ctx: SnsContext, region = ctx.region): SubscriptionTarget | undefined {
  const { place, key } = subscriptionAddress(snsArn(arn, 'SubscriptionArn', region));
  const state = stateAt(place, ctx);
  const record = state?.subscriptions.get(key.id);
  return record?.topic === key.topic ? { state: state!, record } : undefined;
}

/**
 * The region that a request which may be unsigned is for: links in messages are followed without a signature, and the
 * host they name stands for every region.
 */
export function regionOf(arn: string, ctx: SnsContext): string {
  return isSigned(ctx) ? ctx.region : (parseArn(arn)?.region ?? ctx.region);
}

/** Whether a request is signed; calls between services count as such. */
export function isSigned({ http }: SnsContext): boolean {
  return !http || http.headers.authorization !== undefined || /[?&]?X-Amz-Signature=/i.test(http.query);
}

/**
 * The address that links in messages begin with. Where endpoints are called over HTTP it has to be one that a process on
 * this machine can reach, even if the request came without a network.
 * @param reachable whether somebody is going to follow the links
 */
export async function baseUrlOf(ctx: SnsContext, reachable: boolean): Promise<string> {
  const { http, endpoint, settings } = ctx;
  if (settings.externalUrl !== undefined) return settings.externalUrl;
  if (endpoint && (http?.remoteAddress !== undefined || !reachable)) return endpoint;
  return ctx.handle.selfUrl();
}

/** Whether endpoints of a protocol are called over HTTP. */
export const isHttp = (protocol: string): boolean => protocol === 'http' || protocol === 'https';
