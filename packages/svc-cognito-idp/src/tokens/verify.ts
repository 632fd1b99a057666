import { verify as verifySignature } from 'node:crypto';
import { parseJson } from '@emu/wire';
import type { CognitoIdpContext } from '../context.ts';
import { notAuthorized, userNotFound } from '../errors.ts';
import { type LocatedPool, locatePool } from '../lookup.ts';
import type { Client, Grant, User } from '../records.ts';
import { ADMIN_SCOPE, type Claims } from './claims.ts';
import { signingKey } from './keys.ts';

/** User of an access token. */
export interface TokenUser extends LocatedPool {
  readonly user: User;
  readonly client: Client;
  readonly grant: Grant;
  readonly claims: Claims;
}

/** Maximum length of a token. */
const MAX_LENGTH = 16_384;

/** A token with a valid signature. */
interface Verified extends LocatedPool {
  readonly claims: Claims;
  /** Id of the signing key. */
  readonly kid: string;
}

/** Maximum number of cached tokens, so that reused tokens are verified once. */
const MAX_CACHED = 1_000;

/** Verified tokens by text, per emulator. */
const cache = new WeakMap<object, Map<string, Verified>>();

/**
 * Returns the read-only claims of a pool's token, expired or not.
 * @returns undefined if no pool signed the token
 */
export async function readToken(
  token: string,
  ctx: Pick<CognitoIdpContext, 'handle'>,
): Promise<(LocatedPool & { claims: Claims }) | undefined> {
  const known = cache.get(ctx.handle)?.get(token);
  if (known) {
    const { state, claims, kid } = known;
    const pool = state.pools.get(known.pool.id);
    // The pool may have been replaced by another with the same id and a new key.
    if (pool && state.keys.get(pool.id)?.kid === kid && locatePool(pool.id, ctx)?.state === state)
      return { state, pool, claims };
    cache.get(ctx.handle)!.delete(token);
  }
  const verified = await verifyToken(token, ctx);
  if (verified) cacheToken(token, verified, ctx);
  return verified;
}

function cacheToken(token: string, verified: Verified, { handle }: Pick<CognitoIdpContext, 'handle'>): void {
  let tokens = cache.get(handle);
  if (!tokens) {
    tokens = new Map();
    cache.set(handle, tokens);
  }
  if (tokens.size >= MAX_CACHED) tokens.delete(tokens.keys().next().value!);
  tokens.set(token, verified);
}

async function verifyToken(token: string, ctx: Pick<CognitoIdpContext, 'handle'>): Promise<Verified | undefined> {
  const [head, body, signature, more] = token.length > MAX_LENGTH ? [] : token.split('.');
  if (!head || !body || !signature || more !== undefined) return undefined;
  const header = jsonOf(head);
  const claims = jsonOf(body);
  if (header?.alg !== 'RS256' || typeof claims?.iss !== 'string') return undefined;
  const located = locatePool(claims.iss.slice(claims.iss.lastIndexOf('/') + 1), ctx);
  if (!located) return undefined;
  const { kid, publicKey } = await signingKey(located.pool.id, located.state);
  if (header.kid !== kid) return undefined;
  const signed = Buffer.from(`${head}.${body}`);
  if (!verifySignature('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url'))) return undefined;
  return { ...located, claims, kid };
}

function jsonOf(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJson(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the user of a valid access token.
 * @param scope required scope; by default that of Cognito's own operations
 * @throws AwsError `NotAuthorizedException`, `UserNotFoundException`
 */
export async function userOfToken(
  token: string,
  ctx: Pick<CognitoIdpContext, 'handle'>,
  scope: string = ADMIN_SCOPE,
): Promise<TokenUser> {
  const found = await readToken(token, ctx);
  if (found?.claims.token_use !== 'access') throw notAuthorized('Invalid Access Token');
  const { state, pool, claims } = found;
  if (Number(claims.exp) * 1000 <= state.clock.now()) throw notAuthorized('Access Token has expired');
  const user = typeof claims.username === 'string' ? state.user(pool, claims.username) : undefined;
  if (!user || user.sub !== claims.sub) throw userNotFound();
  const grant = grantOf(found);
  if (!grant) throw notAuthorized('Access Token has been revoked');
  if (!user.enabled) throw notAuthorized('User is disabled.');
  const client = state.clients.get(String(claims.client_id));
  if (!client) throw notAuthorized('Invalid Access Token');
  if (
    !String(claims.scope ?? '')
      .split(' ')
      .includes(scope)
  )
    throw notAuthorized('Access Token does not have required scopes');
  return { state, pool, user, client, grant, claims };
}

/** Returns the grant on which a token depends. */
export function grantOf({ state, claims }: LocatedPool & { claims: Claims }): Grant | undefined {
  if (typeof claims.origin_jti === 'string') return state.grant(claims.origin_jti);
  return typeof claims.event_id === 'string' ? state.grantOfEvent(claims.event_id) : undefined;
}
