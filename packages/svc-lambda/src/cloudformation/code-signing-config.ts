import {
  defined,
  defineProvider,
  differs,
  everyItem,
  pick,
  run,
  type TaggedProperties,
  unless,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';
const MEMBERS = ['AllowedPublishers', 'CodeSigningPolicies', 'Description'];

const configOf = async (CodeSigningConfigArn: string, ctx: ProviderContext) =>
  (await unless(ctx.call('lambda', 'GetCodeSigningConfig', { CodeSigningConfigArn }), GONE))?.CodeSigningConfig;

/**
 * Code signing configurations.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-codesigningconfig.html
 */
export const codeSigningConfig: AnyResourceProvider = defineProvider<TaggedProperties>({
  typeName: 'AWS::Lambda::CodeSigningConfig',
  model,
  handles: [...MEMBERS, 'Tags'],

  async create(properties, ctx) {
    const { CodeSigningConfig } = await run(ctx, 'lambda', 'CreateCodeSigningConfig', {
      ...properties,
      Tags: tagMap(properties.Tags),
    });
    return {
      identifier: CodeSigningConfig.CodeSigningConfigArn,
      attributes: pick(CodeSigningConfig, ['CodeSigningConfigArn', 'CodeSigningConfigId']),
    };
  },

  async read(arn, ctx) {
    const found = await configOf(arn, ctx);
    if (!found) return undefined;
    const { Tags } = await ctx.call('lambda', 'ListTags', { Resource: arn });
    return {
      properties: defined({
        ...pick(found, MEMBERS as never[]),
        Description: found.Description || undefined,
        Tags: tagList(Tags),
      }),
      attributes: pick(found, ['CodeSigningConfigArn', 'CodeSigningConfigId']),
    };
  },

  async update(CodeSigningConfigArn, previous, desired, ctx) {
    if (differs(previous, desired, ...MEMBERS))
      await run(ctx, 'lambda', 'UpdateCodeSigningConfig', {
        CodeSigningConfigArn,
        ...{ Description: '', CodeSigningPolicies: { UntrustedArtifactOnDeployment: 'Warn' } },
        ...pick(desired, [...MEMBERS]),
      });
    await changeTagsOf(CodeSigningConfigArn, previous, desired, ctx);
  },

  async delete(CodeSigningConfigArn, _properties, ctx) {
    await unless(ctx.call('lambda', 'DeleteCodeSigningConfig', { CodeSigningConfigArn }), GONE);
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('lambda', 'ListCodeSigningConfigs', defined({ Marker }));
      return [page.CodeSigningConfigs?.map((found) => found.CodeSigningConfigArn), page.NextMarker] as const;
    }),
});
