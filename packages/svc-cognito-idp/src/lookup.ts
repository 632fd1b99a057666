import type { CognitoIdpContext } from './context.ts';
import { notFound, userNotFound } from './errors.ts';
import type { Client, Pool, User } from './records.ts';
import { type CognitoState, directoryOf } from './state.ts';
import { findUser } from './users/find.ts';

/** A pool with its state. */
export interface LocatedPool {
  readonly state: CognitoState;
  readonly pool: Pool;
}

/** A client with its pool. */
export interface LocatedClient extends LocatedPool {
  readonly client: Client;
}

/**
 * Returns the pool of a request.
 * @throws AwsError `ResourceNotFoundException`
 */
export function poolOf({ UserPoolId: id }: { UserPoolId: string }, { state }: CognitoIdpContext): Pool {
  const pool = state.pools.get(id);
  if (!pool) throw notFound(`User pool ${id} does not exist.`);
  return pool;
}

/**
 * Returns a client of a pool.
 * @throws AwsError `ResourceNotFoundException`
 */
export function clientIn(pool: Pool, id: string, state: CognitoState): Client {
  const client = state.clients.get(id);
  if (client?.poolId !== pool.id) throw notFound(`User pool client ${id} does not exist.`);
  return client;
}

/**
 * Returns the client of an unsigned request, from any account and region.
 * @throws AwsError `ResourceNotFoundException`
 */
export function locateClient(id: string, { handle }: Pick<CognitoIdpContext, 'handle'>): LocatedClient {
  const state = directoryOf(handle).clients.get(id);
  const client = state?.clients.get(id);
  const pool = client && state?.pools.get(client.poolId);
  if (!state || !client || !pool) throw notFound(`User pool client ${id} does not exist.`);
  return { state, pool, client };
}

/** Returns a pool from any account and region; undefined if unknown. */
export function locatePool(id: string, { handle }: Pick<CognitoIdpContext, 'handle'>): LocatedPool | undefined {
  const state = directoryOf(handle).pools.get(id);
  const pool = state?.pools.get(id);
  return state && pool && { state, pool };
}

/**
 * Returns a user by user name, sub or alias, for administrators.
 * @throws AwsError `UserNotFoundException`
 */
export function userIn(pool: Pool, username: string, state: CognitoState): User {
  const user = findUser(pool, username, state);
  if (!user) throw userNotFound();
  return user;
}
