import { ControlError, type ControlRequest, type ServiceHandle } from '@emu/core';
import { Directory } from './directory.ts';
import type { LocatedPool } from './lookup.ts';
import type { User } from './records.ts';
import type { CognitoState } from './state.ts';
import { findUser } from './users/find.ts';

/** The handle of the service, as control routes get it. */
export type Handle = ServiceHandle<CognitoState>;

/** A time as control routes write it. */
export const timeOf = (time: number): string => new Date(time).toISOString();

/** A member of a request's body that has to be a text. @throws ControlError 400 */
export function text(request: ControlRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  if (typeof value !== 'string' || value === '')
    throw new ControlError(400, 'InvalidRequest', `${name} must be a text.`);
  return value;
}

/** The same, which may be missing. @throws ControlError 400 */
export function optionalText(request: ControlRequest, name: string): string | undefined {
  return (request.body as Record<string, unknown> | undefined)?.[name] === undefined ? undefined : text(request, name);
}

/** The pool that a request names. @throws ControlError 404 */
export function poolOf(id: string, service: Handle): LocatedPool {
  const state = Directory.of<CognitoState>(service).pools.get(id);
  const pool = state?.pools.get(id);
  if (!state || !pool) throw new ControlError(404, 'UserPoolNotFound', `There is no user pool ${id}.`);
  return { state, pool };
}

/** The user that a request names. @throws ControlError 404 */
export function userOf(id: string, username: string, service: Handle): LocatedPool & { user: User } {
  const located = poolOf(id, service);
  const user = findUser(located.pool, username, located.state);
  if (!user) throw new ControlError(404, 'UserNotFound', `There is no user ${username} in the user pool ${id}.`);
  return { ...located, user };
}
