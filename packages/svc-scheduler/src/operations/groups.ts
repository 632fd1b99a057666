import type { InputOf, OutputOf, ScheduleGroupSummary } from '@emu/service-types/scheduler';
import type { SchedulerContext } from '../context.ts';
import { conflict, invalid, quotaExceeded } from '../errors.ts';
import { groupOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { DEFAULT_GROUP } from '../records.ts';
import type { Group } from '../registry.ts';
import { tagging } from '../tags.ts';

/**
 * Limit of groups per account and region.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/scheduler-quotas.html
 */
const MAX_GROUPS = 500;

/** Rejects the name of the default group, which belongs to AWS. */
function refuseDefault(name: string): void {
  if (name === DEFAULT_GROUP) throw invalid(`This operation cannot be performed on schedule group ${name}.`);
}

/**
 * Creates a schedule group.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateScheduleGroup.html
 */
export async function CreateScheduleGroup(
  input: InputOf<'CreateScheduleGroup'>,
  { state, clock }: SchedulerContext,
): Promise<OutputOf<'CreateScheduleGroup'>> {
  const { Name: name } = input;
  const arn = await state.tokens.once('CreateScheduleGroup', input, () => {
    refuseDefault(name);
    if (state.group(name)) throw conflict(`Schedule group ${name} already exists.`);
    const tags = tagging.merge(undefined, input.Tags);
    if (state.listGroups().length >= MAX_GROUPS)
      throw quotaExceeded(`An account cannot have more than ${MAX_GROUPS} schedule groups in a region.`);
    state.putGroup({ name, tags, createdAt: clock.now() });
    return state.groupArn(name);
  });
  return { ScheduleGroupArn: arn! };
}

/**
 * Deletes a schedule group with its schedules.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_DeleteScheduleGroup.html
 */
export async function DeleteScheduleGroup(
  input: InputOf<'DeleteScheduleGroup'>,
  ctx: SchedulerContext,
): Promise<OutputOf<'DeleteScheduleGroup'>> {
  await ctx.state.tokens.once('DeleteScheduleGroup', input, () => {
    refuseDefault(input.Name);
    ctx.state.deleteGroup(groupOf(input.Name, ctx).name);
    return undefined;
  });
  return {};
}

const describe = ({ name, createdAt }: Group, { state }: SchedulerContext): ScheduleGroupSummary => ({
  Arn: state.groupArn(name),
  CreationDate: new Date(createdAt),
  LastModificationDate: new Date(createdAt),
  Name: name,
  State: 'ACTIVE',
});

/**
 * Returns a schedule group.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_GetScheduleGroup.html
 */
export function GetScheduleGroup(
  input: InputOf<'GetScheduleGroup'>,
  ctx: SchedulerContext,
): OutputOf<'GetScheduleGroup'> {
  return describe(groupOf(input.Name, ctx), ctx);
}

/**
 * Lists schedule groups by name, with a page size of 100 by default.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_ListScheduleGroups.html
 */
export function ListScheduleGroups(
  input: InputOf<'ListScheduleGroups'>,
  ctx: SchedulerContext,
): OutputOf<'ListScheduleGroups'> {
  const { NamePrefix: prefix = '' } = input;
  const groups = ctx.state.listGroups().filter(({ name }) => name.startsWith(prefix));
  return paging.page('ListScheduleGroups', input, groups, ({ name }) => name).list((group) => describe(group, ctx));
}
