import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { describeInstanceProfile } from '../entities/describe.ts';
import { keyOf, nowOf, requireInstanceProfile, requireRole } from '../entities/lookup.ts';
import { requireModifiableRole } from '../entities/principals.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { alreadyExists, deleteConflict, noSuchEntity, quotaExceeded } from '../errors.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { instanceProfileType } from '../resources.ts';
import { tagging, tagsMember } from '../tags.ts';

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateInstanceProfile.html */
export function CreateInstanceProfile(
  input: InputOf<'CreateInstanceProfile'>,
  ctx: IamContext,
): OutputOf<'CreateInstanceProfile'> {
  const { InstanceProfileName: name, Path: path = '/' } = input;
  const tags = tagging.merge(undefined, input.Tags);
  const { instanceProfiles } = ctx.state;
  if (instanceProfiles.has(keyOf(name))) throw alreadyExists(`Instance Profile ${name} already exists.`);
  const profile = instanceProfiles.put(keyOf(name), {
    name,
    id: uniqueId('AIPA', ctx.ids),
    path,
    arn: instanceProfileType.arn({ path, name }, ctx),
    createdAt: nowOf(ctx),
    tags,
  });
  return { InstanceProfile: { ...describeInstanceProfile(profile, ctx.state), ...tagsMember(tags) } };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetInstanceProfile.html */
export function GetInstanceProfile(
  input: InputOf<'GetInstanceProfile'>,
  ctx: IamContext,
): OutputOf<'GetInstanceProfile'> {
  const profile = requireInstanceProfile(ctx.state, input.InstanceProfileName);
  return { InstanceProfile: { ...describeInstanceProfile(profile, ctx.state), ...tagsMember(profile.tags) } };
}

/**
 * Lists instance profiles by path.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListInstanceProfiles.html
 */
export function ListInstanceProfiles(
  input: InputOf<'ListInstanceProfiles'>,
  ctx: IamContext,
): OutputOf<'ListInstanceProfiles'> {
  const { PathPrefix: prefix = '/' } = input;
  const profiles = [...ctx.state.instanceProfiles.values()].filter(({ path }) => path.startsWith(prefix));
  return paging
    .page('ListInstanceProfiles', input, profiles, ({ name }) => keyOf(name))
    .list((profile) => describeInstanceProfile(profile, ctx.state));
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListInstanceProfilesForRole.html */
export function ListInstanceProfilesForRole(
  input: InputOf<'ListInstanceProfilesForRole'>,
  ctx: IamContext,
): OutputOf<'ListInstanceProfilesForRole'> {
  const key = keyOf(requireRole(ctx.state, input.RoleName).name);
  const profiles = [...ctx.state.instanceProfiles.values()].filter(({ role }) => role === key);
  return paging
    .page('ListInstanceProfilesForRole', input, profiles, ({ name }) => keyOf(name))
    .list((profile) => describeInstanceProfile(profile, ctx.state));
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteInstanceProfile.html */
export function DeleteInstanceProfile(
  input: InputOf<'DeleteInstanceProfile'>,
  ctx: IamContext,
): OutputOf<'DeleteInstanceProfile'> {
  const profile = requireInstanceProfile(ctx.state, input.InstanceProfileName);
  if (profile.role !== undefined)
    throw deleteConflict('Cannot delete entity, must remove roles from instance profile first.');
  ctx.state.instanceProfiles.delete(keyOf(profile.name));
  return NOTHING;
}

/**
 * Adds the role of an instance profile.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AddRoleToInstanceProfile.html
 */
export function AddRoleToInstanceProfile(
  input: InputOf<'AddRoleToInstanceProfile'>,
  ctx: IamContext,
): OutputOf<'AddRoleToInstanceProfile'> {
  const profile = requireInstanceProfile(ctx.state, input.InstanceProfileName);
  const role = requireModifiableRole(ctx.state, input.RoleName);
  if (profile.role !== undefined) throw quotaExceeded('InstanceSessionsPerInstanceProfile', 1);
  ctx.state.instanceProfiles.update(keyOf(profile.name), (draft) => {
    draft.role = keyOf(role.name);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_RemoveRoleFromInstanceProfile.html */
export function RemoveRoleFromInstanceProfile(
  input: InputOf<'RemoveRoleFromInstanceProfile'>,
  ctx: IamContext,
): OutputOf<'RemoveRoleFromInstanceProfile'> {
  const profile = requireInstanceProfile(ctx.state, input.InstanceProfileName);
  const role = requireModifiableRole(ctx.state, input.RoleName);
  if (profile.role !== keyOf(role.name)) throw noSuchEntity(`The role with name ${role.name} cannot be found.`);
  ctx.state.instanceProfiles.update(keyOf(profile.name), (draft) => {
    delete draft.role;
  });
  return NOTHING;
}
