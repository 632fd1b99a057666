import type { Collection, DeepReadonly, OperationContext } from '@emu/core/service';
import { noSuchEntity } from '../errors.ts';
import type { Group, IamState, InstanceProfile, Role, User } from '../state.ts';

/** Key of a name in its collection. */
export const keyOf = (name: string): string => name.toLowerCase();

/** The entity of exactly this name; a name in another case is taken, but is nobody's. */
function find<T extends { name: string }>(collection: Collection<T>, name: string): DeepReadonly<T> | undefined {
  const found = collection.get(keyOf(name));
  return (found as { name: string } | undefined)?.name === name ? found : undefined;
}

export const findUser = (state: IamState, name: string): User | undefined => find(state.users, name);
export const findGroup = (state: IamState, name: string): Group | undefined => find(state.groups, name);
export const findRole = (state: IamState, name: string): Role | undefined => find(state.roles, name);

/** @throws AwsError `NoSuchEntity` */
export function requireUser(state: IamState, name: string): User {
  const user = findUser(state, name);
  if (!user) throw noSuchEntity(`The user with name ${name} cannot be found.`);
  return user;
}

/** @throws AwsError `NoSuchEntity` */
export function requireGroup(state: IamState, name: string): Group {
  const group = findGroup(state, name);
  if (!group) throw noSuchEntity(`The group with name ${name} cannot be found.`);
  return group;
}

/** @throws AwsError `NoSuchEntity` */
export function requireRole(state: IamState, name: string): Role {
  const role = findRole(state, name);
  if (!role) throw noSuchEntity(`The role with name ${name} cannot be found.`);
  return role;
}

/** @throws AwsError `NoSuchEntity` */
export function requireInstanceProfile(state: IamState, name: string): InstanceProfile {
  const profile = find(state.instanceProfiles, name);
  if (!profile) throw noSuchEntity(`Instance Profile ${name} cannot be found.`);
  return profile;
}

/** Now, in whole seconds as IAM tells times; epoch milliseconds. */
export const nowOf = (ctx: Pick<OperationContext, 'clock'>): number => Math.floor(ctx.clock.now() / 1000) * 1000;
