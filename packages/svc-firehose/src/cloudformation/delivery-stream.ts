import {
  changeTags,
  defined,
  defineProvider,
  omit,
  type Properties,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { isObject } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';
const POLL = { interval: 50 };
/** Member prefixes of destinations that emu supports. */
const KINDS = [
  'AmazonOpenSearchServerless',
  'Amazonopensearchservice',
  'Elasticsearch',
  'ExtendedS3',
  'HttpEndpoint',
  'Iceberg',
  'Redshift',
  'S3',
  'Snowflake',
  'Splunk',
] as const;
/** Defaults for destination members removed from the template. */
const DEFAULTS: Properties = {
  BufferingHints: { SizeInMBs: 5, IntervalInSeconds: 300 },
  CloudWatchLoggingOptions: { Enabled: false },
  CompressionFormat: 'UNCOMPRESSED',
  CustomTimeZone: 'UTC',
  EncryptionConfiguration: { NoEncryptionConfig: 'NoEncryption' },
  ErrorOutputPrefix: '',
  FileExtension: '',
  Prefix: '',
  ProcessingConfiguration: { Enabled: false, Processors: [] },
};
/** Parts of destinations with other names in updates and descriptions. */
const PARTS = {
  Description: { S3BackupConfiguration: 'S3BackupDescription', S3Configuration: 'S3DestinationDescription' },
  Update: { S3BackupConfiguration: 'S3BackupUpdate', S3Configuration: 'S3Update' },
} as const;
const BUCKETS = Object.keys(PARTS.Update);
/** Members of Iceberg destinations that templates write differently. */
const SPELLINGS = { CatalogArn: 'CatalogARN', s3BackupMode: 'S3BackupMode' } as const;

interface StreamProperties extends TaggedProperties {
  DeliveryStreamEncryptionConfigurationInput?: Properties;
  DeliveryStreamName?: string;
}

const streamOf = async (DeliveryStreamName: string, ctx: ProviderContext) =>
  (await unless(ctx.call('firehose', 'DescribeDeliveryStream', { DeliveryStreamName }), GONE))
    ?.DeliveryStreamDescription;

type Description = NonNullable<Awaited<ReturnType<typeof streamOf>>>;

const kindOf = (properties: Properties) => KINDS.find((kind) => properties[`${kind}DestinationConfiguration`]);

const destinationOf = (properties: Properties): Properties =>
  (properties[`${kindOf(properties)}DestinationConfiguration`] ?? {}) as Properties;

/** Renames members at any depth. */
const renamed = (values: Properties, names: Readonly<Record<string, string>>): Properties =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      names[name] ?? name,
      isObject(value) ? renamed(value as Properties, names) : value,
    ]),
  );

const inverse = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]));

/** Resets removed members to their defaults, including those of a destination's buckets. */
function destinationUpdate(previous: Properties, desired: Properties): Properties {
  const restored = (before: Properties, after: Properties): Properties => {
    const gone = Object.keys(before).filter((name) => !(name in after) && name in DEFAULTS);
    return { ...Object.fromEntries(gone.map((name) => [name, DEFAULTS[name]])), ...after };
  };
  const whole = { ...restored(previous, desired) };
  for (const name of BUCKETS)
    if (whole[name]) whole[name] = restored((previous[name] ?? {}) as Properties, whole[name] as Properties);
  if (previous.S3BackupMode && !desired.S3BackupMode)
    // Destinations that are buckets, or load from one, have no backup bucket.
    whole.S3BackupMode = 'BucketARN' in whole || 'CopyCommand' in whole ? 'Disabled' : 'FailedDataOnly';
  // Updates of Iceberg destinations contain their bucket like creations.
  return renamed(whole, 'CatalogConfiguration' in whole ? SPELLINGS : PARTS.Update);
}

/** Returns the destination of a stream in template form: buckets are described in both forms, whichever was used. */
function destinationProperties({ Destinations: [first] }: Description, applied: Properties | undefined): Properties {
  const descriptionOf = (kind: string) => (first as Properties | undefined)?.[`${kind}DestinationDescription`];
  const kind = (applied && kindOf(applied)) ?? KINDS.find((one) => one !== 'S3' && descriptionOf(one));
  const found = kind && (descriptionOf(kind) as Properties | undefined);
  const spellings = kind === 'Iceberg' ? inverse(SPELLINGS) : {};
  const names = { ...inverse(PARTS.Description), ...spellings };
  return found ? { [`${kind}DestinationConfiguration`]: renamed(found, names) } : {};
}

function sourceProperties({ Source }: Description): Properties {
  const kinesis = Source?.KinesisStreamSourceDescription;
  return {
    DirectPutSourceConfiguration: Source?.DirectPutSourceDescription,
    KinesisStreamSourceConfiguration: kinesis && omit(kinesis, 'DeliveryStartTimestamp'),
  };
}

/**
 * Waits until encryption is enabled or disabled.
 * @throws AwsError `NotStabilized` if it fails
 */
const encrypted = (name: string, status: 'ENABLED' | 'DISABLED', ctx: ProviderContext) =>
  ctx.until(async () => (await streamOf(name, ctx))?.DeliveryStreamEncryptionConfiguration?.Status === status, POLL);

/**
 * Delivery streams.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kinesisfirehose-deliverystream.html
 */
export const deliveryStream: AnyResourceProvider = defineProvider<StreamProperties, Description>({
  typeName: 'AWS::KinesisFirehose::DeliveryStream',
  model,
  service: 'firehose',
  handles: [
    ...KINDS.map((kind) => `${kind}DestinationConfiguration`),
    'DeliveryStreamEncryptionConfigurationInput',
    'DeliveryStreamName',
    'DeliveryStreamType',
    'DirectPutSourceConfiguration',
    'KinesisStreamSourceConfiguration',
    'Tags',
  ],
  key: ['DeliveryStreamName'],
  gone: [GONE],

  async create(properties, ctx) {
    const DeliveryStreamName = properties.DeliveryStreamName ?? ctx.name();
    const destination = `${kindOf(properties)}DestinationConfiguration`;
    await run(ctx, 'firehose', 'CreateDeliveryStream', {
      ...properties,
      DeliveryStreamName,
      [destination]: renamed(destinationOf(properties), SPELLINGS),
    });
    ctx.created(DeliveryStreamName);
    const active = async () => (await streamOf(DeliveryStreamName, ctx))?.DeliveryStreamStatus === 'ACTIVE';
    await ctx.until(active, POLL);
    if (properties.DeliveryStreamEncryptionConfigurationInput) await encrypted(DeliveryStreamName, 'ENABLED', ctx);
    return DeliveryStreamName;
  },

  find: ({ DeliveryStreamName }, ctx) => streamOf(DeliveryStreamName!, ctx),

  async describe(found, { DeliveryStreamName }, ctx, applied) {
    const { Tags } = await ctx.call('firehose', 'ListTagsForDeliveryStream', {
      DeliveryStreamName: DeliveryStreamName!,
    });
    const encryption = found.DeliveryStreamEncryptionConfiguration;
    return {
      properties: defined({
        ...destinationProperties(found, applied),
        ...sourceProperties(found),
        DeliveryStreamEncryptionConfigurationInput:
          encryption?.Status === 'ENABLED'
            ? defined({ KeyARN: encryption.KeyARN, KeyType: encryption.KeyType })
            : undefined,
        DeliveryStreamName,
        DeliveryStreamType: found.DeliveryStreamType,
        Tags: unlessEmpty(Tags),
      }),
      attributes: { Arn: found.DeliveryStreamARN },
    };
  },

  async update({ DeliveryStreamName: name }, previous, desired, ctx) {
    const DeliveryStreamName = name!;
    const [before, after] = [destinationOf(previous), destinationOf(desired)];
    const kind = kindOf(desired);
    if (!sameValue(before, after) || kind !== kindOf(previous)) {
      const { VersionId, Destinations } = (await streamOf(DeliveryStreamName, ctx))!;
      await run(ctx, 'firehose', 'UpdateDestination', {
        DeliveryStreamName,
        CurrentDeliveryStreamVersionId: VersionId,
        DestinationId: Destinations[0]!.DestinationId,
        [`${kind}DestinationUpdate`]: destinationUpdate(kind === kindOf(previous) ? before : {}, after),
      });
    }
    const encryption = desired.DeliveryStreamEncryptionConfigurationInput;
    if (!sameValue(previous.DeliveryStreamEncryptionConfigurationInput, encryption)) {
      if (encryption)
        await run(ctx, 'firehose', 'StartDeliveryStreamEncryption', {
          DeliveryStreamName,
          DeliveryStreamEncryptionConfigurationInput: encryption,
        });
      else await ctx.call('firehose', 'StopDeliveryStreamEncryption', { DeliveryStreamName });
      await encrypted(DeliveryStreamName, encryption ? 'ENABLED' : 'DISABLED', ctx);
    }
    await changeTags(previous.Tags, desired.Tags, {
      set: (Tags) => ctx.call('firehose', 'TagDeliveryStream', { DeliveryStreamName, Tags: [...Tags] }),
      remove: (keys) => ctx.call('firehose', 'UntagDeliveryStream', { DeliveryStreamName, TagKeys: [...keys] }),
    });
  },

  async remove({ DeliveryStreamName }, _properties, ctx) {
    await ctx.call('firehose', 'DeleteDeliveryStream', { DeliveryStreamName: DeliveryStreamName! });
    await ctx.until(async () => (await streamOf(DeliveryStreamName!, ctx)) === undefined, POLL);
  },

  list: {
    operation: 'ListDeliveryStreams',
    identifiers: ({ DeliveryStreamNames }: { DeliveryStreamNames?: string[] }) => DeliveryStreamNames,
  },
});
