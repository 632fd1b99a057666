import {
  defined,
  defineProvider,
  everyItem,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { layerVersionType } from '../resources.ts';

const GONE = 'ResourceNotFoundException';
const MEMBERS = ['CompatibleArchitectures', 'CompatibleRuntimes', 'LicenseInfo'] as const;

interface LayerVersionProperties extends Properties {
  Content: Properties;
  LayerName?: string;
}

const versionOf = (Arn: string, ctx: ProviderContext) =>
  unless(ctx.call('lambda', 'GetLayerVersionByArn', { Arn }), GONE);

/**
 * Versions of layers.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-layerversion.html
 */
export const layerVersion: AnyResourceProvider = defineProvider<LayerVersionProperties>({
  typeName: 'AWS::Lambda::LayerVersion',
  model,
  handles: [...MEMBERS, 'Content.S3Bucket', 'Content.S3Key', 'Content.S3ObjectVersion', 'Description', 'LayerName'],

  async create(properties, ctx) {
    const LayerName = properties.LayerName ?? ctx.name();
    const made = await run(ctx, 'lambda', 'PublishLayerVersion', { ...properties, LayerName });
    const identifier = made.LayerVersionArn!;
    return { identifier, attributes: { LayerVersionArn: identifier } };
  },

  async read(arn, ctx) {
    const found = await versionOf(arn, ctx);
    if (!found) return undefined;
    return {
      properties: defined({
        ...pick(found, MEMBERS),
        CompatibleArchitectures: unlessEmpty(found.CompatibleArchitectures),
        CompatibleRuntimes: unlessEmpty(found.CompatibleRuntimes),
        Description: found.Description || undefined,
        LayerName: layerVersionType.parse(arn)!.key.name,
      }) as unknown as LayerVersionProperties,
      attributes: { LayerVersionArn: arn },
    };
  },

  async delete(arn, _properties, ctx) {
    const { name, version } = layerVersionType.parse(arn)!.key;
    await ctx.call('lambda', 'DeleteLayerVersion', { LayerName: name, VersionNumber: Number(version) });
  },

  async list(ctx) {
    const layers = await everyItem(async (Marker) => {
      const page = await ctx.call('lambda', 'ListLayers', defined({ Marker }));
      return [page.Layers, page.NextMarker] as const;
    });
    const arns: string[] = [];
    for (const { LayerName } of layers)
      arns.push(
        ...(await everyItem(async (Marker) => {
          const page = await ctx.call('lambda', 'ListLayerVersions', defined({ LayerName: LayerName!, Marker }));
          return [page.LayerVersions?.map(({ LayerVersionArn }) => LayerVersionArn!), page.NextMarker] as const;
        })),
      );
    return arns;
  },
});
