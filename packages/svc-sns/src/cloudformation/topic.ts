import {
  defined,
  defineProvider,
  documentValue,
  everyItem,
  listChanges,
  refuseExisting,
  sameValue,
  type TemplateTag,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, parseArn } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { topicType } from '../resources.ts';
import { attributeTexts, changedTexts } from './texts.ts';

const TYPE = 'AWS::SNS::Topic';
const FIFO = '.fifo';

interface Subscriber {
  Endpoint: string;
  Protocol: string;
}

interface Logging {
  Protocol: string;
  SuccessFeedbackRoleArn?: string;
  SuccessFeedbackSampleRate?: string;
  FailureFeedbackRoleArn?: string;
}

interface TopicProperties {
  TopicName?: string;
  FifoTopic?: boolean;
  DataProtectionPolicy?: unknown;
  DeliveryStatusLogging?: readonly Logging[];
  Subscription?: readonly Subscriber[];
  Tags?: readonly TemplateTag[];
  [attribute: string]: unknown;
}

/** Properties that are attributes of the same name, with their defaults. */
const DEFAULTS: Readonly<Record<string, string>> = {
  ArchivePolicy: '{}',
  ContentBasedDeduplication: 'false',
  DisplayName: '',
  FifoThroughputScope: 'Topic',
  KmsMasterKeyId: '',
  SignatureVersion: '1',
  TracingConfig: 'PassThrough',
};
/** Starts of the names of attributes for delivery status logs, by their protocol in templates. */
const LOGGED: Readonly<Record<string, string>> = {
  application: 'Application',
  firehose: 'Firehose',
  'http/s': 'HTTP',
  lambda: 'Lambda',
  sqs: 'SQS',
};
const LOGGING = ['SuccessFeedbackRoleArn', 'SuccessFeedbackSampleRate', 'FailureFeedbackRoleArn'] as const;

/** Returns the attributes of delivery status logs. */
const loggingTexts = (entries: readonly Logging[] = []): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap((entry) =>
      LOGGING.flatMap((name) => (entry[name] === undefined ? [] : [[`${LOGGED[entry.Protocol]}${name}`, entry[name]]])),
    ),
  );

/** Returns the property of the attributes of delivery status logs. */
function loggingOf(attributes: Readonly<Record<string, string | undefined>>): Logging[] {
  return Object.entries(LOGGED).flatMap(([Protocol, start]) => {
    const given = LOGGING.flatMap((name) => {
      const text = attributes[`${start}${name}`];
      return text === undefined ? [] : [[name, text] as const];
    });
    return given.length ? [{ Protocol, ...Object.fromEntries(given) }] : [];
  });
}

const BOOLEANS: readonly string[] = ['ContentBasedDeduplication', 'FifoTopic'];

const attributesOf = async (TopicArn: string, ctx: ProviderContext) =>
  (await unless(ctx.call('sns', 'GetTopicAttributes', { TopicArn }), 'NotFound'))?.Attributes;

const subscriptionsOf = (TopicArn: string, ctx: ProviderContext) =>
  everyItem(async (NextToken) => {
    const page = await ctx.call('sns', 'ListSubscriptionsByTopic', { TopicArn, ...(NextToken && { NextToken }) });
    return [page.Subscriptions, page.NextToken] as const;
  });

/** Adds and removes the subscriptions listed in the template and keeps all others. */
async function changeSubscriptions(
  TopicArn: string,
  previous: TopicProperties,
  desired: TopicProperties,
  ctx: ProviderContext,
): Promise<void> {
  const { added, removed } = listChanges(previous.Subscription, desired.Subscription);
  if (removed.length) {
    for (const { SubscriptionArn, Protocol, Endpoint } of await subscriptionsOf(TopicArn, ctx))
      if (SubscriptionArn?.startsWith(TopicArn) && removed.some((gone) => sameValue(gone, { Protocol, Endpoint })))
        await ctx.call('sns', 'Unsubscribe', { SubscriptionArn });
  }
  for (const { Protocol, Endpoint } of added) await ctx.call('sns', 'Subscribe', { TopicArn, Protocol, Endpoint });
}

/**
 * Topics.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-topic.html
 */
export const topic: AnyResourceProvider = defineProvider<TopicProperties>({
  typeName: TYPE,
  model,
  handles: [
    'TopicName',
    'FifoTopic',
    'DataProtectionPolicy',
    'DeliveryStatusLogging',
    'Subscription',
    'Tags',
    ...Object.keys(DEFAULTS),
  ],

  async create(properties, ctx) {
    const { TopicName, FifoTopic, Tags, DataProtectionPolicy } = properties;
    const name = TopicName ?? ctx.name(undefined, FifoTopic ? FIFO : '');
    const arn = topicType.arn({ name }, ctx);
    if (TopicName) refuseExisting(TYPE, arn, await attributesOf(arn, ctx));
    const attributes = attributeTexts(properties, [...Object.keys(DEFAULTS), ...(FifoTopic ? ['FifoTopic'] : [])]);
    await ctx.call('sns', 'CreateTopic', {
      Name: name,
      Attributes: { ...attributes, ...loggingTexts(properties.DeliveryStatusLogging) },
      ...(Tags?.length && { Tags: [...Tags] }),
      ...(DataProtectionPolicy !== undefined && { DataProtectionPolicy: textOf(DataProtectionPolicy) }),
    });
    ctx.created(arn);
    await changeSubscriptions(arn, {}, properties, ctx);
    return { identifier: arn, attributes: { TopicArn: arn, TopicName: name } };
  },

  async read(arn, ctx) {
    const all = await attributesOf(arn, ctx);
    if (!all) return undefined;
    const TopicName = parseArn(arn)!.resource;
    const { Tags } = await ctx.call('sns', 'ListTagsForResource', { ResourceArn: arn });
    const protection = await ctx.call('sns', 'GetDataProtectionPolicy', { ResourceArn: arn });
    const subscriptions = await subscriptionsOf(arn, ctx);
    const attributes = Object.entries(all)
      .filter(([name]) => name in DEFAULTS || name === 'FifoTopic')
      .map(([name, text]): [string, unknown] => [name, fromText(name, text!)]);
    return {
      properties: defined({
        TopicName,
        SignatureVersion: DEFAULTS.SignatureVersion,
        TracingConfig: DEFAULTS.TracingConfig,
        ...(all.FifoTopic === 'true' && { FifoThroughputScope: DEFAULTS.FifoThroughputScope }),
        ...Object.fromEntries(attributes),
        DataProtectionPolicy: documentValue(protection.DataProtectionPolicy || undefined),
        DeliveryStatusLogging: unlessEmpty(loggingOf(all)),
        Subscription: unlessEmpty(
          subscriptions.map(({ Endpoint, Protocol }) => ({ Endpoint: Endpoint!, Protocol: Protocol! })),
        ),
        Tags: unlessEmpty(Tags),
      }),
      attributes: { TopicArn: arn, TopicName },
    };
  },

  async update(TopicArn, previous, desired, ctx) {
    for (const [AttributeName, AttributeValue] of changedTexts(previous, desired, DEFAULTS))
      await ctx.call('sns', 'SetTopicAttributes', { TopicArn, AttributeName, AttributeValue });
    const before = loggingTexts(previous.DeliveryStatusLogging);
    const after = loggingTexts(desired.DeliveryStatusLogging);
    for (const AttributeName of Object.keys({ ...before, ...after })) {
      const AttributeValue = after[AttributeName] ?? '';
      if (before[AttributeName] !== after[AttributeName])
        await ctx.call('sns', 'SetTopicAttributes', { TopicArn, AttributeName, AttributeValue });
    }
    if (!sameValue(previous.DataProtectionPolicy, desired.DataProtectionPolicy))
      await ctx.call('sns', 'PutDataProtectionPolicy', {
        ResourceArn: TopicArn,
        DataProtectionPolicy: desired.DataProtectionPolicy === undefined ? '' : textOf(desired.DataProtectionPolicy),
      });
    await changeSubscriptions(TopicArn, previous, desired, ctx);
    await changeTagsOf(TopicArn, previous, desired, ctx);
  },

  async delete(TopicArn, _properties, ctx) {
    await ctx.call('sns', 'DeleteTopic', { TopicArn });
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('sns', 'ListTopics', NextToken ? { NextToken } : {});
      return [page.Topics?.map(({ TopicArn }) => TopicArn!), page.NextToken] as const;
    }),
});

function fromText(name: string, text: string): unknown {
  if (BOOLEANS.includes(name)) return text === 'true';
  return name === 'ArchivePolicy' ? documentValue(text) : text;
}
