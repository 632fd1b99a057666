import {
  changeTags,
  defined,
  defineProvider,
  everyItem,
  nameWithoutStack,
  omit,
  type Properties,
  pick,
  run,
  sameValue,
  unless,
} from '@emu/core/providers';
import { type AnyResourceProvider, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ParameterNotFound';

interface ParameterProperties extends Properties {
  Name?: string;
  Tags?: Readonly<Record<string, string>>;
  Type: string;
  Value: string;
}

const parameterOf = async (Name: string, ctx: ProviderContext) =>
  (await unless(ctx.call('ssm', 'GetParameter', { Name }), GONE))?.Parameter;

/**
 * Parameters, except encrypted ones, which templates cannot create.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-parameter.html
 */
export const parameter: AnyResourceProvider = defineProvider<ParameterProperties>({
  typeName: 'AWS::SSM::Parameter',
  model,
  handles: ['AllowedPattern', 'DataType', 'Description', 'Name', 'Policies', 'Tags', 'Tier', 'Type', 'Value'],

  async create(properties, ctx) {
    const Name = properties.Name ?? nameWithoutStack(ctx, 'CFN-');
    await run(ctx, 'ssm', 'PutParameter', { ...properties, Name, Tags: tagList(properties.Tags) });
    return { identifier: Name, attributes: pick(properties, ['Type', 'Value']) };
  },

  async read(Name, ctx) {
    const found = await parameterOf(Name, ctx);
    if (!found) return undefined;
    const { Parameters } = await ctx.call('ssm', 'DescribeParameters', {
      ParameterFilters: [{ Key: 'Name', Option: 'Equals', Values: [Name] }],
    });
    const { TagList } = await ctx.call('ssm', 'ListTagsForResource', { ResourceType: 'Parameter', ResourceId: Name });
    const described = Parameters?.[0];
    const policies = described?.Policies?.map(({ PolicyText }) => JSON.parse(PolicyText!) as unknown);
    return {
      properties: defined({
        Name,
        ...pick(found, ['DataType', 'Type', 'Value']),
        AllowedPattern: described?.AllowedPattern || undefined,
        Description: described?.Description || undefined,
        Tier: described?.Tier,
        Policies: policies?.length ? JSON.stringify(policies) : undefined,
        Tags: tagMap(TagList),
      }) as ParameterProperties,
      attributes: { Arn: found.ARN, ...pick(found, ['Type', 'Value']) },
    };
  },

  async update(Name, previous, desired, ctx) {
    const defaults = { Description: '', AllowedPattern: '', Policies: '[]' };
    const gone = pick(defaults, Object.keys(defaults).filter((name) => previous[name]) as never[]);
    if (!sameValue(omit(previous, 'Tags'), omit(desired, 'Tags')))
      await run(ctx, 'ssm', 'PutParameter', { ...gone, ...omit(desired, 'Tags'), Name, Overwrite: true });
    const at = { ResourceType: 'Parameter' as const, ResourceId: Name };
    await changeTags(tagList(previous.Tags), tagList(desired.Tags), {
      set: (Tags) => ctx.call('ssm', 'AddTagsToResource', { ...at, Tags: [...Tags] }),
      remove: (TagKeys) => ctx.call('ssm', 'RemoveTagsFromResource', { ...at, TagKeys: [...TagKeys] }),
    });
  },

  async delete(Name, _properties, ctx) {
    await unless(ctx.call('ssm', 'DeleteParameter', { Name }), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('ssm', 'DescribeParameters', defined({ NextToken }));
      return [page.Parameters?.map((found) => found.Name!), page.NextToken] as const;
    }),
});
