import type { Group as GroupOutput } from '@emu/service-types/resourcegroups';
import { APPLICATION_TAG } from './application.ts';
import { isApplication } from './configuration.ts';
import type { ResourcegroupsContext } from './context.ts';
import { badRequest, groupNotFound } from './errors.ts';
import { groupType } from './resources.ts';
import type { Group } from './state.ts';

/** Input members that name a group: the deprecated `GroupName`, or name or ARN. */
export interface NamedGroup {
  readonly GroupName?: string | undefined;
  readonly Group?: string | undefined;
}

/** Returns the group that an input names. @throws AwsError `BadRequestException`, `NotFoundException` */
export function groupOf({ GroupName, Group: named = GroupName }: NamedGroup, ctx: ResourcegroupsContext): Group {
  if (named === undefined) throw badRequest('The name or the ARN of a group must be specified.');
  return groupAt(named, ctx);
}

/**
 * Returns the group with a name or an ARN, in the account and region of the request.
 * @throws AwsError `NotFoundException`
 */
export function groupAt(named: string, { accountId, region, state }: ResourcegroupsContext): Group {
  const address = groupType.parse(named);
  const here = !address || (address.place.accountId === accountId && address.place.region === region);
  const group = here ? state.groups.get(address?.key.name ?? named) : undefined;
  if (!group) throw groupNotFound();
  return group;
}

/** Returns a group in the form of responses. */
export function describe(group: Group, ctx: ResourcegroupsContext): GroupOutput {
  const { name, description, criticality, owner, displayName } = group;
  const GroupArn = groupType.arn({ name }, ctx);
  return {
    GroupArn,
    Name: name,
    ...(description !== undefined && { Description: description }),
    ...(criticality !== undefined && { Criticality: criticality }),
    ...(owner !== undefined && { Owner: owner }),
    ...(displayName !== undefined && { DisplayName: displayName }),
    ...(isApplication(group) && { ApplicationTag: { [APPLICATION_TAG]: GroupArn } }),
  };
}
