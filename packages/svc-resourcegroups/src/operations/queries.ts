import type { InputOf, OutputOf, ResourceIdentifier, ResourceQuery } from '@emu/service-types/resourcegroups';
import type { ResourcegroupsContext } from '../context.ts';
import { badRequest, invalidQuery } from '../errors.ts';
import { groupOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { find, membersOf } from '../query/members.ts';
import { parseQuery } from '../query/parse.ts';

/** @throws AwsError `BadRequestException` for an invalid query, or one for a deleted stack */
export async function checkQuery(query: ResourceQuery, ctx: ResourcegroupsContext): Promise<void> {
  const parsed = parseQuery(query);
  if ('tags' in parsed.by) return;
  const [error] = (await find(parsed, ctx)).errors;
  if (error) throw invalidQuery(error.Message!);
}

const byArn = ({ ResourceArn = '' }: ResourceIdentifier): string => ResourceArn;

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetGroupQuery.html */
export function GetGroupQuery(input: InputOf<'GetGroupQuery'>, ctx: ResourcegroupsContext): OutputOf<'GetGroupQuery'> {
  const { name, query } = groupOf(input, ctx);
  if (!query) throw badRequest('The group has no resource query.');
  return { GroupQuery: { GroupName: name, ResourceQuery: { ...query } } };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_UpdateGroupQuery.html */
export async function UpdateGroupQuery(
  input: InputOf<'UpdateGroupQuery'>,
  ctx: ResourcegroupsContext,
): Promise<OutputOf<'UpdateGroupQuery'>> {
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
  input: InputOf<'ListGroupResources'>,
  ctx: ResourcegroupsContext,
): Promise<OutputOf<'ListGroupResources'>> {
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
export async function SearchResources(
  input: InputOf<'SearchResources'>,
  ctx: ResourcegroupsContext,
): Promise<OutputOf<'SearchResources'>> {
  const { resources, errors } = await find(parseQuery(input.ResourceQuery), ctx);
  const page = paging.page('SearchResources', input, resources, byArn);
  return { ...page.list((resource) => resource), QueryErrors: [...errors] };
}
