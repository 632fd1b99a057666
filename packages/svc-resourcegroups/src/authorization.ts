import { namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { ResourcegroupsOperations } from '@emu/service-types/resourcegroups';
import { groupType, resources } from './resources.ts';
import type { GroupsState } from './state.ts';

/**
 * Permissions that the operations of Resource Groups require: their action on the named group.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsresourcegroups.html
 */
export const authorization: ServiceAuthorization<ResourcegroupsOperations, GroupsState> = {
  prefix: 'resource-groups',
  roles: { StartTagSyncTask: { RoleArn: 'resource-groups' } },
  withoutResource: { CreateGroup: true },
  operations: {
    ListTagSyncTasks({ Filters = [] }, ctx) {
      const action = 'resource-groups:ListTagSyncTasks';
      const groups = Filters.flatMap(({ GroupArn, GroupName }) => {
        const Group = GroupArn ?? GroupName;
        return groupType.identify({ Group }, ctx, 'ListTagSyncTasks') ?? [];
      });
      if (groups.length === 0) return { action, resource: groupType.arn({ name: '*' }, ctx) };
      return groups.map((group) => permissionOn(action, groupType, group, ctx.handle));
    },
    // The guide also lists CreateGroup, which names no existing group.
    StartTagSyncTask: (input, ctx) => {
      const named = namedResource([groupType], { Group: input.Group }, ctx, 'StartTagSyncTask');
      const action = 'resource-groups:StartTagSyncTask';
      return [
        named ? permissionOn(action, named.type, named.address, ctx.handle) : { action, resource: '*' },
        { action: 'resource-groups:CreateGroup', resource: '*' },
      ];
    },
  },
  otherwise(operation, input, ctx) {
    const action = `resource-groups:${operation}`;
    const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
    if (!named) return { action, resource: '*' };
    return permissionOn(action, named.type, named.address, ctx.handle);
  },
};
