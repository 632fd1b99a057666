import { type DirectoryResource, type ResourceDirectory, resourceDirectory, type TagRecord } from '@emu/core/service';
import type { ResourceIdentifier } from '@emu/service-types/resourcegroups';
import { APPLICATION_TAG } from '../application.ts';
import { isApplication } from '../configuration.ts';
import { groupType } from '../resources.ts';
import type { Group } from '../state.ts';
import { parseQuery, type Query, type TagFilter } from './parse.ts';
import type { Members, QueryContext } from './query-context.ts';
import { stackMembers } from './stack.ts';

/** Resources of all services. */
export async function directoryOf(ctx: QueryContext): Promise<ResourceDirectory> {
  const directory = await ctx.capability(resourceDirectory);
  return directory!;
}

/** Runs a query in the account and region of the request. @throws AwsError from CloudFormation */
export async function find(query: Query, ctx: QueryContext): Promise<Members> {
  const directory = await directoryOf(ctx);
  if ('stack' in query.by) return stackMembers(query.by.stack, query.types, directory, ctx);
  const { tags } = query.by;
  return {
    resources: tagged(directory, ctx, query.types, (own) => tags.every((filter) => matches(own, filter))),
    errors: [],
  };
}

/** Returns the members of a group. */
export async function membersOf(group: Group, ctx: QueryContext): Promise<Members> {
  if (group.query) return find(parseQuery(group.query), ctx);
  if (!isApplication(group)) return { resources: [], errors: [] };
  const arn = groupType.arn(group, ctx);
  const directory = await directoryOf(ctx);
  return { resources: tagged(directory, ctx, undefined, (tags) => tags[APPLICATION_TAG] === arn), errors: [] };
}

function tagged(
  directory: ResourceDirectory,
  { accountId, region }: QueryContext,
  cloudFormation: ReadonlySet<string> | undefined,
  wanted: (tags: TagRecord) => boolean,
): ResourceIdentifier[] {
  const found: ResourceIdentifier[] = [];
  for (const resource of directory.list(accountId, region, { tagged: true, ...(cloudFormation && { cloudFormation }) }))
    if (wanted(resource.tags ?? {})) found.push(identifier(resource));
  return found;
}

const matches = (tags: TagRecord, { key, values }: TagFilter): boolean =>
  Object.hasOwn(tags, key) && (!values.length || values.includes(tags[key]!));

const identifier = ({ arn, cloudFormation }: DirectoryResource): ResourceIdentifier => ({
  ResourceArn: arn,
  ...(cloudFormation !== undefined && { ResourceType: cloudFormation }),
});
