import {
  defined,
  defineProvider,
  documentValue,
  type Properties,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, type ProviderContext, tagMap } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';
const POLL = { interval: 50 };

interface ConsumerProperties extends TaggedProperties {
  ConsumerName: string;
  StreamARN: string;
}

interface PolicyProperties extends Properties {
  ResourceArn: string;
  ResourcePolicy: unknown;
}

const consumerOf = async (ConsumerARN: string, ctx: ProviderContext) =>
  (await unless(ctx.call('kinesis', 'DescribeStreamConsumer', { ConsumerARN }), GONE))?.ConsumerDescription;

/**
 * Consumers with enhanced fan-out.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kinesis-streamconsumer.html
 */
export const streamConsumer: AnyResourceProvider = defineProvider<
  ConsumerProperties,
  NonNullable<Awaited<ReturnType<typeof consumerOf>>>
>({
  typeName: 'AWS::Kinesis::StreamConsumer',
  model,
  service: 'kinesis',
  handles: ['ConsumerName', 'StreamARN', 'Tags'],
  key: ['ConsumerARN'],
  gone: [GONE],

  async create({ ConsumerName, StreamARN, Tags }, ctx) {
    const input = { ConsumerName, StreamARN, Tags: tagMap(Tags) };
    const ConsumerARN = (await run(ctx, 'kinesis', 'RegisterStreamConsumer', input)).Consumer.ConsumerARN!;
    ctx.created(ConsumerARN);
    await ctx.until(async () => (await consumerOf(ConsumerARN, ctx))?.ConsumerStatus === 'ACTIVE', POLL);
    return ConsumerARN;
  },

  async find({ ConsumerARN }, ctx) {
    const found = await consumerOf(ConsumerARN!, ctx);
    return found?.ConsumerStatus === 'DELETING' ? undefined : found;
  },

  async describe(found, key, ctx) {
    const { ConsumerARN, ConsumerName, ConsumerStatus, StreamARN, ConsumerCreationTimestamp: made } = found;
    const { Tags } = await ctx.call('kinesis', 'ListTagsForResource', { ResourceARN: key.ConsumerARN! });
    const ConsumerCreationTimestamp = String(Number(made) / 1000);
    return {
      properties: defined({ ConsumerName, StreamARN, Tags: unlessEmpty(Tags) }),
      attributes: { ConsumerARN, ConsumerCreationTimestamp, ConsumerName, ConsumerStatus, StreamARN },
    };
  },

  async remove({ ConsumerARN }, _properties, ctx) {
    await ctx.call('kinesis', 'DeregisterStreamConsumer', { ConsumerARN: ConsumerARN! });
    await ctx.until(async () => (await consumerOf(ConsumerARN!, ctx)) === undefined, POLL);
  },
});

/**
 * Policies of streams and consumers.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kinesis-resourcepolicy.html
 */
export const resourcePolicy: AnyResourceProvider = defineProvider<PolicyProperties, { Policy?: string | undefined }>({
  typeName: 'AWS::Kinesis::ResourcePolicy',
  model,
  service: 'kinesis',
  handles: ['ResourceArn', 'ResourcePolicy'],
  key: ['ResourceARN'],
  gone: [GONE],

  async create({ ResourceArn: ResourceARN, ResourcePolicy }, ctx) {
    await ctx.call('kinesis', 'PutResourcePolicy', { ResourceARN, Policy: textOf(ResourcePolicy) });
    return ResourceARN;
  },

  async find({ ResourceARN }, ctx) {
    const found = await ctx.call('kinesis', 'GetResourcePolicy', { ResourceARN: ResourceARN! });
    return found.Policy && found.Policy !== '{}' ? found : undefined;
  },

  describe: ({ Policy }, { ResourceARN }) => ({
    properties: { ResourceArn: ResourceARN, ResourcePolicy: documentValue(Policy) },
    attributes: {},
  }),

  update: ({ ResourceARN }, _previous, { ResourcePolicy }, ctx) =>
    ctx.call('kinesis', 'PutResourcePolicy', { ResourceARN: ResourceARN!, Policy: textOf(ResourcePolicy) }),

  remove: 'DeleteResourcePolicy',
});
