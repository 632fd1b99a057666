import type { Arn, OperationContext } from '@emu/core';
import { snsArn, subscriptionResource } from '../arns.ts';
import { notFound } from '../errors.ts';
import type { SnsState } from '../state.ts';
import type { StoredSubscription } from '../subscriptions/subscriptions.ts';
import type { Topic } from '../topics/topic.ts';

export type SnsContext = OperationContext<SnsState>;

/** The state of the account that an ARN names; accounts meet in a region. */
export function stateOf({ accountId }: Pick<Arn, 'accountId'>, ctx: SnsContext): SnsState {
  return accountId === ctx.accountId ? ctx.state : ctx.handle.state(accountId, ctx.region);
}

/** A topic and the state it is in. */
export interface TopicTarget {
  state: SnsState;
  topic: Topic;
}

/**
 * The topic that an ARN names.
 * @throws AwsError `InvalidParameter` where it is no topic's ARN of the region, `NotFound`
 */
export function topicAt(arn: string, ctx: SnsContext, parameter = 'TopicArn'): TopicTarget {
  const parsed = snsArn(arn, parameter, ctx.region);
  const state = stateOf(parsed, ctx);
  const topic = state.topic(parsed.resource);
  if (!topic) throw notFound('Topic');
  return { state, topic };
}

/** A subscription's ARN taken apart. */
export interface SubscriptionTarget {
  state: SnsState;
  id: string;
  /** Undefined where there is none. */
  record: StoredSubscription | undefined;
}

/**
 * The subscription that an ARN names.
 * @throws AwsError `InvalidParameter` where it is no subscription's ARN of the region
 */
export function subscriptionAt(arn: string, ctx: SnsContext, region = ctx.region): SubscriptionTarget {
  const parsed = snsArn(arn, 'SubscriptionArn', region);
  const { topic, id } = subscriptionResource(parsed.resource);
  const state = region === ctx.region ? stateOf(parsed, ctx) : ctx.handle.state(parsed.accountId, region);
  const record = state.subscriptions.get(id);
  return { state, id, record: record?.topic === topic ? record : undefined };
}

/**
 * The region that a request which may be unsigned is for: links in messages are followed without a signature, and the
 * host they name stands for every region.
 */
export function regionOf(arn: string, ctx: SnsContext): string {
  return isSigned(ctx) ? ctx.region : (arn.split(':')[3] ?? ctx.region);
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
