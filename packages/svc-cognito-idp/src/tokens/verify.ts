import { verify as verifySignature } from 'node:crypto';
import { notAuthorized, userNotFound } from '../errors.ts';
import { type CognitoContext, type LocatedPool, locatePool } from '../lookup.ts';
import type { Client, Grant, User } from '../records.ts';
import { ADMIN_SCOPE, type Claims } from './claims.ts';
import { signingKey } from './keys.ts';

/** Who an access token is of. */
export interface TokenUser extends LocatedPool {
  readonly user: User;
  readonly client: Client;
  readonly grant: Grant;
  readonly claims: Claims;
}

/** Most characters of a token that is looked at. */
const LONGEST = 16_384;

/**
 * The claims of a token that a pool signed, whether it has expired or not.
 * @returns undefined for what is no token of any pool
 */
export async function readToken(
  token: string,
  ctx: Pick<CognitoContext, 'handle'>,
): Promise<(LocatedPool & { claims: Claims }) | undefined> {
  const [head, body, signature, more] = token.length > LONGEST ? [] : token.split('.');
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
  return { ...located, claims };
}

function jsonOf(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The user of an access token, which has to be in force.
 * @param scope that it needs; the one of Cognito's own operations by default
 * @throws AwsError `NotAuthorizedException`, `UserNotFoundException`
 */
export async function userOfToken(
  token: string,
  ctx: Pick<CognitoContext, 'handle'>,
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

/** The grant that a token stands and falls with. */
export function grantOf({ state, claims }: LocatedPool & { claims: Claims }): Grant | undefined {
  if (typeof claims.origin_jti === 'string') return state.grant(claims.origin_jti);
  return typeof claims.event_id === 'string' ? state.grantOfEvent(claims.event_id) : undefined;
}
