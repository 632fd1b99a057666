import { defineProvider, type Properties, pick, type TaggedProperties } from '@emu/core/providers';
import { type AnyResourceProvider, parseArn, type ResourceModel, type ResourceProvider } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { key, keyOf } from './key.ts';

const CHANGEABLE = ['Description', 'Enabled', 'KeyPolicy', 'Tags'] as const;

interface ReplicaProperties extends TaggedProperties {
  readonly Description?: string;
  readonly Enabled?: boolean;
  readonly KeyPolicy: unknown;
  readonly PrimaryKeyArn: string;
}

const keys = key as unknown as ResourceProvider<Properties>;
const changeable = (properties: Properties): Properties => pick(properties, CHANGEABLE as unknown as never[]);

/**
 * Replicas of multi-Region keys. A replica is a separate key that shares some properties with its primary key.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kms-replicakey.html
 */
export const replicaKey: AnyResourceProvider = defineProvider<ReplicaProperties, ResourceModel>({
  typeName: 'AWS::KMS::ReplicaKey',
  model,
  service: 'kms',
  handles: [...CHANGEABLE, 'PendingWindowInDays', 'PrimaryKeyArn'],
  key: ['KeyId'],
  gone: ['NotFoundException'],

  async create(properties, ctx) {
    const { Description = '', Enabled, KeyPolicy, PrimaryKeyArn, Tags = [] } = properties;
    const primary = parseArn(PrimaryKeyArn);
    const input = {
      KeyId: PrimaryKeyArn,
      ReplicaRegion: ctx.region,
      Policy: textOf(KeyPolicy),
      Description,
      Tags: Tags.map(({ Key, Value }) => ({ TagKey: Key, TagValue: Value })),
    };
    const { ReplicaKeyMetadata } = await ctx.call('kms', 'ReplicateKey', input, {
      region: primary?.region || ctx.region,
    });
    const { Arn, KeyId } = ReplicaKeyMetadata!;
    ctx.created(KeyId);
    await ctx.until(async () => (await keyOf(KeyId, ctx))?.KeyState === 'Enabled', { interval: 50 });
    if (Enabled === false) await ctx.call('kms', 'DisableKey', { KeyId });
    return { identifier: KeyId, attributes: { Arn, KeyId } };
  },

  find: ({ KeyId }, ctx) => keys.read(KeyId!, ctx),

  async describe({ attributes, properties }, { KeyId }, ctx) {
    const found = await keyOf(KeyId!, ctx);
    return {
      properties: {
        ...changeable(properties),
        PrimaryKeyArn: found?.MultiRegionConfiguration?.PrimaryKey?.Arn,
      },
      attributes,
    };
  },

  update: ({ KeyId }, previous, desired, ctx) => keys.update!(KeyId!, changeable(previous), changeable(desired), ctx),
  remove: ({ KeyId }, properties, ctx) => keys.delete(KeyId!, properties, ctx),
});
