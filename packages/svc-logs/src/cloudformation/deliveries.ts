import {
  ask,
  defined,
  defineProvider,
  differs,
  documentValue,
  type Properties,
  run,
  sameValue,
  type TaggedProperties,
  unless,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagMap } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { GONE, tagsOf } from './tags.ts';

interface DeliveryProperties extends TaggedProperties {
  readonly DeliveryDestinationArn: string;
  readonly DeliverySourceName: string;
  readonly FieldDelimiter?: string;
  readonly RecordFields?: readonly string[];
  readonly S3EnableHiveCompatiblePath?: boolean;
  readonly S3SuffixPath?: string;
}

interface SourceProperties extends TaggedProperties {
  readonly DeliverySourceConfiguration?: Properties;
  readonly LogType?: string;
  readonly Name: string;
  readonly ResourceArn?: string;
}

interface DestinationProperties extends TaggedProperties {
  readonly DeliveryDestinationPolicy?: { readonly DeliveryDestinationPolicy?: unknown };
  readonly DeliveryDestinationType?: string;
  readonly DestinationResourceArn?: string;
  readonly Name: string;
  readonly OutputFormat?: string;
}

/** Returns the settings of a delivery as operation input. */
function settingsOf(properties: DeliveryProperties): Properties {
  const { FieldDelimiter, RecordFields, S3EnableHiveCompatiblePath, S3SuffixPath } = properties;
  const s3 = defined({ enableHiveCompatiblePath: S3EnableHiveCompatiblePath, suffixPath: S3SuffixPath });
  return {
    fieldDelimiter: FieldDelimiter,
    recordFields: RecordFields,
    s3DeliveryConfiguration: Object.keys(s3).length ? s3 : undefined,
  };
}

/**
 * Deliveries of vended logs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-delivery.html
 */
export const delivery: AnyResourceProvider = defineProvider<DeliveryProperties>({
  typeName: 'AWS::Logs::Delivery',
  model,
  service: 'logs',
  handles: [
    'DeliveryDestinationArn',
    'DeliverySourceName',
    'FieldDelimiter',
    'RecordFields',
    'S3EnableHiveCompatiblePath',
    'S3SuffixPath',
    'Tags',
  ],
  key: ['id'],
  gone: GONE,

  async create(properties, ctx) {
    const made = await run(ctx, 'logs', 'CreateDelivery', {
      ...settingsOf(properties),
      deliveryDestinationArn: properties.DeliveryDestinationArn,
      deliverySourceName: properties.DeliverySourceName,
      tags: tagMap(properties.Tags),
    });
    const { arn, deliveryDestinationType, id } = made.delivery!;
    const attributes = { Arn: arn, DeliveryDestinationType: deliveryDestinationType, DeliveryId: id };
    return { identifier: id!, attributes };
  },

  find: async (key, ctx) => (await ask(ctx, 'logs', 'GetDelivery', key)).delivery as Properties,

  async describe(found, { id }, ctx) {
    const s3 = (found.s3DeliveryConfiguration ?? {}) as Properties;
    return {
      properties: defined({
        DeliveryDestinationArn: found.deliveryDestinationArn,
        DeliverySourceName: found.deliverySourceName,
        FieldDelimiter: found.fieldDelimiter || undefined,
        RecordFields: found.recordFields,
        S3EnableHiveCompatiblePath: s3.enableHiveCompatiblePath,
        S3SuffixPath: s3.suffixPath || undefined,
        Tags: await tagsOf(found.arn as string, ctx),
      }),
      attributes: { Arn: found.arn, DeliveryDestinationType: found.deliveryDestinationType, DeliveryId: id },
    };
  },

  async update({ id }, previous, desired, ctx) {
    const settings = settingsOf(desired);
    if (!sameValue(settingsOf(previous), settings)) {
      const { S3EnableHiveCompatiblePath = false, S3SuffixPath } = desired;
      const hasS3 = settings.s3DeliveryConfiguration ?? settingsOf(previous).s3DeliveryConfiguration;
      await run(ctx, 'logs', 'UpdateDeliveryConfiguration', {
        ...settings,
        ...(previous.FieldDelimiter !== undefined && { fieldDelimiter: desired.FieldDelimiter ?? '' }),
        ...(hasS3 !== undefined && {
          s3DeliveryConfiguration: defined({
            enableHiveCompatiblePath: S3EnableHiveCompatiblePath,
            suffixPath: S3SuffixPath,
          }),
        }),
        id,
      });
    }
    const { arn } = (await run(ctx, 'logs', 'GetDelivery', { id })).delivery!;
    await changeTagsOf(arn!, previous, desired, ctx);
  },

  remove: 'DeleteDelivery',
  list: {
    operation: 'DescribeDeliveries',
    token: ['nextToken', 'nextToken'],
    identifiers: ({ deliveries }: { deliveries?: { id: string }[] }) => deliveries?.map(({ id }) => id),
  },
});

const putSource = (properties: SourceProperties, ctx: ProviderContext, tags?: Properties) =>
  run(ctx, 'logs', 'PutDeliverySource', {
    deliverySourceConfiguration: properties.DeliverySourceConfiguration,
    logType: properties.LogType,
    name: properties.Name,
    resourceArn: properties.ResourceArn,
    tags,
  });

/**
 * Resources whose logs are delivered.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-deliverysource.html
 */
export const deliverySource: AnyResourceProvider = defineProvider<SourceProperties>({
  typeName: 'AWS::Logs::DeliverySource',
  model,
  service: 'logs',
  handles: ['DeliverySourceConfiguration', 'LogType', 'Name', 'ResourceArn', 'Tags'],
  key: ['name'],
  gone: GONE,

  async create(properties, ctx) {
    await putSource(properties, ctx, tagMap(properties.Tags));
    return properties.Name;
  },

  find: async (key, ctx) => (await ask(ctx, 'logs', 'GetDeliverySource', key)).deliverySource as Properties,

  async describe(found, { name }, ctx) {
    const resourceArns = (found.resourceArns ?? []) as string[];
    return {
      properties: defined({
        DeliverySourceConfiguration: found.deliverySourceConfiguration,
        LogType: found.logType,
        Name: name,
        ResourceArn: resourceArns[0],
        Tags: await tagsOf(found.arn as string, ctx),
      }),
      attributes: defined({ Arn: found.arn, ResourceArns: resourceArns, Service: found.service }),
    };
  },

  async update(key, previous, desired, ctx) {
    if (differs(previous, desired, 'DeliverySourceConfiguration', 'LogType', 'ResourceArn'))
      await putSource(desired, ctx);
    const { arn } = (await run(ctx, 'logs', 'GetDeliverySource', key)).deliverySource!;
    await changeTagsOf(arn!, previous, desired, ctx);
  },

  remove: 'DeleteDeliverySource',
  list: {
    operation: 'DescribeDeliverySources',
    token: ['nextToken', 'nextToken'],
    identifiers: ({ deliverySources }: { deliverySources?: { name: string }[] }) =>
      deliverySources?.map(({ name }) => name),
  },
});

/** Sets or deletes the policy of a destination. */
async function changePolicy(
  deliveryDestinationName: string,
  { DeliveryDestinationPolicy: before }: Partial<DestinationProperties>,
  { DeliveryDestinationPolicy: after }: DestinationProperties,
  ctx: ProviderContext,
): Promise<void> {
  if (sameValue(before, after)) return;
  const document = after?.DeliveryDestinationPolicy;
  if (document === undefined)
    await unless(ctx.call('logs', 'DeleteDeliveryDestinationPolicy', { deliveryDestinationName }), ...GONE);
  else
    await ctx.call('logs', 'PutDeliveryDestinationPolicy', {
      deliveryDestinationName,
      deliveryDestinationPolicy: textOf(document),
    });
}

/**
 * Destinations of deliveries.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-deliverydestination.html
 */
export const deliveryDestination: AnyResourceProvider = defineProvider<DestinationProperties>({
  typeName: 'AWS::Logs::DeliveryDestination',
  model,
  service: 'logs',
  handles: [
    'DeliveryDestinationPolicy',
    'DeliveryDestinationType',
    'DestinationResourceArn',
    'Name',
    'OutputFormat',
    'Tags',
  ],
  key: ['name'],
  gone: GONE,

  async create(properties, ctx) {
    const { DeliveryDestinationType, DestinationResourceArn, Name, OutputFormat, Tags } = properties;
    await run(ctx, 'logs', 'PutDeliveryDestination', {
      deliveryDestinationConfiguration: DestinationResourceArn && { destinationResourceArn: DestinationResourceArn },
      deliveryDestinationType: DeliveryDestinationType,
      name: Name,
      outputFormat: OutputFormat,
      tags: tagMap(Tags),
    });
    ctx.created(Name);
    await changePolicy(Name, {}, properties, ctx);
    return Name;
  },

  find: async (key, ctx) => (await ask(ctx, 'logs', 'GetDeliveryDestination', key)).deliveryDestination as Properties,

  async describe(found, { name }, ctx, applied) {
    const { policy } = await ctx.call('logs', 'GetDeliveryDestinationPolicy', { deliveryDestinationName: name! });
    const document = policy?.deliveryDestinationPolicy;
    return {
      properties: defined({
        DeliveryDestinationPolicy: document
          ? { ...applied?.DeliveryDestinationPolicy, DeliveryDestinationPolicy: documentValue(document) }
          : undefined,
        DeliveryDestinationType: found.deliveryDestinationType,
        DestinationResourceArn: (found.deliveryDestinationConfiguration as Properties | undefined)
          ?.destinationResourceArn,
        Name: name,
        OutputFormat: found.outputFormat,
        Tags: await tagsOf(found.arn as string, ctx),
      }),
      attributes: { Arn: found.arn },
    };
  },

  async update(key, previous, desired, ctx) {
    await changePolicy(key.name!, previous, desired, ctx);
    const { arn } = (await run(ctx, 'logs', 'GetDeliveryDestination', key)).deliveryDestination!;
    await changeTagsOf(arn!, previous, desired, ctx);
  },

  remove: 'DeleteDeliveryDestination',
  list: {
    operation: 'DescribeDeliveryDestinations',
    token: ['nextToken', 'nextToken'],
    identifiers: ({ deliveryDestinations }: { deliveryDestinations?: { name: string }[] }) =>
      deliveryDestinations?.map(({ name }) => name),
  },
});
