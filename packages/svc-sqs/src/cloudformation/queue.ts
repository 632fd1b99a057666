import { factsOf, refuseExisting, unless } from '@emu/core/providers';
import { defineProvider, type ProviderContext, parseArn, type ResourceModel } from '@emu/core/service';
import type { QueueAttributeName } from '@emu/service-types/sqs';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const TYPE = 'AWS::SQS::Queue';
const FIFO = '.fifo';

/** Properties of the template. */
interface QueueProperties {
  QueueName?: string;
  FifoQueue?: boolean;
  Tags?: { Key: string; Value: string }[];
  [attribute: string]: unknown;
}

/** Properties that are attributes of the same name, with what they are where none is given. */
const DEFAULTS: Readonly<Record<string, string>> = {
  ContentBasedDeduplication: 'false',
  DeduplicationScope: 'queue',
  DelaySeconds: '0',
  FifoThroughputLimit: 'perQueue',
  KmsDataKeyReusePeriodSeconds: '300',
  KmsMasterKeyId: '',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
  RedriveAllowPolicy: '',
  RedrivePolicy: '',
  SqsManagedSseEnabled: 'true',
  VisibilityTimeout: '30',
};
const NUMBERS: ReadonlySet<string> = new Set([
  'DelaySeconds',
  'KmsDataKeyReusePeriodSeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
]);
const JSON_TEXTS: ReadonlySet<string> = new Set(['RedrivePolicy', 'RedriveAllowPolicy']);

/** Values as templates write them. */
function fromText(name: string, text: string): unknown {
  if (NUMBERS.has(name)) return Number(text);
  if (JSON_TEXTS.has(name)) return JSON.parse(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** The attributes that the properties ask for. */
function attributesOf(properties: QueueProperties): Record<string, string> {
  const given = Object.entries(properties).filter(([name, value]) => name in DEFAULTS && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

/** What an update sets: each attribute that differs, to its default where it is no longer given. */
function changedAttributes(previous: QueueProperties, desired: QueueProperties): Record<string, string> {
  const before = attributesOf(previous);
  const after = attributesOf(desired);
  // A queue has one kind of encryption: without the key it has that of SQS again.
  if (before.KmsMasterKeyId && !after.KmsMasterKeyId) after.SqsManagedSseEnabled ??= DEFAULTS.SqsManagedSseEnabled!;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? DEFAULTS[name]!]),
  );
}

const tagMap = (tags: QueueProperties['Tags'] = []): Record<string, string> =>
  Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));

async function changeTags(url: string, previous: QueueProperties, desired: QueueProperties, ctx: ProviderContext) {
  const before = tagMap(previous.Tags);
  const after = tagMap(desired.Tags);
  const gone = Object.keys(before).filter((key) => !(key in after));
  if (gone.length) await ctx.call('sqs', 'UntagQueue', { QueueUrl: url, TagKeys: gone });
  const set = Object.entries(after).filter(([key, value]) => before[key] !== value);
  if (set.length) await ctx.call('sqs', 'TagQueue', { QueueUrl: url, Tags: Object.fromEntries(set) });
}

/**
 * Queues.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queue.html
 */
export const queue = defineProvider<QueueProperties>({
  typeName: TYPE,
  facts: factsOf(model, TYPE),
  handles: ['QueueName', 'FifoQueue', 'Tags', ...Object.keys(DEFAULTS)],

  async create(properties, ctx) {
    const { QueueName, FifoQueue, Tags } = properties;
    const name = QueueName ?? ctx.name(undefined, FifoQueue ? FIFO : '');
    if (QueueName) {
      const found = await unless(ctx.call('sqs', 'GetQueueUrl', { QueueName }), 'QueueDoesNotExist');
      refuseExisting(TYPE, QueueName, found);
    }
    const attributes = { ...attributesOf(properties), ...(FifoQueue && { FifoQueue: 'true' }) };
    const { QueueUrl: url } = await ctx.call('sqs', 'CreateQueue', {
      QueueName: name,
      Attributes: attributes,
      ...(Tags?.length && { tags: tagMap(Tags) }),
    });
    return { identifier: url! };
  },

  async read(url, ctx): Promise<ResourceModel<QueueProperties> | undefined> {
    const answer = await unless(
      ctx.call('sqs', 'GetQueueAttributes', { QueueUrl: url, AttributeNames: ['All'] as QueueAttributeName[] }),
      'QueueDoesNotExist',
    );
    if (!answer) return undefined;
    const all: Readonly<Record<string, string>> = answer.Attributes ?? {};
    const { Tags: tags = {} } = await ctx.call('sqs', 'ListQueueTags', { QueueUrl: url });
    const properties = Object.entries(all)
      .filter(([name]) => name in DEFAULTS || name === 'FifoQueue')
      .map(([name, text]) => [name, fromText(name, text)]);
    const name = parseArn(all.QueueArn!)!.resource;
    return {
      properties: {
        QueueName: name,
        ...Object.fromEntries(properties),
        ...(Object.keys(tags).length && { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }),
      },
      attributes: { Arn: all.QueueArn, QueueName: name, QueueUrl: url },
    };
  },

  async update(url, previous, desired, ctx) {
    const Attributes = changedAttributes(previous, desired);
    if (Object.keys(Attributes).length) await ctx.call('sqs', 'SetQueueAttributes', { QueueUrl: url, Attributes });
    await changeTags(url, previous, desired, ctx);
  },

  async delete(url, _properties, ctx) {
    await unless(ctx.call('sqs', 'DeleteQueue', { QueueUrl: url }), 'QueueDoesNotExist');
  },

  async list(ctx) {
    const urls: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await ctx.call('sqs', 'ListQueues', { MaxResults: 1000, ...(NextToken && { NextToken }) });
      urls.push(...(page.QueueUrls ?? []));
      NextToken = page.NextToken;
    } while (NextToken);
    return urls;
  },
});
