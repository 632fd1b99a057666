import {
  ask,
  defined,
  defineProvider,
  differs,
  identifierOf,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { configurationSetType } from '../resources.ts';
import { GONE } from './tags.ts';

/** Properties with the operations that change them; an operation without members resets the defaults. */
const SECTIONS = {
  DeliveryOptions: 'PutConfigurationSetDeliveryOptions',
  ReputationOptions: 'PutConfigurationSetReputationOptions',
  SendingOptions: 'PutConfigurationSetSendingOptions',
  SuppressionOptions: 'PutConfigurationSetSuppressionOptions',
  TrackingOptions: 'PutConfigurationSetTrackingOptions',
  VdmOptions: 'PutConfigurationSetVdmOptions',
} as const;
type Section = keyof typeof SECTIONS;
const SECTION_NAMES = Object.keys(SECTIONS) as Section[];
const DEFAULTS: Partial<Record<Section, Properties>> = { SendingOptions: { SendingEnabled: true } };

interface SetProperties extends TaggedProperties {
  Name?: string;
}

interface Destination extends Properties {
  readonly CloudWatchDestination?: { readonly DimensionConfigurations?: readonly Properties[] };
  readonly KinesisFirehoseDestination?: { readonly DeliveryStreamARN: string; readonly IAMRoleARN: string };
  readonly MatchingEventTypes: readonly string[];
  readonly Name?: string;
  readonly SnsDestination?: { readonly TopicARN: string };
}

interface DestinationProperties extends Properties {
  ConfigurationSetName: string;
  EventDestination: Destination;
}

/**
 * Configuration sets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-configurationset.html
 */
export const configurationSet: AnyResourceProvider = defineProvider<SetProperties>({
  typeName: 'AWS::SES::ConfigurationSet',
  model,
  service: 'sesv2',
  handles: [...SECTION_NAMES, 'Name', 'Tags'],
  key: ['ConfigurationSetName'],
  gone: GONE,

  async create({ Name, ...properties }, ctx) {
    const ConfigurationSetName = Name ?? ctx.name();
    await run(ctx, 'sesv2', 'CreateConfigurationSet', { ...properties, ConfigurationSetName });
    return ConfigurationSetName;
  },

  find: (key, ctx) => ask(ctx, 'sesv2', 'GetConfigurationSet', key),

  describe: (found, { ConfigurationSetName }) => ({
    properties: defined({
      ...Object.fromEntries(
        Object.entries(pick(found, SECTION_NAMES)).filter(([, value]) => unlessEmpty(value as object)),
      ),
      Name: ConfigurationSetName,
      Tags: unlessEmpty(found.Tags as Properties[] | undefined),
    }),
    attributes: {},
  }),

  async update(key, previous, desired, ctx) {
    for (const name of SECTION_NAMES.filter((section) => differs(previous, desired, section))) {
      const options = (desired[name] ?? DEFAULTS[name]) as Properties | undefined;
      const input = name === 'VdmOptions' ? { VdmOptions: options } : options;
      await run(ctx, 'sesv2', SECTIONS[name], { ...input, ...key });
    }
    await changeTagsOf(configurationSetType.arn({ name: key.ConfigurationSetName! }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteConfigurationSet',
  list: {
    operation: 'ListConfigurationSets',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ ConfigurationSets }: { ConfigurationSets?: string[] }) => ConfigurationSets,
  },
});

/** Converts template names such as `renderingFailure` to the second API's `RENDERING_FAILURE`. */
const upperSnake = (text: unknown): string =>
  String(text)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase();
const lowerCamel = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Converts an event destination to the form of the second API. */
function destinationIn({ Name: _, ...given }: Destination): Properties {
  const { CloudWatchDestination: metrics, KinesisFirehoseDestination: firehose, SnsDestination: topic } = given;
  return defined({
    ...given,
    Enabled: given.Enabled ?? false,
    MatchingEventTypes: given.MatchingEventTypes.map(upperSnake),
    CloudWatchDestination: metrics && {
      DimensionConfigurations: metrics.DimensionConfigurations?.map((one) => ({
        ...one,
        DimensionValueSource: upperSnake(one.DimensionValueSource),
      })),
    },
    KinesisFirehoseDestination: firehose && {
      DeliveryStreamArn: firehose.DeliveryStreamARN,
      IamRoleArn: firehose.IAMRoleARN,
    },
    SnsDestination: topic && { TopicArn: topic.TopicARN },
  });
}

interface FoundDestination extends Properties {
  readonly CloudWatchDestination?: { readonly DimensionConfigurations?: readonly Properties[] };
  readonly KinesisFirehoseDestination?: { readonly DeliveryStreamArn: string; readonly IamRoleArn: string };
  readonly MatchingEventTypes: readonly string[];
  readonly SnsDestination?: { readonly TopicArn: string };
}

/** Converts an event destination to template form. */
function destinationOut(found: FoundDestination): Properties {
  const { CloudWatchDestination: metrics, KinesisFirehoseDestination: firehose, SnsDestination: topic } = found;
  return defined({
    ...found,
    MatchingEventTypes: found.MatchingEventTypes.map(lowerCamel),
    CloudWatchDestination: metrics && {
      DimensionConfigurations: metrics.DimensionConfigurations?.map((one) => ({
        ...one,
        DimensionValueSource: lowerCamel(one.DimensionValueSource),
      })),
    },
    KinesisFirehoseDestination: firehose && {
      DeliveryStreamARN: firehose.DeliveryStreamArn,
      IAMRoleARN: firehose.IamRoleArn,
    },
    SnsDestination: topic && { TopicARN: topic.TopicArn },
  });
}

/**
 * Event destinations of configuration sets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-configurationseteventdestination.html
 */
export const eventDestination: AnyResourceProvider = defineProvider<DestinationProperties, FoundDestination>({
  typeName: 'AWS::SES::ConfigurationSetEventDestination',
  model,
  service: 'sesv2',
  handles: ['ConfigurationSetName', 'EventDestination'],
  key: ['EventDestinationName', 'ConfigurationSetName'],
  gone: GONE,

  async create({ ConfigurationSetName, EventDestination: given }, ctx) {
    const EventDestinationName = given.Name ?? ctx.name({ max: 64 });
    const EventDestination = destinationIn(given);
    const input = { ConfigurationSetName, EventDestinationName, EventDestination };
    await run(ctx, 'sesv2', 'CreateConfigurationSetEventDestination', input);
    const identifier = identifierOf(EventDestinationName, ConfigurationSetName);
    return { identifier, attributes: { Id: EventDestinationName } };
  },

  async find({ ConfigurationSetName, EventDestinationName }, ctx) {
    const { EventDestinations } = await run(ctx, 'sesv2', 'GetConfigurationSetEventDestinations', {
      ConfigurationSetName,
    });
    const found = EventDestinations?.find(({ Name }) => Name === EventDestinationName);
    return found as unknown as FoundDestination | undefined;
  },

  describe: (found, { ConfigurationSetName, EventDestinationName }) => ({
    properties: { ConfigurationSetName, EventDestination: destinationOut(found) },
    attributes: { Id: EventDestinationName },
  }),

  update: (key, _previous, { EventDestination }, ctx) =>
    run(ctx, 'sesv2', 'UpdateConfigurationSetEventDestination', {
      EventDestination: destinationIn(EventDestination),
      ...key,
    }),

  remove: 'DeleteConfigurationSetEventDestination',
  replaces: (previous, desired) => previous.EventDestination.Name !== desired.EventDestination.Name,
});
