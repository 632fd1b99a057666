import { createHash } from 'node:crypto';
import type { AuthenticationResultType } from '@emu/service-types/cognito-idp';
import { SignJWT } from 'jose';
import type { LocatedClient } from '../lookup.ts';
import { validityOf } from '../pools/token-validity.ts';
import type { Grant, GrantRecord, User } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { identitiesOf, readable } from '../users/attributes.ts';
import { attributeClaims, attributesOfScopes, type Claims, groupClaims, groupsOf } from './claims.ts';
import { issuerOf } from './issuer.ts';
import { type SigningKey, signingKey } from './keys.ts';
import { changeTokens } from './pre-token-generation.ts';
import { refreshToken } from './refresh-token.ts';

/** Length of a refresh token's secret part, in bytes. */
const SECRET_BYTES = 660;

/** Options for issuing tokens. */
export interface Issue {
  /** Source of the pre token generation trigger, for example `TokenGeneration_Authentication`. */
  source: string;
  /** Base URL with which the caller reached emu. */
  endpoint: string;
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Tokens to omit, for OAuth requests. */
  without?: ReadonlySet<'id' | 'refresh'>;
}

/** Options of a new grant. */
export interface NewGrant {
  scopes: string[];
  nonce?: string | undefined;
  deviceKey?: string | undefined;
  deviceGroupKey?: string | undefined;
  provider?: string | undefined;
  /** Audience of its access tokens. */
  resource?: string | undefined;
  authTime?: number;
  /** Id of its authentication event. */
  eventId?: string | undefined;
  withRefresh: boolean;
}

/** Creates the grant of a sign-in, on which its tokens depend. */
export function beginGrant({ state, pool, client }: LocatedClient, user: User, options: NewGrant): Grant {
  const now = state.clock.now();
  const { refresh, access } = validityOf(client);
  const grant: GrantRecord = {
    id: state.ids.uuid(),
    poolId: pool.id,
    clientId: client.id,
    username: user.username,
    eventId: options.eventId ?? state.ids.uuid(),
    authTime: options.authTime ?? now,
    expiresAt: now + 1000 * (options.withRefresh ? Math.max(refresh, access) : access),
    scopes: options.scopes,
    ...(options.withRefresh && { secret: newSecret(state) }),
    ...(options.nonce !== undefined && { nonce: options.nonce }),
    ...(options.deviceKey !== undefined && { deviceKey: options.deviceKey }),
    ...(options.deviceGroupKey !== undefined && { deviceGroupKey: options.deviceGroupKey }),
    ...(options.resource !== undefined && { resource: options.resource }),
    ...(options.provider !== undefined && { provider: options.provider }),
  };
  return state.putGrant(grant);
}

/** Returns the secret part of a new refresh token. */
export const newSecret = ({ ids }: CognitoState): string => ids.bytes(SECRET_BYTES).toString('base64url');

/**
 * Issues the tokens of a grant, after invoking the pool's pre token generation trigger.
 * @throws AwsError of the trigger
 */
export async function issueTokens(
  located: LocatedClient,
  user: User,
  grant: Grant,
  issue: Issue,
): Promise<AuthenticationResultType> {
  const { state, pool, client } = located;
  const { source, endpoint, without = new Set() } = issue;
  const validity = validityOf(client);
  const now = state.clock.now();
  const iat = Math.floor(now / 1000);
  const groups = groupClaims(groupsOf(pool, user, state));
  const common: Claims = {
    sub: user.sub,
    ...(groups.groups.length && { 'cognito:groups': groups.groups }),
    iss: issuerOf(pool.id, state, endpoint),
    ...(client.tokenRevocation && { origin_jti: grant.id }),
    event_id: grant.eventId,
    auth_time: Math.floor(grant.authTime / 1000),
    iat,
  };
  const access: Claims = {
    ...common,
    client_id: client.id,
    ...(grant.resource !== undefined && { aud: grant.resource }),
    ...(grant.deviceKey !== undefined && { device_key: grant.deviceKey }),
    token_use: 'access',
    scope: grant.scopes.join(' '),
    exp: iat + validity.access,
    jti: state.ids.uuid(),
    username: user.username,
  };
  const attributes = attributesOfScopes(readable(client, user), grant.scopes);
  const id: Claims = {
    ...common,
    ...attributeClaims({ ...attributes, ...identitiesOf(user) }),
    ...(groups.preferredRole !== undefined && { 'cognito:preferred_role': groups.preferredRole }),
    ...(groups.roles.length && { 'cognito:roles': groups.roles }),
    'cognito:username': user.username,
    ...(grant.nonce !== undefined && { nonce: grant.nonce }),
    aud: client.id,
    token_use: 'id',
    exp: iat + validity.id,
    jti: state.ids.uuid(),
  };
  await changeTokens(located, user, { access, id, groups, scopes: grant.scopes, source, metadata: issue.metadata });
  const key = await signingKey(pool.id, state);
  const accessToken = await sign(key, access);
  if (!without.has('id')) id.at_hash = atHash(accessToken);
  const idToken = without.has('id') ? undefined : await sign(key, id);
  const refresh =
    grant.secret === undefined || without.has('refresh')
      ? undefined
      : refreshToken({ poolId: pool.id, grantId: grant.id, secret: grant.secret });
  const remember = (type: 'access' | 'id' | 'refresh', token: string | undefined, expiresAt: number) => {
    if (token === undefined) return;
    const { clientId, username } = grant;
    state.journal.tokens.add({
      poolId: pool.id,
      clientId,
      username,
      type,
      token,
      grantId: grant.id,
      issuedAt: now,
      expiresAt,
    });
  };
  remember('access', accessToken, (iat + validity.access) * 1000);
  remember('id', idToken, (iat + validity.id) * 1000);
  remember('refresh', refresh, grant.expiresAt);
  return {
    AccessToken: accessToken,
    ExpiresIn: validity.access,
    TokenType: 'Bearer',
    ...(refresh !== undefined && { RefreshToken: refresh }),
    ...(idToken !== undefined && { IdToken: idToken }),
  };
}

/** Signs claims as a token, in Node's thread pool. */
export function sign({ kid, privateKey }: SigningKey, claims: Claims): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ kid, alg: 'RS256' }).sign(privateKey);
}

/** Returns the hash of an access token in an ID token (OpenID Connect Core, 3.1.3.6). */
const atHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
