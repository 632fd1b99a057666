import {
  ask,
  defined,
  defineProvider,
  differs,
  type Properties,
  pick,
  run,
  type TaggedProperties,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, parseArn, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const POLL = { interval: 50 };
const FIXED = ['InstanceRequirements', 'KmsKeyArn', 'PermissionsConfig', 'VpcConfig'] as const;

interface CapacityProperties extends TaggedProperties {
  readonly CapacityProviderName?: string;
  readonly CapacityProviderScalingConfig?: Properties;
}

/**
 * Capacity providers.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-capacityprovider.html
 */
export const capacityProvider: AnyResourceProvider = defineProvider<CapacityProperties>({
  typeName: 'AWS::Lambda::CapacityProvider',
  model,
  service: 'lambda',
  handles: [...FIXED, 'CapacityProviderName', 'CapacityProviderScalingConfig', 'Tags'],
  key: ['CapacityProviderName'],
  gone: ['ResourceNotFoundException'],

  async create({ Tags, ...properties }, ctx) {
    const CapacityProviderName = (properties.CapacityProviderName as string | undefined) ?? ctx.name();
    await run(ctx, 'lambda', 'CreateCapacityProvider', {
      ...properties,
      CapacityProviderName,
      Tags: tagMap(Tags as TaggedProperties['Tags']),
    });
    ctx.created(CapacityProviderName);
    const state = async () =>
      (await ctx.call('lambda', 'GetCapacityProvider', { CapacityProviderName })).CapacityProvider.State;
    await ctx.until(async () => (await state()) !== 'Pending', POLL);
    return CapacityProviderName;
  },

  async find(key, ctx) {
    const found = (await ask(ctx, 'lambda', 'GetCapacityProvider', key)).CapacityProvider as Properties;
    return found.State === 'Deleting' ? undefined : found;
  },

  async describe(found, { CapacityProviderName }, ctx) {
    const Resource = found.CapacityProviderArn as string;
    const { Tags } = await ctx.call('lambda', 'ListTags', { Resource });
    return {
      properties: defined({
        ...pick(found, [...FIXED, 'CapacityProviderScalingConfig']),
        CapacityProviderName,
        Tags: tagList(Tags),
      }),
      attributes: { Arn: Resource, State: found.State },
    };
  },

  async update(key, previous, desired, ctx) {
    const { CapacityProviderScalingConfig = { ScalingMode: 'Auto' } } = desired;
    if (differs(previous, desired, 'CapacityProviderScalingConfig'))
      await run(ctx, 'lambda', 'UpdateCapacityProvider', { ...key, CapacityProviderScalingConfig });
    const { CapacityProvider } = await run(ctx, 'lambda', 'GetCapacityProvider', key);
    const Resource = CapacityProvider.CapacityProviderArn;
    await changeTagsOf(Resource, previous, desired, ctx);
  },

  async remove(key, _properties, ctx) {
    await run(ctx, 'lambda', 'DeleteCapacityProvider', key);
    const { CapacityProviderName } = key;
    const gone = async () => {
      const { CapacityProviders = [] } = await ctx.call('lambda', 'ListCapacityProviders', {});
      const named = (arn: string) => parseArn(arn)?.resource.endsWith(`:${CapacityProviderName}`);
      return !CapacityProviders.some(({ CapacityProviderArn }) => named(CapacityProviderArn));
    };
    await ctx.until(gone, POLL);
  },

  list: {
    operation: 'ListCapacityProviders',
    token: ['Marker', 'NextMarker'],
    identifiers: ({ CapacityProviders }: { CapacityProviders?: { CapacityProviderArn: string }[] }) =>
      CapacityProviders?.map(({ CapacityProviderArn: arn }) => arn.slice(arn.lastIndexOf(':') + 1)),
  },
});
