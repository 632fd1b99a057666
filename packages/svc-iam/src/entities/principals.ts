import type { DeepReadonly } from '@emu/core/service';
import { iamError } from '../errors.ts';
import type { PrincipalRecord } from '../records.ts';
import type { IamState, Role } from '../state.ts';
import { keyOf, requireGroup, requireRole, requireUser } from './lookup.ts';

/** What policies are attached to and kept in. */
export type PrincipalKind = 'user' | 'group' | 'role';

/** The user, group or role of a name. @throws AwsError `NoSuchEntity` */
export function requirePrincipal(state: IamState, kind: PrincipalKind, name: string): DeepReadonly<PrincipalRecord> {
  if (kind === 'user') return requireUser(state, name);
  return kind === 'group' ? requireGroup(state, name) : requireRole(state, name);
}

/**
 * The user, group or role of a name whose policies are to be changed.
 * @throws AwsError `NoSuchEntity`, `UnmodifiableEntity`
 */
export function requireModifiable(state: IamState, kind: PrincipalKind, name: string): DeepReadonly<PrincipalRecord> {
  return kind === 'role' ? requireModifiableRole(state, name) : requirePrincipal(state, kind, name);
}

/** A role that its service does not protect. @throws AwsError `NoSuchEntity`, `UnmodifiableEntity` */
export function requireModifiableRole(state: IamState, name: string): Role {
  const role = requireRole(state, name);
  if (role.linkedService !== undefined)
    throw iamError(
      'UnmodifiableEntityException',
      `Cannot perform the operation on the protected role '${name}' - this role is only modifiable by AWS`,
    );
  return role;
}

/** Changes what users, groups and roles have in common. */
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
