import {
  defined,
  defineProvider,
  everyItem,
  omit,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';
const MEMBERS = [
  'Description',
  'FlexibleTimeWindow',
  'GroupName',
  'KmsKeyArn',
  'Name',
  'ScheduleExpression',
  'ScheduleExpressionTimezone',
  'State',
  'Target',
];

interface ScheduleProperties extends Properties {
  GroupName?: string;
  Name?: string;
}

interface GroupProperties extends TaggedProperties {
  Name?: string;
}

/**
 * Reads a schedule. The identifier lacks the group, so without the applied properties all groups are searched.
 */
async function scheduleOf(Name: string, GroupName: string | undefined, ctx: ProviderContext) {
  const group =
    GroupName ??
    (
      await everyItem(async (NextToken) => {
        const page = await ctx.call('scheduler', 'ListSchedules', defined({ NamePrefix: Name, NextToken }));
        return [page.Schedules, page.NextToken] as const;
      })
    ).find((one) => one.Name === Name)?.GroupName;
  return unless(ctx.call('scheduler', 'GetSchedule', defined({ Name, GroupName: group })), GONE);
}

const dateText = (date: unknown): string | undefined =>
  date === undefined ? undefined : new Date(date as Date).toISOString();

/**
 * Schedules.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-scheduler-schedule.html
 */
export const schedule: AnyResourceProvider = defineProvider<ScheduleProperties>({
  typeName: 'AWS::Scheduler::Schedule',
  model,
  handles: [...MEMBERS, 'EndDate', 'StartDate'],

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    const { ScheduleArn } = await run(ctx, 'scheduler', 'CreateSchedule', { ...properties, Name });
    return { identifier: Name, attributes: { Arn: ScheduleArn } };
  },

  async read(Name, ctx, applied) {
    const found = await scheduleOf(Name, applied?.GroupName, ctx);
    if (!found) return undefined;
    return {
      properties: defined({
        ...pick(found, MEMBERS as never[]),
        EndDate: dateText(found.EndDate),
        StartDate: dateText(found.StartDate),
      }),
      attributes: { Arn: found.Arn },
    };
  },

  async update(Name, previous, desired, ctx) {
    const { GroupName } = previous;
    // UpdateSchedule replaces the whole schedule. A schedule in another group is another schedule.
    if ((GroupName ?? 'default') === (desired.GroupName ?? 'default')) {
      await run(ctx, 'scheduler', 'UpdateSchedule', { ...desired, Name });
      return;
    }
    await run(ctx, 'scheduler', 'CreateSchedule', { ...desired, Name });
    await unless(ctx.call('scheduler', 'DeleteSchedule', defined({ Name, GroupName })), GONE);
  },

  async delete(Name, { GroupName }, ctx) {
    await unless(ctx.call('scheduler', 'DeleteSchedule', defined({ Name, GroupName })), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('scheduler', 'ListSchedules', defined({ NextToken }));
      return [page.Schedules.map((found) => found.Name!), page.NextToken] as const;
    }),
});

const groupOf = (Name: string, ctx: ProviderContext) =>
  unless(ctx.call('scheduler', 'GetScheduleGroup', { Name }), GONE);

/**
 * Schedule groups.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-scheduler-schedulegroup.html
 */
export const scheduleGroup: AnyResourceProvider = defineProvider<GroupProperties>({
  typeName: 'AWS::Scheduler::ScheduleGroup',
  model,
  handles: ['Name', 'Tags'],

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    await run(ctx, 'scheduler', 'CreateScheduleGroup', { ...omit(properties, 'Name'), Name });
    return { identifier: Name };
  },

  async read(Name, ctx) {
    const found = await groupOf(Name, ctx);
    if (!found) return undefined;
    const { Tags } = await ctx.call('scheduler', 'ListTagsForResource', { ResourceArn: found.Arn! });
    return {
      properties: defined({ Name, Tags: unlessEmpty(Tags) }),
      attributes: {
        Arn: found.Arn,
        State: found.State,
        CreationDate: dateText(found.CreationDate),
        LastModificationDate: dateText(found.LastModificationDate),
      },
    };
  },

  async update(Name, previous, desired, ctx) {
    const ResourceArn = (await groupOf(Name, ctx))!.Arn!;
    await changeTagsOf(ResourceArn, previous, desired, ctx);
  },

  async delete(Name, _properties, ctx) {
    await unless(ctx.call('scheduler', 'DeleteScheduleGroup', { Name }), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('scheduler', 'ListScheduleGroups', defined({ NextToken }));
      return [page.ScheduleGroups.map((found) => found.Name!), page.NextToken] as const;
    }),
});
