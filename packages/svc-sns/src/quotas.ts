import { type AnyQuota, defineQuotas, oneMore, requestRate } from '@emu/core/service';
import type { SnsOperations, SubscribeInput } from '@emu/service-types/sns';
import type { AwsError } from '@emu/wire';
import { snsError } from './errors.ts';
import { subscriptionType, topicType } from './resources.ts';
import type { SnsState } from './state.ts';

const PAGE = 'https://docs.aws.amazon.com/general/latest/gr/sns.html';
const sns = (code: string, name: string, defaultValue: number, adjustable: boolean) => ({
  serviceCode: 'sns',
  code,
  name,
  defaultValue,
  adjustable,
  page: PAGE,
});

/** Returns the rate quota of one operation. */
const rate = (operation: keyof SnsOperations, code: string, perSecond: number) =>
  requestRate<SnsOperations, SnsState>(
    sns(code, `${operation} Transactions per Second`, perSecond, false),
    [operation],
    () => snsError('Throttling', 'Rate exceeded', { status: 400 }),
  );

/** Returns the topic of a new subscription; undefined for a topic of another account or an existing subscription. */
function topicOfNewSubscription(
  { TopicArn, Protocol, Endpoint = '' }: SubscribeInput,
  state: SnsState,
): string | undefined {
  const name = topicType.parse(TopicArn)?.key.name;
  const topic = name !== undefined && topicType.arn({ name }, state) === TopicArn ? state.topic(name) : undefined;
  return topic && !state.subscriptions.find(topic.name, Protocol, Endpoint) ? topic.name : undefined;
}

/** Returns the topic of a subscription that receives its first filter policy; otherwise undefined. */
function topicOfFirstFilter(arn: string, { subscriptions }: SnsState): string | undefined {
  const id = subscriptionType.parse(arn)?.key.id;
  const record = id === undefined ? undefined : subscriptions.get(id);
  return record && !record.attributes.FilterPolicy ? record.topic : undefined;
}

/** Protocols whose endpoints confirm automatically, so that their subscriptions are never pending. */
const CONFIRMED = new Set(['application', 'firehose', 'lambda', 'sms', 'sqs']);

const filterPolicyLimit = (): AwsError =>
  snsError('FilterPolicyLimitExceededException', 'Filter policy limit exceeded');

/** Quotas of SNS that emu can enforce. Rates that differ by region are excluded. */
export const quotas: readonly AnyQuota[] = defineQuotas<SnsOperations, SnsState>([
  {
    ...sns('L-61103206', 'Topics per Account', 100_000, true),
    usage: (state) => topicType.count(state),
    grows: { CreateTopic: oneMore(topicType) },
    error: () => snsError('TopicLimitExceededException', 'Topic limit exceeded'),
  },
  {
    ...sns('L-A4340BCD', 'Subscriptions per Topic', 12_500_000, true),
    grows: {
      Subscribe(input, state) {
        const topic = topicOfNewSubscription(input, state);
        return topic === undefined ? undefined : state.subscriptions.numberOf(topic) + 1;
      },
    },
    error: () => snsError('SubscriptionLimitExceededException', 'Subscription limit exceeded'),
  },
  {
    ...sns('L-1A43D3DB', 'Pending Subscriptions per Account', 5000, true),
    usage: ({ subscriptions }) => subscriptions.pending,
    grows: {
      Subscribe: (input, state) =>
        CONFIRMED.has(input.Protocol) || topicOfNewSubscription(input, state) === undefined
          ? undefined
          : state.subscriptions.pending + 1,
    },
    error: () => snsError('SubscriptionLimitExceededException', 'Subscription limit exceeded'),
  },
  {
    ...sns('L-B96EDA7D', 'Filter Policies per Topic', 200, true),
    grows: {
      Subscribe(input, state) {
        const topic = input.Attributes?.FilterPolicy ? topicOfNewSubscription(input, state) : undefined;
        return topic === undefined ? undefined : state.subscriptions.filterPoliciesOf(topic) + 1;
      },
      SetSubscriptionAttributes({ SubscriptionArn, AttributeName, AttributeValue }, state) {
        if (AttributeName !== 'FilterPolicy' || !AttributeValue) return undefined;
        const topic = topicOfFirstFilter(SubscriptionArn, state);
        return topic === undefined ? undefined : state.subscriptions.filterPoliciesOf(topic) + 1;
      },
    },
    error: filterPolicyLimit,
  },
  {
    ...sns('L-4126E74A', 'Filter Policies per Account', 10_000, true),
    usage: ({ subscriptions }) => subscriptions.filterPoliciesOf(),
    grows: {
      Subscribe: (input, state) =>
        input.Attributes?.FilterPolicy && topicOfNewSubscription(input, state) !== undefined
          ? state.subscriptions.filterPoliciesOf() + 1
          : undefined,
      SetSubscriptionAttributes: ({ SubscriptionArn, AttributeName, AttributeValue }, state) =>
        AttributeName === 'FilterPolicy' && AttributeValue && topicOfFirstFilter(SubscriptionArn, state) !== undefined
          ? state.subscriptions.filterPoliciesOf() + 1
          : undefined,
    },
    error: filterPolicyLimit,
  },
  rate('ListSubscriptions', 'L-21C7FFA6', 30),
  rate('ListSubscriptionsByTopic', 'L-390AADBE', 30),
  rate('ListTopics', 'L-039289D5', 30),
  rate('Subscribe', 'L-BBD4D2FF', 100),
  rate('Unsubscribe', 'L-93308085', 100),
  rate('AddPermission', 'L-A05852B7', 10),
  rate('CheckIfPhoneNumberIsOptedOut', 'L-01EACE54', 50),
  rate('CreateSMSSandboxPhoneNumber', 'L-7B7E3FB8', 1),
  rate('DeleteSMSSandboxPhoneNumber', 'L-F6A3071A', 1),
  rate('GetSMSAttributes', 'L-9A72FF33', 20),
  rate('GetSMSSandboxAccountStatus', 'L-2EE2434F', 10),
  rate('ListEndpointsByPlatformApplication', 'L-4659BFC2', 30),
  rate('ListOriginationNumbers', 'L-6521CF3A', 1),
  rate('ListPhoneNumbersOptedOut', 'L-19F66BE5', 10),
  rate('ListPlatformApplications', 'L-41B81227', 15),
  rate('ListSMSSandboxPhoneNumbers', 'L-C1E19420', 1),
  rate('ListTagsForResource', 'L-93CEC191', 10),
  rate('OptInPhoneNumber', 'L-856966E8', 20),
  rate('RemovePermission', 'L-6A04D1EB', 10),
  rate('SetSMSAttributes', 'L-154ECCA7', 1),
  rate('TagResource', 'L-BF824DE9', 10),
  rate('UntagResource', 'L-A30AD1BE', 10),
  rate('VerifySMSSandboxPhoneNumber', 'L-B3509C67', 1),
]);
