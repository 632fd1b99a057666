import type {
  CreateGroupInput,
  GroupFilter,
  InputOf,
  OutputOf,
  UpdateGroupInput,
} from '@emu/service-types/resourcegroups';
import { APPLICATION, checkConfiguration, isApplication, isConfigurationType, isProtected } from '../configuration.ts';
import type { ResourcegroupsContext } from '../context.ts';
import { badRequest } from '../errors.ts';
import { describe, groupOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { membersOf } from '../query/members.ts';
import { parseQuery } from '../query/parse.ts';
import type { GroupRecord } from '../records.ts';
import type { Group } from '../state.ts';
import { tagging } from '../tags.ts';
import { checkQuery } from './queries.ts';

const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz0123456789';
const MAX_APPLICATION_NAME = 150;

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_CreateGroup.html */
export async function CreateGroup(
  input: InputOf<'CreateGroup'>,
  ctx: ResourcegroupsContext,
): Promise<OutputOf<'CreateGroup'>> {
  const { Name, ResourceQuery: query, Configuration: configuration } = input;
  if (/^aws/i.test(Name)) throw badRequest('Group names must not begin with AWS, which is reserved.');
  if (query && configuration?.length)
    throw badRequest('A group can have either a resource query or a configuration, not both.');
  if (configuration) checkConfiguration(configuration);
  const tags = tagging.merge({}, input.Tags);
  checkAttributes(input, configuration?.some(({ Type }) => Type === APPLICATION) ?? false);
  if (query) await checkQuery(query, ctx);
  const record: GroupRecord = {
    name: nameOf(input, ctx),
    description: input.Description,
    criticality: input.Criticality,
    owner: input.Owner,
    displayName: input.DisplayName,
    ...(query && { query }),
    ...(configuration && { configuration }),
    tags,
  };
  const group = ctx.state.groups.put(record.name, record);
  return {
    Group: describe(group, ctx),
    ...(query && { ResourceQuery: query }),
    ...(Object.keys(tags).length && { Tags: tags }),
    ...(configuration && { GroupConfiguration: { Configuration: configuration, Status: 'UPDATE_COMPLETE' as const } }),
  };
}

/** Returns the name of a new group. For an application group an id is appended. */
function nameOf({ Name, Configuration = [] }: CreateGroupInput, { state, ids }: ResourcegroupsContext): string {
  if (Configuration.some(({ Type }) => Type === APPLICATION)) {
    if (Name.length > MAX_APPLICATION_NAME)
      throw badRequest(`The name of an application group cannot be longer than ${MAX_APPLICATION_NAME} characters.`);
    return `${Name}/${ids.chars(26, LOWER_CASE)}`;
  }
  if (state.groups.has(Name)) throw badRequest('Cannot create group: group already exists');
  return Name;
}

/** Members for application groups only. */
function checkAttributes({ Criticality, Owner, DisplayName }: UpdateGroupInput, application: boolean): void {
  if (!application && (Criticality !== undefined || Owner !== undefined || DisplayName !== undefined))
    throw badRequest('Criticality, Owner and DisplayName can be specified for application groups only.');
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetGroup.html */
export function GetGroup(input: InputOf<'GetGroup'>, ctx: ResourcegroupsContext): OutputOf<'GetGroup'> {
  return {
    Group: describe(groupOf(input, ctx), ctx),
  };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_UpdateGroup.html */
export function UpdateGroup(input: InputOf<'UpdateGroup'>, ctx: ResourcegroupsContext): OutputOf<'UpdateGroup'> {
  const { name, ...group } = groupOf(input, ctx);
  checkAttributes(input, isApplication({ name, ...group }));
  const { Description, Criticality, Owner, DisplayName } = input;
  const updated = ctx.state.groups.update(name, (draft) => {
    if (Description !== undefined) draft.description = Description;
    if (Criticality !== undefined) draft.criticality = Criticality;
    if (Owner !== undefined) draft.owner = Owner;
    if (DisplayName !== undefined) draft.displayName = DisplayName;
  });
  return { Group: describe(updated, ctx) };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_DeleteGroup.html */
export async function DeleteGroup(
  input: InputOf<'DeleteGroup'>,
  ctx: ResourcegroupsContext,
): Promise<OutputOf<'DeleteGroup'>> {
  const group = groupOf(input, ctx);
  if (isProtected(group) && (await membersOf(group, ctx)).resources.length)
    throw badRequest('Cannot delete group: the group has members and deletion protection.');
  const Group = describe(group, ctx);
  ctx.state.remove(group.name);
  return { Group };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_ListGroups.html */
export function ListGroups(input: InputOf<'ListGroups'>, ctx: ResourcegroupsContext): OutputOf<'ListGroups'> {
  const conditions = (input.Filters ?? []).map(conditionOf);
  const groups = [...ctx.state.groups.values()].filter((group) => conditions.every((holds) => holds(group as Group)));
  const { items, next } = paging.page('ListGroups', input, groups, ({ name }) => name);
  const Groups = items.map((group) => describe(group as Group, ctx));
  const GroupIdentifiers = Groups.map(({ Name, ApplicationTag: _, ...rest }) => ({ GroupName: Name, ...rest }));
  return { GroupIdentifiers, Groups, ...next };
}

/** Returns the predicate of a filter. @throws AwsError `BadRequestException` */
function conditionOf({ Name, Values }: GroupFilter): (group: Group) => boolean {
  const wanted = new Set(Values);
  switch (Name) {
    case 'resource-type':
      return ({ query }) => {
        const types = query && parseQuery(query).types;
        return (
          query !== undefined && Values.some((value) => (types ? types.has(value) : value === 'AWS::AllSupported'))
        );
      };
    case 'configuration-type': {
      const unknown = Values.filter((value) => !isConfigurationType(value));
      if (unknown.length)
        throw badRequest(`Filters not valid: One or more filter values are not supported: ${unknown.join(', ')}`);
      return ({ configuration = [] }) => configuration.some(({ Type }) => wanted.has(Type));
    }
    case 'owner':
      return ({ owner }) => owner !== undefined && wanted.has(owner);
    case 'display-name':
      return ({ displayName }) => displayName !== undefined && wanted.has(displayName);
    case 'criticality':
      return ({ criticality }) => wanted.has(String(criticality));
  }
}
