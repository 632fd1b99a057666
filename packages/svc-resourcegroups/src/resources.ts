import { defineResource, type Place, type ResourceAddress, taggedRecord } from '@emu/core/service';
import type { GroupsState } from './state.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Groups, named by name or by ARN.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsresourcegroups.html
 */
export const groupType = defineResource({
  name: 'group',
  service: 'resource-groups',
  scope: 'region',
  format: 'group/{name+}',
  cloudFormation: 'AWS::ResourceGroups::Group',
  identify(input: Input, place: Place, operation): ResourceAddress<{ name: string }> | undefined {
    const named = operation === 'CreateGroup' ? input.Name : (input.Group ?? input.GroupName ?? input.Arn);
    if (typeof named !== 'string') return undefined;
    return groupType.parse(named) ?? { key: { name: named }, place };
  },
  records: ({ groups }: GroupsState) => groups,
  list: ({ groups }) => [...groups.keys()].sort().map((name) => ({ name })),
  tagged: { tagging, find: ({ groups }, { name }) => taggedRecord(groups, name) },
  tagCalls: {
    tag: (_key, tags, { arn }) => ({ operation: 'Tag', input: { Arn: arn, Tags: tags } }),
    untag: (_key, keys, { arn }) => ({ operation: 'Untag', input: { Arn: arn, Keys: keys } }),
  },
});

/** Tag-sync tasks of applications. */
export const tagSyncTaskType = defineResource({
  name: 'tag-sync-task',
  service: 'resource-groups',
  scope: 'region',
  format: 'group/{group+}/tag-sync-task/{id}',
  arnMembers: ['TaskArn'],
  find: ({ tagSync }: GroupsState, { id }) => {
    const task = tagSync.get(id);
    return task && { group: task.group, id };
  },
});

/** All resource types. */
export const resources = [tagSyncTaskType, groupType] as const;
