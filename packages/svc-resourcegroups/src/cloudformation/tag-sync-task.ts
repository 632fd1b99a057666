import { ask, defineProvider, type Properties, pick, run } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface TaskProperties extends Properties {
  readonly Group: string;
  readonly RoleArn: string;
  readonly TagKey: string;
  readonly TagValue: string;
}

/**
 * Tasks that synchronize the members of an application with the resources that have a tag.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-resourcegroups-tagsynctask.html
 */
export const tagSyncTask: AnyResourceProvider = defineProvider<TaskProperties>({
  typeName: 'AWS::ResourceGroups::TagSyncTask',
  model,
  service: 'resourcegroups',
  handles: ['Group', 'RoleArn', 'TagKey', 'TagValue'],
  key: ['TaskArn'],
  gone: ['NotFoundException', 'BadRequestException'],

  async create(properties, ctx) {
    const { TaskArn } = await run(ctx, 'resourcegroups', 'StartTagSyncTask', properties);
    return TaskArn!;
  },

  find: async (key, ctx) => ask(ctx, 'resourcegroups', 'GetTagSyncTask', key),

  describe(found, { TaskArn }, _ctx, applied) {
    const { GroupArn, GroupName, Status } = found;
    return {
      properties: {
        // Named by name or by ARN, as given.
        Group: applied?.Group === GroupArn ? GroupArn : GroupName,
        ...pick(found as Record<string, unknown>, ['RoleArn', 'TagKey', 'TagValue']),
      },
      attributes: { GroupArn, GroupName, Status, TaskArn },
    };
  },

  remove: 'CancelTagSyncTask',
  list: {
    operation: 'ListTagSyncTasks',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ TagSyncTasks }: { TagSyncTasks?: { TaskArn: string; TagKey?: string }[] }) =>
      // A task with a query instead of a tag cannot be expressed as this type.
      TagSyncTasks?.filter(({ TagKey }) => TagKey !== undefined).map(({ TaskArn }) => TaskArn),
  },
});
