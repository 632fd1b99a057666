import type { ResourceTagging } from '@emu/core/service';
import type { FailedResource, GroupResourcesOutput, InputOf, OutputOf } from '@emu/service-types/resourcegroups';
import { AwsError } from '@emu/wire';
import { APPLICATION_TAG } from '../application.ts';
import { isApplication } from '../configuration.ts';
import type { ResourcegroupsContext } from '../context.ts';
import { badRequest, resourcegroupsError } from '../errors.ts';
import { groupAt } from '../lookup.ts';
import { paging } from '../paging.ts';
import { directoryOf } from '../query/members.ts';
import { groupType } from '../resources.ts';
import type { Group } from '../state.ts';

/**
 * Adds resources to an application by tagging them as the caller.
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GroupResources.html
 */
export function GroupResources(
  input: InputOf<'GroupResources'>,
  ctx: ResourcegroupsContext,
): Promise<OutputOf<'GroupResources'>> {
  const group = groupAt(input.Group, ctx);
  const value = groupType.arn(group, ctx);
  return change(group, 'GROUP', input.ResourceArns, ctx, (resource) => resource.tag({ [APPLICATION_TAG]: value }));
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_UngroupResources.html */
export function UngroupResources(
  input: InputOf<'UngroupResources'>,
  ctx: ResourcegroupsContext,
): Promise<OutputOf<'UngroupResources'>> {
  const group = groupAt(input.Group, ctx);
  return change(group, 'UNGROUP', input.ResourceArns, ctx, (resource) => resource.untag([APPLICATION_TAG]));
}

async function change(
  group: Group,
  action: 'GROUP' | 'UNGROUP',
  arns: readonly string[],
  ctx: ResourcegroupsContext,
  callOf: (resource: ResourceTagging) => { operation: string; input: unknown },
): Promise<GroupResourcesOutput> {
  if (group.query || !group.configuration?.length)
    throw badRequest('Resources can be grouped and ungrouped only in groups that have a configuration for it.');
  const Succeeded: string[] = [];
  const Failed: FailedResource[] = [];
  for (const arn of new Set(arns)) {
    const failure = await attempt(() => changeOne(group, action, arn, ctx, callOf));
    const grouping = { group: group.name, arn, action, updatedAt: ctx.clock.now() };
    if (failure) {
      const { code: errorCode, message: errorMessage } = failure;
      ctx.state.keepGrouping({ ...grouping, status: 'FAILED', errorCode, errorMessage });
      Failed.push({ ResourceArn: arn, ErrorCode: errorCode, ErrorMessage: errorMessage });
    } else {
      ctx.state.keepGrouping({ ...grouping, status: 'SUCCESS' });
      Succeeded.push(arn);
    }
  }
  return { Succeeded, Failed, Pending: [] };
}

/** Returns the caller error; undefined if the call succeeded. */
async function attempt(work: () => Promise<void>): Promise<AwsError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof AwsError) return error;
    throw error;
  }
}

async function changeOne(
  group: Group,
  action: 'GROUP' | 'UNGROUP',
  arn: string,
  ctx: ResourcegroupsContext,
  callOf: (resource: ResourceTagging) => { operation: string; input: unknown },
): Promise<void> {
  const directory = await directoryOf(ctx);
  const found = directory.find(arn, ctx.accountId, ctx.region);
  if (!found) throw resourcegroupsError('NotFoundException', `The resource ${arn} does not exist.`);
  const resource = await directory.tagging(arn, ctx.accountId, ctx.region);
  if (!resource || !isApplication(group)) throw badRequest(`The group cannot have the resource ${arn}.`);
  if (action === 'UNGROUP' && found.tags?.[APPLICATION_TAG] !== groupType.arn(group, ctx))
    throw badRequest(`The resource ${arn} is not a member of the group.`);
  const { operation, input } = callOf(resource);
  await ctx.callJson(resource.service, operation, input, { authorize: {} });
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_ListGroupingStatuses.html */
export function ListGroupingStatuses(
  input: InputOf<'ListGroupingStatuses'>,
  ctx: ResourcegroupsContext,
): OutputOf<'ListGroupingStatuses'> {
  const group = groupAt(input.Group, ctx);
  const filters = (input.Filters ?? []).map(({ Name, Values }) => ({ name: Name, values: new Set(Values) }));
  const groupings = [...ctx.state.groupingsIn(group.name).values()].filter(({ status, arn }) =>
    filters.every(({ name, values }) => values.has(name === 'status' ? status : arn)),
  );
  const page = paging.page('ListGroupingStatuses', input, groupings, ({ arn }) => arn);
  return {
    Group: input.Group,
    ...page.list(({ arn, action, status, errorCode, errorMessage, updatedAt }) => ({
      ResourceArn: arn,
      Action: action,
      Status: status,
      ...(errorCode !== undefined && { ErrorCode: errorCode, ErrorMessage: errorMessage }),
      UpdatedAt: new Date(updatedAt),
    })),
  };
}
