import { notAuthorized, refreshTokenReuse } from '../errors.ts';
import type { LocatedClient } from '../lookup.ts';
import { checkSecretHash } from '../pools/secret-hash.ts';
import type { Grant, User } from '../records.ts';
import { same } from '../srp/srp.ts';
import { issueTokens, newSecret } from '../tokens/issue.ts';
import { readRefreshToken } from '../tokens/refresh-token.ts';
import type { Auth, AuthAnswer } from './auth.ts';

/** Grant and user of a refresh token. */
export interface Refreshed {
  grant: Grant;
  user: User;
}

/**
 * Returns the grant of a client's valid refresh token.
 * @throws AwsError `NotAuthorizedException`, `RefreshTokenReuseException`
 */
export function grantOfToken({ state, pool, client }: LocatedClient, token: string): Refreshed {
  const parts = readRefreshToken(token);
  if (!parts || parts.poolId !== pool.id) throw notAuthorized('Invalid Refresh Token.');
  const grant = state.grant(parts.grantId);
  if (!grant) throw notAuthorized('Refresh Token has been revoked');
  if (grant.clientId !== client.id || grant.secret === undefined) throw notAuthorized('Invalid Refresh Token.');
  const is = (secret: string): boolean => same(Buffer.from(secret), Buffer.from(parts.secret));
  if (!is(grant.secret)) {
    const { former } = grant;
    if (!former || !is(former.secret)) throw notAuthorized('Invalid Refresh Token.');
    if (former.until <= state.clock.now()) throw refreshTokenReuse();
  }
  const user = state.user(pool, grant.username);
  if (!user) throw notAuthorized('Invalid Refresh Token.');
  if (!user.enabled) throw notAuthorized('User is disabled.');
  return { grant, user };
}

/** Issues new tokens for a refresh token, which stays valid. */
export async function refresh(
  auth: Auth,
  token: string,
  secretHash: string | undefined,
  deviceKey: string | undefined,
): Promise<AuthAnswer> {
  const { grant, user } = grantOfToken(auth, token);
  checkSecretHash(auth.client, secretHash, [user.username, user.sub]);
  checkDevice(grant, deviceKey);
  const { metadata, endpoint } = auth;
  const result = await issueTokens(auth, user, grant, {
    source: 'TokenGeneration_RefreshTokens',
    endpoint,
    metadata,
    without: new Set(['refresh'] as const),
  });
  return { AuthenticationResult: result, ChallengeParameters: {} };
}

/**
 * Checks the device of a grant.
 * @throws AwsError `NotAuthorizedException` if the token belongs to another device
 */
export function checkDevice(grant: Grant, deviceKey: string | undefined): void {
  if (deviceKey !== undefined && grant.deviceKey !== deviceKey) throw notAuthorized('Invalid Refresh Token.');
}

/** Replaces the refresh token of a grant if the client rotates tokens; the old one stays valid for its grace period. */
export function rotate({ state, client }: LocatedClient, grant: Grant): Grant {
  const { rotation } = client;
  if (rotation?.Feature !== 'ENABLED') return grant;
  const until = state.clock.now() + (rotation.RetryGracePeriodSeconds ?? 0) * 1000;
  return state.updateGrant(grant.id, (draft) => {
    draft.former = { secret: draft.secret!, until };
    draft.secret = newSecret(state);
  });
}
