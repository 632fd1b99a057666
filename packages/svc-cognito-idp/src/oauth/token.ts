import { type DataPlaneResponse, percentDecoded } from '@emu/core/service';
import { AwsError, isObject, parseJson } from '@emu/wire';
import { grantOfToken, rotate } from '../auth/refresh.ts';
import type { LocatedClient } from '../lookup.ts';
import { isSecret } from '../pools/secret-hash.ts';
import { validityOf } from '../pools/token-validity.ts';
import type { Grant, User } from '../records.ts';
import { attributesOfScopes, type Claims } from '../tokens/claims.ts';
import { beginGrant, issueTokens, sign } from '../tokens/issue.ts';
import { issuerOf } from '../tokens/issuer.ts';
import { signingKey } from '../tokens/keys.ts';
import { changeTokens } from '../tokens/pre-token-generation.ts';
import { readRefreshToken } from '../tokens/refresh-token.ts';
import { userOfToken } from '../tokens/verify.ts';
import { readable } from '../users/attributes.ts';
import { isResource } from './authorization.ts';
import { takeAuthorizationCode } from './codes.ts';
import { clientOf, json, oauthError, readForm, type SiteRequest } from './site.ts';

/** Returns the authenticated client of a request, by header or form; undefined if authentication fails. */
function authenticated(request: SiteRequest, form: URLSearchParams): LocatedClient | undefined {
  const header = request.http.headers.authorization;
  let id = form.get('client_id');
  let secret = form.get('client_secret');
  if (typeof header === 'string' && /^basic /i.test(header)) {
    const text = Buffer.from(header.slice(6), 'base64').toString();
    const at = text.indexOf(':');
    if (at < 0 || (id !== null && id !== percentDecoded(text.slice(0, at)))) return undefined;
    id = percentDecoded(text.slice(0, at));
    secret = percentDecoded(text.slice(at + 1));
  }
  const located = clientOf(request, id);
  if (!located) return undefined;
  if (located.client.secrets.length === 0) return secret === null ? located : undefined;
  return secret !== null && isSecret(located.client, secret) ? located : undefined;
}

/**
 * Issues tokens.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html
 */
export async function token(request: SiteRequest): Promise<DataPlaneResponse> {
  const form = await readForm(request);
  if (!form) return oauthError('invalid_request');
  const type = form.get('grant_type');
  if (type === null) return oauthError('invalid_request');
  const located = authenticated(request, form);
  if (!located) return oauthError('invalid_client');
  try {
    switch (type) {
      case 'authorization_code':
        return await byCode(request, located, form);
      case 'refresh_token':
        return await byRefreshToken(request, located, form);
      case 'client_credentials':
        return await byCredentials(request, located, form);
      default:
        return oauthError('unsupported_grant_type');
    }
  } catch (error) {
    // Errors of triggers and of revoked tokens have Cognito's messages.
    if (error instanceof AwsError && (error.status ?? 400) < 500) return oauthError('invalid_grant', error.message);
    throw error;
  }
}

async function byCode(request: SiteRequest, located: LocatedClient, form: URLSearchParams): Promise<DataPlaneResponse> {
  const { state, pool, client } = located;
  if (!client.oauthFlows?.includes('code')) return oauthError('unauthorized_client');
  const code = form.get('code');
  const redirectUri = form.get('redirect_uri');
  if (code === null || redirectUri === null) return oauthError('invalid_request');
  const record = takeAuthorizationCode(located, code, redirectUri, form.get('code_verifier') ?? undefined);
  const user = record && state.user(pool, record.username);
  if (!record || !user?.enabled) return oauthError('invalid_grant');
  const { scopes, nonce, authTime, eventId, resource } = record;
  const grant = beginGrant(located, user, {
    scopes: [...scopes],
    nonce,
    authTime,
    eventId,
    resource,
    withRefresh: true,
  });
  return tokensOf(request, located, user, grant, 'TokenGeneration_HostedAuth', new Set());
}

async function byRefreshToken(
  request: SiteRequest,
  located: LocatedClient,
  form: URLSearchParams,
): Promise<DataPlaneResponse> {
  const given = form.get('refresh_token');
  if (given === null) return oauthError('invalid_request');
  const { grant, user } = grantOfToken(located, given);
  const rotated = rotate(located, grant);
  const without = rotated === grant ? new Set(['refresh'] as const) : new Set<'id' | 'refresh'>();
  return tokensOf(request, located, user, rotated, 'TokenGeneration_RefreshTokens', without);
}

async function tokensOf(
  { http }: SiteRequest,
  located: LocatedClient,
  user: User,
  grant: Grant,
  source: string,
  without: ReadonlySet<'id' | 'refresh'>,
): Promise<DataPlaneResponse> {
  const isOpenId = grant.scopes.includes('openid') || grant.scopes.includes('aws.cognito.signin.user.admin');
  const left = isOpenId ? without : new Set([...without, 'id' as const]);
  const tokens = await issueTokens(located, user, grant, { source, endpoint: http.endpoint, without: left });
  return json(200, {
    ...(tokens.IdToken !== undefined && { id_token: tokens.IdToken }),
    access_token: tokens.AccessToken,
    ...(tokens.RefreshToken !== undefined && { refresh_token: tokens.RefreshToken }),
    expires_in: tokens.ExpiresIn,
    token_type: 'Bearer',
  });
}

/**
 * Parses a client's JSON metadata for the pool's function.
 * @throws SyntaxError for invalid JSON
 */
function metadataIn(form: URLSearchParams): Record<string, string> | undefined {
  const given = form.get('aws_client_metadata');
  if (given === null) return undefined;
  const metadata: unknown = parseJson(given);
  if (!isObject(metadata)) throw new SyntaxError('not an object');
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
}

async function byCredentials(
  { http }: SiteRequest,
  located: LocatedClient,
  form: URLSearchParams,
): Promise<DataPlaneResponse> {
  const { state, pool, client } = located;
  if (!client.oauthFlows?.includes('client_credentials')) return oauthError('unauthorized_client');
  const allowed = client.oauthScopes ?? [];
  const scopes = form.get('scope')?.split(/[ +]/).filter(Boolean) ?? [...allowed];
  if (scopes.length === 0 || scopes.some((scope) => !allowed.includes(scope))) return oauthError('invalid_scope');
  const resource = form.get('resource');
  if (resource !== null && !isResource(resource)) return oauthError('invalid_target');
  let metadata: Record<string, string> | undefined;
  try {
    metadata = metadataIn(form);
  } catch {
    return oauthError('invalid_request', 'aws_client_metadata must be a JSON object.');
  }
  const now = state.clock.now();
  const iat = Math.floor(now / 1000);
  const { access } = validityOf(client);
  const claims: Claims = {
    sub: client.id,
    token_use: 'access',
    scope: scopes.join(' '),
    auth_time: iat,
    iss: issuerOf(pool.id, state, http.endpoint),
    exp: iat + access,
    iat,
    version: 2,
    jti: state.ids.uuid(),
    client_id: client.id,
    ...(resource !== null && { aud: resource }),
  };
  const groups = { groups: [], roles: [], preferredRole: undefined };
  const source = 'TokenGeneration_ClientCredentials';
  await changeTokens(located, undefined, { access: claims, id: {}, groups, scopes, source, metadata });
  const accessToken = await sign(await signingKey(pool.id, state), claims);
  state.journal.tokens.add({
    poolId: pool.id,
    clientId: client.id,
    username: '',
    type: 'access',
    token: accessToken,
    grantId: undefined,
    issuedAt: now,
    expiresAt: (iat + access) * 1000,
  });
  return json(200, { access_token: accessToken, expires_in: access, token_type: 'Bearer' });
}

/** Returns the attributes of an access token's user. */
export async function userInfo(request: SiteRequest): Promise<DataPlaneResponse> {
  const header = request.http.headers.authorization;
  const given = typeof header === 'string' ? /^bearer (.+)$/i.exec(header)?.[1] : undefined;
  const refuse = (error: string, description: string): DataPlaneResponse =>
    json(
      401,
      { error, error_description: description },
      { 'www-authenticate': `error="${error}",error_description="${description}"` },
    );
  if (given === undefined) return refuse('invalid_request', 'Access token is missing');
  try {
    const { user, client, grant, pool } = await userOfToken(given, request, 'openid');
    if (pool.id !== request.pool.id) return refuse('invalid_token', 'Access token is of another user pool');
    const attributes = attributesOfScopes(readable(client, user), grant.scopes);
    return json(200, { sub: user.sub, ...attributes, username: user.username });
  } catch (error) {
    if (error instanceof AwsError)
      return refuse(
        'invalid_token',
        'Access token is expired, disabled, or deleted, or does not have the required scope',
      );
    throw error;
  }
}

/** Revokes a refresh token and the tokens derived from it (RFC 7009). */
export async function revoke(request: SiteRequest): Promise<DataPlaneResponse> {
  const form = await readForm(request);
  const given = form?.get('token');
  if (!form || !given) return oauthError('invalid_request');
  const located = authenticated(request, form);
  if (!located) return oauthError('invalid_client');
  if (!located.client.tokenRevocation)
    return oauthError('invalid_request', 'Token revocation is not enabled for this client.');
  const parts = readRefreshToken(given);
  if (!parts) return oauthError('unsupported_token_type');
  const grant = located.state.grant(parts.grantId);
  if (grant && grant.clientId !== located.client.id) return oauthError('invalid_request');
  located.state.revoke(parts.grantId);
  return { status: 200, headers: { 'access-control-allow-origin': '*' }, body: '' };
}
