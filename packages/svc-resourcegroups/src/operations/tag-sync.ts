import type { InputOf, OutputOf } from '@emu/service-types/resourcegroups';
import { isApplication } from '../configuration.ts';
import type { ResourcegroupsContext } from '../context.ts';
import { badRequest, resourcegroupsError } from '../errors.ts';
import { groupAt } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { TagSyncTaskRecord } from '../records.ts';
import { groupType, tagSyncTaskType } from '../resources.ts';
import type { TagSyncTask } from '../state.ts';
import { checkQuery } from './queries.ts';

const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 26;

const arnOf = ({ group, id }: Pick<TagSyncTask, 'group' | 'id'>, ctx: ResourcegroupsContext): string =>
  tagSyncTaskType.arn({ group, id }, ctx);

/** Returns the parameters of a task for responses. */
const describe = (task: TagSyncTask, ctx: ResourcegroupsContext) => ({
  GroupArn: groupType.arn({ name: task.group }, ctx),
  GroupName: task.group,
  TaskArn: arnOf(task, ctx),
  ...(task.tagKey !== undefined && { TagKey: task.tagKey, TagValue: task.tagValue }),
  ...(task.query && { ResourceQuery: { ...task.query } }),
  RoleArn: task.roleArn,
});

/** Returns a task with its status. */
const state = (task: TagSyncTask, ctx: ResourcegroupsContext) => ({
  ...describe(task, ctx),
  Status: task.errorMessage === undefined ? ('ACTIVE' as const) : ('ERROR' as const),
  ...(task.errorMessage !== undefined && { ErrorMessage: task.errorMessage }),
  CreatedAt: new Date(task.createdAt),
});

/** Returns the task with an ARN, in the account and region of the request. */
function taskAt(arn: string, ctx: ResourcegroupsContext): TagSyncTask | undefined {
  const address = tagSyncTaskType.parse(arn);
  const task = address && ctx.state.tagSync.get(address.key.id);
  return task && arnOf(task, ctx) === arn ? task : undefined;
}

/**
 * Starts synchronizing an application's members with the resources that have a tag, or match a query, by tagging them
 * as a role. Existing resources are added before the response; later ones follow within a minute.
 * @throws AwsError `NotFoundException`, `BadRequestException`
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_StartTagSyncTask.html
 */
export async function StartTagSyncTask(
  { Group, TagKey, TagValue, ResourceQuery, RoleArn }: InputOf<'StartTagSyncTask'>,
  ctx: ResourcegroupsContext,
): Promise<OutputOf<'StartTagSyncTask'>> {
  const group = groupAt(Group, ctx);
  if (!isApplication(group)) throw badRequest('Tag-sync tasks can be started for application groups only.');
  if (ResourceQuery ? TagKey !== undefined || TagValue !== undefined : TagKey === undefined || TagValue === undefined)
    throw badRequest('Specify either TagKey and TagValue or ResourceQuery.');
  if (ResourceQuery) await checkQuery(ResourceQuery, ctx);
  const record: TagSyncTaskRecord = {
    id: ctx.ids.chars(ID_LENGTH, LOWER_CASE),
    group: group.name,
    roleArn: RoleArn,
    ...(ResourceQuery ? { query: ResourceQuery } : { tagKey: TagKey!, tagValue: TagValue! }),
    members: [],
    createdAt: ctx.clock.now(),
  };
  return describe(await ctx.state.tagSync.start(record), ctx);
}

/**
 * Deletes a task. Resources that it added remain members.
 * @throws AwsError `BadRequestException` for an unknown task
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_CancelTagSyncTask.html
 */
export function CancelTagSyncTask(
  { TaskArn }: InputOf<'CancelTagSyncTask'>,
  ctx: ResourcegroupsContext,
): OutputOf<'CancelTagSyncTask'> {
  const task = taskAt(TaskArn, ctx);
  if (!task) throw badRequest('Cannot find tag-sync task');
  ctx.state.tagSync.cancel(task.id);
  return {};
}

/**
 * Returns the status of a task.
 * @throws AwsError `NotFoundException`
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetTagSyncTask.html
 */
export function GetTagSyncTask(
  { TaskArn }: InputOf<'GetTagSyncTask'>,
  ctx: ResourcegroupsContext,
): OutputOf<'GetTagSyncTask'> {
  const task = taskAt(TaskArn, ctx);
  if (!task) throw resourcegroupsError('NotFoundException', 'Cannot find tag-sync task');
  return state(task, ctx);
}

/**
 * Lists the tasks of an account and region, or of some groups.
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_ListTagSyncTasks.html
 */
export function ListTagSyncTasks(
  input: InputOf<'ListTagSyncTasks'>,
  ctx: ResourcegroupsContext,
): OutputOf<'ListTagSyncTasks'> {
  const { Filters } = input;
  const tasks = ctx.state.tagSync
    .all()
    .filter(
      ({ group }) =>
        !Filters?.length ||
        Filters.some(
          ({ GroupArn, GroupName }) =>
            (GroupName === undefined || GroupName === group) &&
            (GroupArn === undefined || GroupArn === groupType.arn({ name: group }, ctx)),
        ),
    );
  const { items, next } = paging.page('ListTagSyncTasks', input, tasks, ({ id }) => id);
  return { TagSyncTasks: items.map((task) => state(task, ctx)), ...next };
}
