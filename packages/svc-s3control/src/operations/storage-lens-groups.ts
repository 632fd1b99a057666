import type { InputOf, OutputOf, StorageLensGroupFilter } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { checkAccount } from '../context.ts';
import { invalidRequest, s3controlError } from '../errors.ts';
import { paging } from '../paging.ts';
import { resourceName, storageLensGroupType } from '../resources.ts';
import { tooManyConfigurations } from '../storage-lens/configurations.ts';
import { checkFilter, findGroup } from '../storage-lens/groups.ts';
import { tagging } from '../tags.ts';

/** Maximum groups per account and region. */
const MAX_GROUPS = 50;

/** @throws AwsError `InvalidRequest`, `StorageLensGroupAlreadyExists`, `TooManyConfigurations`, `InvalidTag` */
export function CreateStorageLensGroup(
  input: InputOf<'CreateStorageLensGroup'>,
  ctx: S3controlContext,
): OutputOf<'CreateStorageLensGroup'> {
  checkAccount(ctx, input.AccountId);
  const { Name: name, Filter: filter } = input.StorageLensGroup;
  checkFilter(filter);
  const tags = tagging.merge(undefined, input.Tags);
  const { storageLensGroups: groups } = ctx.state;
  if (groups.has(name))
    throw s3controlError('StorageLensGroupAlreadyExists', 'The Storage Lens group already exists.', { status: 409 });
  if (groups.size >= MAX_GROUPS) throw tooManyConfigurations();
  groups.put(name, { name, filter, tags });
  return {};
}

/** @throws AwsError `NoSuchConfiguration` */
export function GetStorageLensGroup(
  input: InputOf<'GetStorageLensGroup'>,
  ctx: S3controlContext,
): OutputOf<'GetStorageLensGroup'> {
  checkAccount(ctx, input.AccountId);
  const { name, filter } = findGroup(ctx, resourceName(input.Name));
  return {
    StorageLensGroup: {
      Name: name,
      Filter: filter as StorageLensGroupFilter,
      StorageLensGroupArn: storageLensGroupType.arn({ name }, ctx),
    },
  };
}

/**
 * Replaces the filter of a group, whose name cannot change.
 * @throws AwsError `NoSuchConfiguration`, `InvalidRequest`
 */
export function UpdateStorageLensGroup(
  input: InputOf<'UpdateStorageLensGroup'>,
  ctx: S3controlContext,
): OutputOf<'UpdateStorageLensGroup'> {
  checkAccount(ctx, input.AccountId);
  const { name } = findGroup(ctx, resourceName(input.Name));
  if (input.StorageLensGroup.Name !== name) throw invalidRequest('The name of a Storage Lens group cannot be changed.');
  checkFilter(input.StorageLensGroup.Filter);
  ctx.state.storageLensGroups.update(name, (draft) => {
    draft.filter = input.StorageLensGroup.Filter;
  });
  return {};
}

/** @throws AwsError `NoSuchConfiguration` */
export function DeleteStorageLensGroup(
  input: InputOf<'DeleteStorageLensGroup'>,
  ctx: S3controlContext,
): OutputOf<'DeleteStorageLensGroup'> {
  checkAccount(ctx, input.AccountId);
  ctx.state.storageLensGroups.delete(findGroup(ctx, resourceName(input.Name)).name);
  return {};
}

export function ListStorageLensGroups(
  input: InputOf<'ListStorageLensGroups'>,
  ctx: S3controlContext,
): OutputOf<'ListStorageLensGroups'> {
  checkAccount(ctx, input.AccountId);
  return paging
    .page('ListStorageLensGroups', input, ctx.state.storageLensGroups.values(), ({ name }) => name)
    .list(({ name }) => ({
      Name: name,
      StorageLensGroupArn: storageLensGroupType.arn({ name }, ctx),
      HomeRegion: ctx.region,
    }));
}
