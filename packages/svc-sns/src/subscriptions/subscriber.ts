import type { Pattern } from '@emu/core/patterns';
import { asService, type CallOptions, type DeepReadonly, parseArn } from '@emu/core/service';
import type { SubscriptionRecord } from '../records.ts';
import { subscriptionType } from '../resources.ts';
import {
  AWS_MANAGED_RETRY_POLICY,
  DEFAULT_CONTENT_TYPE,
  type EffectiveDeliveryPolicy,
  effectivePolicy,
} from '../topics/delivery-policy.ts';
import { type Feedback, feedbackOf } from '../topics/feedback.ts';
import type { Topic } from '../topics/topic.ts';
import { compileFilter, type FilterPolicyScope } from './filter-policy.ts';

/** User id of SNS in AWS, the sender of its messages in queues. */
const SNS_USER_ID = 'AIDAIT2UOQQY3AUEKVGXU';

/** A queue to which SNS sends. */
export interface QueueTarget {
  /** A URL that contains the account and the queue. */
  readonly url: string;
  readonly fifo: boolean;
  readonly call: CallOptions;
}

/** A parsed subscription for deliveries, cached by record. */
export interface Subscriber {
  readonly record: DeepReadonly<SubscriptionRecord>;
  readonly arn: string;
  readonly topic: Topic;
  readonly raw: boolean;
  readonly filter: Pattern | undefined;
  readonly filterScope: FilterPolicyScope;
  /** Subscribed queue. */
  readonly queue: QueueTarget | undefined;
  readonly deadLetterQueue: QueueTarget | undefined;
  readonly policy: EffectiveDeliveryPolicy;
  /** Settings for delivery status logs; undefined if deliveries are not logged. */
  readonly feedback: Feedback | undefined;
  /** Options of calls of other services for deliveries. */
  readonly call: CallOptions;
}

/** Parses a subscription record. */
export function toSubscriber(record: DeepReadonly<SubscriptionRecord>, topic: Topic): Subscriber {
  const { attributes, protocol, endpoint } = record;
  const target = parseArn(endpoint);
  const call = callOptions(topic, target?.accountId || topic.accountId, target?.region || topic.region);
  const redrive = attributes.RedrivePolicy
    ? (JSON.parse(attributes.RedrivePolicy) as { deadLetterTargetArn: string }).deadLetterTargetArn
    : undefined;
  const http = protocol === 'http' || protocol === 'https';
  return {
    record,
    arn: subscriptionType.arn(record, topic),
    topic,
    raw: attributes.RawMessageDelivery === 'true',
    filter: attributes.FilterPolicy === undefined ? undefined : compileFilter(attributes.FilterPolicy),
    filterScope: attributes.FilterPolicyScope === 'MessageBody' ? 'MessageBody' : 'MessageAttributes',
    queue: protocol === 'sqs' ? toQueue(endpoint, topic) : undefined,
    deadLetterQueue: redrive === undefined ? undefined : toQueue(redrive, topic),
    policy: http
      ? effectivePolicy(topic.record.attributes.DeliveryPolicy, attributes.DeliveryPolicy)
      : { retry: AWS_MANAGED_RETRY_POLICY, maxReceivesPerSecond: undefined, contentType: DEFAULT_CONTENT_TYPE },
    feedback: feedbackOf(topic.record.attributes, protocol),
    call,
  };
}

function toQueue(arn: string, topic: Topic): QueueTarget {
  const { accountId, region, resource } = parseArn(arn)!;
  return {
    url: `http://sqs.${region}/${accountId}/${resource}`,
    fifo: resource.endsWith('.fifo'),
    call: callOptions(topic, accountId, region),
  };
}

/** Returns the options of calls on behalf of the topic. The caller is SNS itself. */
function callOptions(topic: Topic, accountId: string, region: string): CallOptions {
  const { principal, authorize } = asService('sns', topic.accountId, topic.arn);
  return { accountId, region, principal: { ...principal, userId: SNS_USER_ID }, authorize };
}
