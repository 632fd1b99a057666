import type { CognitoIdentityContext } from './context.ts';
import { identityNotFound, poolNotFound } from './errors.ts';
import type { Identity, Pool } from './records.ts';
import { directoryOf, type IdentityState } from './state.ts';

/** A pool with its state. */
export interface LocatedPool {
  readonly state: IdentityState;
  readonly pool: Pool;
}

/** An identity with its pool. */
export interface LocatedIdentity extends LocatedPool {
  readonly identity: Identity;
}

/** Returns the pool of a signed request. @throws AwsError `ResourceNotFoundException` */
export function poolOf(id: string, { state }: CognitoIdentityContext): Pool {
  const pool = state.pools.get(id);
  if (!pool) throw poolNotFound(id);
  return pool;
}

/** Returns the identity of a signed request. @throws AwsError `ResourceNotFoundException` */
export function identityOf(id: string, { state }: CognitoIdentityContext): Identity {
  const identity = state.identity(id);
  if (!identity) throw identityNotFound(id);
  return identity;
}

/**
 * Returns the pool of an unsigned request, in any account and region.
 * @throws AwsError `ResourceNotFoundException`
 */
export function locatePool(id: string, { handle }: CognitoIdentityContext): LocatedPool {
  const state = directoryOf(handle).pools.get(id);
  const pool = state?.pools.get(id);
  if (!state || !pool) throw poolNotFound(id);
  return { state, pool };
}

/**
 * Returns the identity of an unsigned request, in any account and region.
 * @throws AwsError `ResourceNotFoundException`
 */
export function locateIdentity(id: string, { handle }: CognitoIdentityContext): LocatedIdentity {
  const state = directoryOf(handle).identities.get(id);
  const identity = state?.identity(id);
  const pool = identity && state?.pools.get(identity.poolId);
  if (!state || !identity || !pool) throw identityNotFound(id);
  return { state, pool, identity };
}
