import {
  ask,
  defined,
  defineProvider,
  differs,
  everyItem,
  listChanges,
  type Properties,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { resourcegroupsError } from '../errors.ts';

const SERVICE = 'resourcegroups';
const GONE = ['NotFoundException'];

interface Query {
  readonly ResourceTypeFilters?: readonly string[];
  readonly StackIdentifier?: string;
  readonly TagFilters?: readonly Properties[];
}

interface ResourceQuery {
  readonly Query?: Query;
  readonly Type?: string;
}

interface GroupProperties extends TaggedProperties {
  readonly Configuration?: readonly Properties[];
  readonly Description?: string;
  readonly Name: string;
  readonly ResourceQuery?: ResourceQuery;
  readonly Resources?: readonly string[];
}

/** Returns the query as text. A query without content selects the stack of the group. */
function queryIn({ Query = {}, Type }: ResourceQuery, ctx: ProviderContext): Properties {
  const ResourceTypeFilters = Query.ResourceTypeFilters ?? ['AWS::AllSupported'];
  if (Type === 'TAG_FILTERS_1_0')
    return { Type, Query: JSON.stringify({ ResourceTypeFilters, TagFilters: Query.TagFilters ?? [] }) };
  const StackIdentifier = Query.StackIdentifier ?? ctx.stack?.id;
  return { Type, Query: JSON.stringify({ ResourceTypeFilters, StackIdentifier }) };
}

const queryOut = (found: Properties | undefined): ResourceQuery | undefined =>
  found && { Type: found.Type as string, Query: JSON.parse(found.Query as string) as Query };

/** Adds resources to a group or removes them. @throws AwsError if one of them fails */
async function changeMembers(
  Group: string,
  previous: GroupProperties['Resources'],
  desired: GroupProperties['Resources'],
  ctx: ProviderContext,
): Promise<void> {
  const { added, removed } = listChanges(previous, desired);
  const changes = [
    ['UngroupResources', removed],
    ['GroupResources', added],
  ] as const;
  for (const [operation, ResourceArns] of changes) {
    if (!ResourceArns.length) continue;
    const { Failed } = await run(ctx, SERVICE, operation, { Group, ResourceArns });
    const [failed] = Failed ?? [];
    if (failed)
      throw resourcegroupsError(
        'GeneralServiceException',
        `The resource ${failed.ResourceArn} could be neither added nor removed: ${failed.ErrorMessage}`,
      );
  }
}

/**
 * Groups of resources by a query or a configuration.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-resourcegroups-group.html
 */
export const group: AnyResourceProvider = defineProvider<GroupProperties>({
  typeName: 'AWS::ResourceGroups::Group',
  model,
  service: SERVICE,
  handles: ['Configuration', 'Description', 'Name', 'ResourceQuery', 'Resources', 'Tags'],
  key: ['Group'],
  gone: GONE,

  async create(properties, ctx) {
    const { Configuration, Description, Name, ResourceQuery, Resources, Tags } = properties;
    const { Group } = await run(ctx, SERVICE, 'CreateGroup', {
      Configuration,
      Description,
      Name,
      ResourceQuery: ResourceQuery && queryIn(ResourceQuery, ctx),
      Tags: tagMap(Tags),
    });
    // The name of an application group has an id appended.
    const identifier = Group!.Name!;
    ctx.created(identifier);
    await changeMembers(identifier, [], Resources, ctx);
    return { identifier, attributes: { Arn: Group!.GroupArn } };
  },

  find: async (key, ctx) => (await ask(ctx, SERVICE, 'GetGroup', key)).Group as Properties,

  async describe(found, { Group }, ctx) {
    const at = { Group: Group! };
    const Arn = found.GroupArn as string;
    const { Tags } = await ctx.call(SERVICE, 'GetTags', { Arn });
    const query = await unless(ask(ctx, SERVICE, 'GetGroupQuery', at), ...GONE, 'BadRequestException');
    const settings = await unless(ctx.call(SERVICE, 'GetGroupConfiguration', at), ...GONE, 'BadRequestException');
    const ResourceQuery = queryOut(
      (query?.GroupQuery as Properties | undefined)?.ResourceQuery as Properties | undefined,
    );
    const members = ResourceQuery ? [] : await membersOf(at.Group, ctx);
    return {
      properties: defined({
        Configuration: unlessEmpty(settings?.GroupConfiguration?.Configuration as Properties[] | undefined),
        Description: found.Description || undefined,
        Name: Group,
        ResourceQuery,
        Resources: unlessEmpty(members),
        Tags: tagList(Tags),
      }),
      attributes: { Arn },
    };
  },

  async update({ Group }, previous, desired, ctx) {
    const at = { Group: Group! };
    const { Description = '', ResourceQuery, Configuration = [] } = desired;
    if (differs(previous, desired, 'Description')) await run(ctx, SERVICE, 'UpdateGroup', { ...at, Description });
    if (differs(previous, desired, 'ResourceQuery') && ResourceQuery)
      await run(ctx, SERVICE, 'UpdateGroupQuery', { ...at, ResourceQuery: queryIn(ResourceQuery, ctx) });
    if (differs(previous, desired, 'Configuration'))
      await run(ctx, SERVICE, 'PutGroupConfiguration', { ...at, Configuration });
    await changeMembers(at.Group, previous.Resources, desired.Resources, ctx);
    const { GroupArn: Arn } = (await ctx.call(SERVICE, 'GetGroup', at)).Group!;
    await changeTagsOf(Arn, previous, desired, ctx);
  },

  remove: 'DeleteGroup',
  list: {
    operation: 'ListGroups',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ GroupIdentifiers }: { GroupIdentifiers?: { GroupName: string }[] }) =>
      GroupIdentifiers?.map(({ GroupName }) => GroupName),
  },
});

const membersOf = (Group: string, ctx: ProviderContext) =>
  everyItem(async (NextToken) => {
    const page = await ctx.call(SERVICE, 'ListGroupResources', defined({ Group, NextToken }));
    return [page.Resources?.map(({ Identifier }) => Identifier!.ResourceArn!), page.NextToken] as const;
  });
