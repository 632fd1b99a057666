import {
  defined,
  defineProvider,
  differs,
  everyItem,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { toApi } from './function-settings.ts';

const GONE = 'ResourceNotFoundException';
const POLL = { interval: 20 };

/** Updatable settings with their defaults; undefined for the source's default. */
const SETTINGS: Readonly<Record<string, unknown>> = {
  BatchSize: undefined,
  BisectBatchOnFunctionError: false,
  DestinationConfig: { OnFailure: {} },
  Enabled: true,
  FilterCriteria: {},
  FunctionName: undefined,
  FunctionResponseTypes: [],
  KmsKeyArn: '',
  MaximumBatchingWindowInSeconds: 0,
  MaximumRecordAgeInSeconds: -1,
  MaximumRetryAttempts: -1,
  MetricsConfig: { Metrics: [] },
  ParallelizationFactor: 1,
  ProvisionedPollerConfig: {},
  ScalingConfig: {},
  SourceAccessConfigurations: [],
  TumblingWindowInSeconds: 0,
};
const SOURCE = [
  'AmazonManagedKafkaEventSourceConfig',
  'EventSourceArn',
  'Queues',
  'SelfManagedKafkaEventSourceConfig',
  'StartingPosition',
  'StartingPositionTimestamp',
  'Topics',
];
/** Properties that only some kinds of sources have; empty ones are absent. */
const SOURCE_DETAILS = ['ProvisionedPollerConfig', 'Queues', 'SourceAccessConfigurations', 'Topics'] as const;
/**
 * Default batch sizes. @see
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
 */
const QUEUE_BATCH = 10;
const STREAM_BATCH = 100;

interface MappingProperties extends TaggedProperties {
  EventSourceArn?: string;
  FunctionName: string;
  ProvisionedPollerConfig?: object;
  Queues?: readonly string[];
  SelfManagedEventSource?: { Endpoints?: { KafkaBootstrapServers?: readonly string[] } };
  SourceAccessConfigurations?: readonly object[];
  Topics?: readonly string[];
}

const mappingOf = (UUID: string, ctx: ProviderContext) =>
  unless(ctx.call('lambda', 'GetEventSourceMapping', { UUID }), GONE);

/** Waits until the mapping's state is stable. */
const settled = (UUID: string, ctx: ProviderContext): Promise<void> =>
  ctx.until(async () => !/ing$/.test((await mappingOf(UUID, ctx))?.State ?? ''), POLL);

/** Returns properties without the empty ones that only some kinds of sources have. */
const withoutEmpty = (properties: MappingProperties): MappingProperties => ({
  ...properties,
  ...Object.fromEntries(SOURCE_DETAILS.map((name) => [name, unlessEmpty(properties[name])])),
});

function changedSettings(before: MappingProperties, after: MappingProperties): Properties | undefined {
  const [previous, desired] = [withoutEmpty(before), withoutEmpty(after)];
  const names = Object.keys(SETTINGS).filter((name) => differs(previous, desired, name));
  if (names.length === 0) return undefined;
  const BatchSize = /:sqs:/.test(desired.EventSourceArn ?? '') ? QUEUE_BATCH : STREAM_BATCH;
  return toApi(pick({ ...SETTINGS, BatchSize, ...defined(desired) }, names));
}

/**
 * Event source mappings of queues, streams and topics.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html
 */
export const eventSourceMapping: AnyResourceProvider = defineProvider<MappingProperties>({
  typeName: 'AWS::Lambda::EventSourceMapping',
  model,
  handles: [...Object.keys(SETTINGS), ...SOURCE, 'SelfManagedEventSource', 'Tags'],
  replaces: (previous, desired) => differs(withoutEmpty(previous), withoutEmpty(desired), 'Queues', 'Topics'),

  async create(properties, ctx) {
    const servers = properties.SelfManagedEventSource?.Endpoints?.KafkaBootstrapServers;
    const made = await run(ctx, 'lambda', 'CreateEventSourceMapping', {
      ...toApi(pick(withoutEmpty(properties), [...Object.keys(SETTINGS), ...SOURCE] as never[])),
      SelfManagedEventSource: servers && { Endpoints: { KAFKA_BOOTSTRAP_SERVERS: servers } },
      Tags: tagMap(properties.Tags),
    });
    const UUID = made.UUID!;
    ctx.created(UUID);
    await settled(UUID, ctx);
    return { identifier: UUID, attributes: { Id: UUID, EventSourceMappingArn: made.EventSourceMappingArn } };
  },

  async read(UUID, ctx) {
    const found = await mappingOf(UUID, ctx);
    if (!found || found.State === 'Deleting') return undefined;
    const { KMSKeyArn, FunctionArn, State, StartingPositionTimestamp, EventSourceMappingArn } = found;
    const KafkaBootstrapServers = found.SelfManagedEventSource?.Endpoints?.KAFKA_BOOTSTRAP_SERVERS;
    const { Tags } = await ctx.call('lambda', 'ListTags', { Resource: EventSourceMappingArn! });
    return {
      properties: defined({
        ...pick(found, [...Object.keys(SETTINGS), ...SOURCE] as never[]),
        KmsKeyArn: KMSKeyArn || undefined,
        ProvisionedPollerConfig: unlessEmpty(found.ProvisionedPollerConfig),
        MetricsConfig: found.MetricsConfig?.Metrics?.length ? found.MetricsConfig : undefined,
        FunctionName: FunctionArn!,
        SelfManagedEventSource: KafkaBootstrapServers && { Endpoints: { KafkaBootstrapServers } },
        Enabled: State !== 'Disabled' && State !== 'Disabling',
        // In seconds, as in templates.
        StartingPositionTimestamp: StartingPositionTimestamp && Number(StartingPositionTimestamp) / 1000,
        Tags: tagList(Tags),
      }),
      attributes: { Id: UUID, EventSourceMappingArn },
    };
  },

  async update(UUID, previous, desired, ctx) {
    const settings = changedSettings(previous, desired);
    if (settings) {
      await run(ctx, 'lambda', 'UpdateEventSourceMapping', { UUID, ...settings });
      await settled(UUID, ctx);
    }
    if (!differs(previous, desired, 'Tags')) return;
    const Resource = (await mappingOf(UUID, ctx))!.EventSourceMappingArn!;
    await changeTagsOf(Resource, previous, desired, ctx);
  },

  async delete(UUID, _properties, ctx) {
    await unless(ctx.call('lambda', 'DeleteEventSourceMapping', { UUID }), GONE);
    await ctx.until(async () => (await mappingOf(UUID, ctx)) === undefined, POLL);
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('lambda', 'ListEventSourceMappings', defined({ Marker }));
      return [page.EventSourceMappings?.map(({ UUID }) => UUID!), page.NextMarker] as const;
    }),
});
