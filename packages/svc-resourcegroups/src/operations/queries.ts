import type {
  GetGroupQueryInput,
  GetGroupQueryOutput,
  ListGroupResourcesInput,
  ListGroupResourcesOutput,
  ResourceIdentifier,
  ResourceQuery,
  SearchResourcesInput,
  SearchResourcesOutput,
  UpdateGroupQueryInput,
  UpdateGroupQueryOutput,
} from '@emu/service-types/resourcegroups';
import { badRequest, invalidQuery } from '../errors.ts';
import { groupOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { GroupsContext } from '../query/context.ts';
import { find, membersOf } from '../query/members.ts';
import { parseQuery } from '../query/parse.ts';

/** @throws AwsError `BadRequestException` for what is no query, or one for a stack that has no resources any more */
export async function checkQuery(query: ResourceQuery, ctx: GroupsContext): Promise<void> {
  const parsed = parseQuery(query);
  if ('tags' in parsed.by) return;
  const [error] = (await find(parsed, ctx)).errors;
  if (error) throw invalidQuery(error.Message!);
}

const byArn = ({ ResourceArn = '' }: ResourceIdentifier): string => ResourceArn;

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetGroupQuery.html */
export function GetGroupQuery(input: GetGroupQueryInput, ctx: GroupsContext): GetGroupQueryOutput {
  const { name, query } = groupOf(input, ctx);
  if (!query) throw badRequest('The group has no resource query.');
  return { GroupQuery: { GroupName: name, ResourceQuery: { ...query } } };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_UpdateGroupQuery.html */
export async function UpdateGroupQuery(
  input: UpdateGroupQueryInput,
  ctx: GroupsContext,
): Promise<UpdateGroupQueryOutput> {
  const { name, configuration } = groupOf(input, ctx);
  const { ResourceQuery: query } = input;
  if (configuration?.length) throw badRequest('A group can have either a resource query or a configuration, not both.');
  await checkQuery(query, ctx);
  ctx.state.groups.update(name, (draft) => {
    draft.query = query;
  });
  return { GroupQuery: { GroupName: name, ResourceQuery: query } };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_ListGroupResources.html */
export async function ListGroupResources(
  input: ListGroupResourcesInput,
  ctx: GroupsContext,
): Promise<ListGroupResourcesOutput> {
  const group = groupOf(input, ctx);
  const { resources, errors } = await membersOf(group, ctx);
  const ofType = (input.Filters ?? []).filter(({ Name }) => Name === 'resource-type');
  const wanted = ofType.map(({ Values }) => new Set(Values));
  const listed = resources.filter(({ ResourceType = '' }) => wanted.every((types) => types.has(ResourceType)));
  const { items, next } = paging.page('ListGroupResources', input, listed, byArn);
  return {
    Resources: items.map((Identifier) => ({ Identifier })),
    ResourceIdentifiers: items,
    QueryErrors: [...errors],
    ...next,
  };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_SearchResources.html */
export async function SearchResources(input: SearchResourcesInput, ctx: GroupsContext): Promise<SearchResourcesOutput> {
  const { resources, errors } = await find(parseQuery(input.ResourceQuery), ctx);
  const page = paging.page('SearchResources', input, resources, byArn);
  return { ...page.list((resource) => resource), QueryErrors: [...errors] };
}
