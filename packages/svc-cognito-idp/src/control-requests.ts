import { ControlError, type ControlRequest, type ServiceHandle } from '@emu/core/service';
import type { LocatedPool } from './lookup.ts';
import type { User } from './records.ts';
import { type CognitoState, directoryOf } from './state.ts';
import { findUser } from './users/find.ts';

/** Service handle of control routes. */
export type Handle = ServiceHandle<CognitoState>;

/**
 * Returns a required text member of a request body.
 * @throws ControlError 400
 */
export function text(request: ControlRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  if (typeof value !== 'string' || value === '')
    throw new ControlError(400, 'InvalidRequest', `${name} must be a string.`);
  return value;
}

/**
 * Returns an optional text member of a request body.
 * @throws ControlError 400
 */
export function optionalText(request: ControlRequest, name: string): string | undefined {
  return (request.body as Record<string, unknown> | undefined)?.[name] === undefined ? undefined : text(request, name);
}

/**
 * Returns the pool of a request.
 * @throws ControlError 404
 */
export function poolOf(id: string, service: Handle): LocatedPool {
  const state = directoryOf(service).pools.get(id);
  const pool = state?.pools.get(id);
  if (!state || !pool) throw new ControlError(404, 'UserPoolNotFound', `There is no user pool ${id}.`);
  return { state, pool };
}

/**
 * Returns the user of a request.
 * @throws ControlError 404
 */
export function userOf(id: string, username: string, service: Handle): LocatedPool & { user: User } {
  const located = poolOf(id, service);
  const user = findUser(located.pool, username, located.state);
  if (!user) throw new ControlError(404, 'UserNotFound', `There is no user ${username} in the user pool ${id}.`);
  return { ...located, user };
}
