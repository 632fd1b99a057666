import {
  changeTags,
  defineProvider,
  refuseExisting,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, parseArn, tagList, tagMap } from '@emu/core/service';
import type { QueueAttributeName } from '@emu/service-types/sqs';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const TYPE = 'AWS::SQS::Queue';
const FIFO = '.fifo';

/** Properties of the template. */
interface QueueProperties extends TaggedProperties {
  readonly QueueName?: string;
  readonly FifoQueue?: boolean;
}

/** Attributes as GetQueueAttributes returns them. */
type QueueAttributes = Readonly<Record<string, string>>;

/** Properties equal to attributes of the same name, with their defaults. */
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

/** Converts values for templates. */
function fromText(name: string, text: string): unknown {
  if (NUMBERS.has(name)) return Number(text);
  if (JSON_TEXTS.has(name)) return JSON.parse(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** Converts properties to attributes. */
function attributesOf(properties: QueueProperties): Record<string, string> {
  const given = Object.entries(properties).filter(([name, value]) => name in DEFAULTS && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

/** Returns the attributes changed by an update; removed ones return to their defaults. */
function changedAttributes(previous: QueueProperties, desired: QueueProperties): Record<string, string> {
  const before = attributesOf(previous);
  const after = attributesOf(desired);
  // Encryption types are exclusive: without a key, SQS-managed encryption returns.
  if (before.KmsMasterKeyId && !after.KmsMasterKeyId) after.SqsManagedSseEnabled ??= DEFAULTS.SqsManagedSseEnabled!;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? DEFAULTS[name]!]),
  );
}

/**
 * Queues.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queue.html
 */
export const queue: AnyResourceProvider = defineProvider<QueueProperties, QueueAttributes>({
  typeName: TYPE,
  model,
  service: 'sqs',
  handles: ['QueueName', 'FifoQueue', 'Tags', ...Object.keys(DEFAULTS)],
  key: ['QueueUrl'],
  gone: ['QueueDoesNotExist'],

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
      ...(Tags?.length && { tags: tagMap(Tags)! }),
    });
    return url!;
  },

  async find({ QueueUrl }, ctx) {
    const { Attributes } = await ctx.call('sqs', 'GetQueueAttributes', {
      QueueUrl: QueueUrl!,
      AttributeNames: ['All'] as QueueAttributeName[],
    });
    return Attributes ?? {};
  },

  async describe(all, { QueueUrl }, ctx) {
    const { Tags: tags = {} } = await ctx.call('sqs', 'ListQueueTags', { QueueUrl: QueueUrl! });
    const properties = Object.entries(all)
      .filter(([name]) => name in DEFAULTS || name === 'FifoQueue')
      .map(([name, text]) => [name, fromText(name, text)]);
    const name = parseArn(all.QueueArn!)!.resource;
    return {
      properties: {
        QueueName: name,
        ...Object.fromEntries(properties),
        ...(Object.keys(tags).length && { Tags: tagList(tags) }),
      },
      attributes: { Arn: all.QueueArn, QueueName: name, QueueUrl },
    };
  },

  async update({ QueueUrl }, previous, desired, ctx) {
    const Attributes = changedAttributes(previous, desired);
    if (unlessEmpty(Attributes)) await ctx.call('sqs', 'SetQueueAttributes', { QueueUrl: QueueUrl!, Attributes });
    await changeTags(previous.Tags, desired.Tags, {
      set: (tags) => ctx.call('sqs', 'TagQueue', { QueueUrl: QueueUrl!, Tags: tagMap(tags)! }),
      remove: (TagKeys) => ctx.call('sqs', 'UntagQueue', { QueueUrl: QueueUrl!, TagKeys: [...TagKeys] }),
    });
  },

  remove: 'DeleteQueue',
  list: {
    operation: 'ListQueues',
    input: () => ({ MaxResults: 1000 }),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ QueueUrls }: { QueueUrls?: string[] }) => QueueUrls,
  },
});
