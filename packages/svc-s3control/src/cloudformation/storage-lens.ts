import {
  ask,
  changeTags,
  defined,
  defineProvider,
  differs,
  omit,
  type Properties,
  run,
  type TaggedProperties,
  type TemplateTag,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { storageLensGroupType, storageLensType } from '../resources.ts';
import { inAccount, tagsOf } from './members.ts';

interface Configuration extends Properties {
  readonly AccountLevel: Properties;
  readonly Id: string;
}

interface LensProperties extends TaggedProperties {
  readonly StorageLensConfiguration: Configuration;
}

interface GroupProperties extends TaggedProperties {
  readonly Filter: Properties;
  readonly Name: string;
}

/** Returns the part of a dashboard's settings with a different name in templates. */
const renamed = (configuration: Properties, from: string, to: string): Properties => {
  const { StorageLensGroupLevel: groups, ...level } = configuration.AccountLevel as Properties;
  if (!groups) return configuration;
  const { [from]: selection, ...rest } = groups as Properties;
  const StorageLensGroupLevel = defined({ ...rest, [to]: selection });
  return { ...configuration, AccountLevel: { ...level, StorageLensGroupLevel } };
};

const put = (properties: LensProperties, ctx: ProviderContext, Tags?: TaggedProperties['Tags']) => {
  const { StorageLensConfiguration: given } = properties;
  return run(ctx, 's3control', 'PutStorageLensConfiguration', {
    AccountId: ctx.accountId,
    ConfigId: given.Id,
    StorageLensConfiguration: renamed(
      omit(given, 'StorageLensArn'),
      'StorageLensGroupSelectionCriteria',
      'SelectionCriteria',
    ),
    Tags,
  });
};

/** Changes the tags of a dashboard, which are replaced as a whole: those set by others are included again. */
async function changeLensTags(
  ConfigId: string,
  previous: LensProperties,
  desired: LensProperties,
  ctx: ProviderContext,
): Promise<void> {
  const at = { AccountId: ctx.accountId, ConfigId };
  const others = async (keys: readonly string[]) => {
    const { Tags = [] } = await ctx.call('s3control', 'GetStorageLensConfigurationTagging', at);
    return Tags.filter(({ Key }) => !keys.includes(Key));
  };
  const put = (Tags: TemplateTag[]) => ctx.call('s3control', 'PutStorageLensConfigurationTagging', { ...at, Tags });
  await changeTags(previous.Tags, desired.Tags, {
    set: async (tags) => put([...(await others(tags.map(({ Key }) => Key))), ...tags]),
    remove: async (keys) => put(await others(keys)),
  });
}

/**
 * Dashboards of S3 Storage Lens.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-storagelens.html
 */
export const storageLens: AnyResourceProvider = defineProvider<LensProperties>({
  typeName: 'AWS::S3::StorageLens',
  model,
  service: 's3control',
  handles: ['StorageLensConfiguration', 'Tags'],
  key: ['ConfigId'],
  gone: ['NoSuchConfiguration'],

  async create(properties, ctx) {
    await put(properties, ctx, properties.Tags);
    return properties.StorageLensConfiguration.Id;
  },

  find: async (key, ctx) =>
    (await ask(ctx, 's3control', 'GetStorageLensConfiguration', inAccount(key, ctx)))
      .StorageLensConfiguration as Properties,

  async describe(found, { ConfigId }, ctx) {
    const at = { AccountId: ctx.accountId, ConfigId: ConfigId! };
    const { Tags } = await ctx.call('s3control', 'GetStorageLensConfigurationTagging', at);
    const configuration = omit(found, 'StorageLensArn');
    return {
      properties: defined({
        StorageLensConfiguration: renamed(configuration, 'SelectionCriteria', 'StorageLensGroupSelectionCriteria'),
        Tags: unlessEmpty(Tags),
      }),
      attributes: { 'StorageLensConfiguration.StorageLensArn': storageLensType.arn({ id: ConfigId! }, ctx) },
    };
  },

  async update({ ConfigId }, previous, desired, ctx) {
    if (differs(previous, desired, 'StorageLensConfiguration')) await put(desired, ctx);
    await changeLensTags(ConfigId!, previous, desired, ctx);
  },

  replaces: (previous, desired) => previous.StorageLensConfiguration.Id !== desired.StorageLensConfiguration.Id,

  remove: (key, _properties, ctx) => run(ctx, 's3control', 'DeleteStorageLensConfiguration', inAccount(key, ctx)),
  list: {
    operation: 'ListStorageLensConfigurations',
    input: (_filter, ctx) => inAccount({}, ctx),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ StorageLensConfigurationList: all }: { StorageLensConfigurationList?: { Id: string }[] }) =>
      all?.map(({ Id }) => Id),
  },
});

/**
 * Storage Lens groups.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-storagelensgroup.html
 */
export const storageLensGroup: AnyResourceProvider = defineProvider<GroupProperties>({
  typeName: 'AWS::S3::StorageLensGroup',
  model,
  service: 's3control',
  handles: ['Filter', 'Name', 'Tags'],
  key: ['Name'],
  gone: ['NoSuchConfiguration'],

  async create({ Filter, Name, Tags }, ctx) {
    const StorageLensGroup = { Filter, Name };
    await run(ctx, 's3control', 'CreateStorageLensGroup', inAccount({ StorageLensGroup, Tags }, ctx));
    return Name;
  },

  find: async (key, ctx) =>
    (await ask(ctx, 's3control', 'GetStorageLensGroup', inAccount(key, ctx))).StorageLensGroup as Properties,

  async describe({ Filter }, key, ctx) {
    const arn = storageLensGroupType.arn({ name: key.Name! }, ctx);
    return {
      properties: defined({ ...key, Filter, Tags: await tagsOf(arn, ctx) }),
      attributes: { StorageLensGroupArn: arn },
    };
  },

  async update(key, previous, desired, ctx) {
    const StorageLensGroup = { ...key, Filter: desired.Filter };
    await run(ctx, 's3control', 'UpdateStorageLensGroup', inAccount({ ...key, StorageLensGroup }, ctx));
    await changeTagsOf(storageLensGroupType.arn({ name: key.Name! }, ctx), previous, desired, ctx);
  },

  remove: (key, _properties, ctx) => run(ctx, 's3control', 'DeleteStorageLensGroup', inAccount(key, ctx)),
  list: {
    operation: 'ListStorageLensGroups',
    input: (_filter, ctx) => inAccount({}, ctx),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ StorageLensGroupList }: { StorageLensGroupList?: { Name: string }[] }) =>
      StorageLensGroupList?.map(({ Name }) => Name),
  },
});
