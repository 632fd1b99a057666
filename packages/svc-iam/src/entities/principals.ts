import type { DeepReadonly } from '@emu/core/service';
import { iamError } from '../errors.ts';
import type { PrincipalRecord } from '../records.ts';
import type { IamState, Role } from '../state.ts';
import { keyOf, requireGroup, requireRole, requireUser } from './lookup.ts';

/** Kinds of entities with policies. */
export type PrincipalKind = 'user' | 'group' | 'role';

/**
 * Returns a user, group or role by name.
 * @throws AwsError `NoSuchEntity`
 */
export function requirePrincipal(state: IamState, kind: PrincipalKind, name: string): DeepReadonly<PrincipalRecord> {
  if (kind === 'user') return requireUser(state, name);
  return kind === 'group' ? requireGroup(state, name) : requireRole(state, name);
}

/**
 * Returns a user, group or role whose policies may be changed.
 * @throws AwsError `NoSuchEntity`, `UnmodifiableEntity`
 */
export function requireModifiable(state: IamState, kind: PrincipalKind, name: string): DeepReadonly<PrincipalRecord> {
  return kind === 'role' ? requireModifiableRole(state, name) : requirePrincipal(state, kind, name);
}

/**
 * Returns a role that is not protected by its service.
 * @throws AwsError `NoSuchEntity`, `UnmodifiableEntity`
 */
export function requireModifiableRole(state: IamState, name: string): Role {
  const role = requireRole(state, name);
  if (role.linkedService !== undefined)
    throw iamError(
      'UnmodifiableEntityException',
      `Cannot perform the operation on the protected role '${name}' - this role is only modifiable by AWS`,
    );
  return role;
}

/** Changes members common to users, groups and roles. */
export function updatePrincipal(
  state: IamState,
  kind: PrincipalKind,
  name: string,
  change: (draft: PrincipalRecord) => void,
): void {
  if (kind === 'user') state.users.update(keyOf(name), change);
  else if (kind === 'group') state.groups.update(keyOf(name), change);
  else state.roles.update(keyOf(name), change);
}
