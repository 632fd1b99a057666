import type { Collection, DeepReadonly, OperationContext } from '@emu/core/service';
import { noSuchEntity } from '../errors.ts';
import type { Group, IamState, InstanceProfile, Role, User } from '../state.ts';

/** Returns the storage key of a name. */
export const keyOf = (name: string): string => name.toLowerCase();

/** Returns the entity with exactly this name; names differing in case are reserved but do not match. */
function find<T extends { name: string }>(collection: Collection<T>, name: string): DeepReadonly<T> | undefined {
  const found = collection.get(keyOf(name));
  return (found as { name: string } | undefined)?.name === name ? found : undefined;
}

export const findUser = (state: IamState, name: string): User | undefined => find(state.users, name);
export const findGroup = (state: IamState, name: string): Group | undefined => find(state.groups, name);
export const findRole = (state: IamState, name: string): Role | undefined => find(state.roles, name);

/**
 * Returns a user by name.
 * @throws AwsError `NoSuchEntity`
 */
export function requireUser(state: IamState, name: string): User {
  const user = findUser(state, name);
  if (!user) throw noSuchEntity(`The user with name ${name} cannot be found.`);
  return user;
}

/**
 * Returns a group by name.
 * @throws AwsError `NoSuchEntity`
 */
export function requireGroup(state: IamState, name: string): Group {
  const group = findGroup(state, name);
  if (!group) throw noSuchEntity(`The group with name ${name} cannot be found.`);
  return group;
}

/**
 * Returns a role by name.
 * @throws AwsError `NoSuchEntity`
 */
export function requireRole(state: IamState, name: string): Role {
  const role = findRole(state, name);
  if (!role) throw noSuchEntity(`The role with name ${name} cannot be found.`);
  return role;
}

/**
 * Returns an instance profile by name.
 * @throws AwsError `NoSuchEntity`
 */
export function requireInstanceProfile(state: IamState, name: string): InstanceProfile {
  const profile = find(state.instanceProfiles, name);
  if (!profile) throw noSuchEntity(`Instance Profile ${name} cannot be found.`);
  return profile;
}

/** Returns the current time in epoch milliseconds, rounded to seconds as in IAM. */
export const nowOf = (ctx: Pick<OperationContext, 'clock'>): number => Math.floor(ctx.clock.now() / 1000) * 1000;
