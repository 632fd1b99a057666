import type { DataPlaneResponse } from '@emu/core';
import { AwsError } from '@emu/wire';
import { samlLogout } from '../federation/saml.ts';
import { beginFederation } from '../federation/serve.ts';
import type { LocatedClient } from '../lookup.ts';
import type { BrowserSessionRecord, FederationRecord, ProviderRecord, SamlSession, User } from '../records.ts';
import { beginGrant, issueTokens } from '../tokens/issue.ts';
import { grantCode } from './codes.ts';
import { errorPage } from './pages.ts';
import { clientOf, cookieOf, redirect, type SiteRequest, setCookie, withParameters } from './site.ts';

const SESSION_COOKIE = 'cognito';
const SESSION_SECONDS = 3600;

/** What a client asks for, checked. */
export interface Authorization extends LocatedClient {
  redirectUri: string;
  scopes: string[];
  responseType: 'code' | 'token';
  oauthState: string | undefined;
  nonce: string | undefined;
  challenge: string | undefined;
  prompt: string | undefined;
  /** The identity provider that the client has chosen. */
  provider?: Readonly<ProviderRecord> | undefined;
}

/**
 * Checks what a client asks for. Nothing is sent to an address that is not the client's.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html
 */
export function readAuthorization(
  request: SiteRequest,
  parameters: URLSearchParams,
): Authorization | DataPlaneResponse {
  const located = clientOf(request, parameters.get('client_id'));
  if (!located)
    return errorPage(request, 'Invalid client', 'client_id is missing or names no client of this user pool.');
  const { client } = located;
  const redirectUri = parameters.get('redirect_uri') ?? client.defaultRedirectUri;
  if (redirectUri === undefined || !client.callbackUrls?.includes(redirectUri))
    return errorPage(request, 'redirect_mismatch', 'redirect_uri is none of the callback URLs of the client.');
  const oauthState = parameters.get('state') ?? undefined;
  const refuse = (error: string, description?: string): DataPlaneResponse =>
    redirect(withParameters(redirectUri, { error, error_description: description, state: oauthState }));
  const responseType = parameters.get('response_type');
  if (responseType !== 'code' && responseType !== 'token')
    return refuse('invalid_request', 'response_type must be code or token');
  if (!client.oauth || !client.oauthFlows?.includes(responseType === 'code' ? 'code' : 'implicit'))
    return refuse('unauthorized_client');
  const provider = chosenProvider(located, parameters);
  if (provider === 'unknown')
    return errorPage(request, 'Invalid request', 'Login option is not available. Please try another one');
  const allowed = client.oauthScopes ?? [];
  const scopes = parameters.get('scope')?.split(/[ +]/).filter(Boolean) ?? [...allowed];
  if (scopes.some((scope) => !allowed.includes(scope))) return refuse('invalid_scope');
  const challenge = parameters.get('code_challenge') ?? undefined;
  const method = parameters.get('code_challenge_method');
  if ((challenge === undefined) !== (method === null))
    return refuse('invalid_request', 'code_challenge and code_challenge_method go together');
  if (method !== null && method !== 'S256') return refuse('invalid_request', 'code_challenge_method must be S256');
  const nonce = parameters.get('nonce') ?? undefined;
  const prompt = parameters.get('prompt') ?? undefined;
  return { ...located, redirectUri, scopes, responseType, oauthState, nonce, challenge, prompt, provider };
}

/** The identity providers that a client signs in by, besides the pool itself. */
export function providersOf({ state, pool, client }: LocatedClient): Readonly<ProviderRecord>[] {
  return (client.providers ?? [])
    .map((name) => state.providers.get(`${pool.id}/${name}`))
    .filter((provider) => provider !== undefined) as Readonly<ProviderRecord>[];
}

/** Whether a client's users sign in at the pool itself. */
export const hasOwnSignIn = ({ client }: LocatedClient): boolean =>
  client.providers === undefined || client.providers.includes('COGNITO');

/** The provider that a request names, or the only one that its client has; undefined where the page is to ask. */
function chosenProvider(
  located: LocatedClient,
  parameters: URLSearchParams,
): Readonly<ProviderRecord> | 'unknown' | undefined {
  const providers = providersOf(located);
  const name = parameters.get('identity_provider');
  const identifier = parameters.get('idp_identifier');
  if (name === 'COGNITO' || (name === null && identifier === null)) {
    if (hasOwnSignIn(located)) return undefined;
    return name === null && providers.length === 1 ? providers[0] : name === null ? undefined : 'unknown';
  }
  const found = providers.find((one) =>
    name === null ? one.identifiers?.includes(identifier!) === true : one.name === name,
  );
  return found ?? 'unknown';
}

export const isResponse = (value: Authorization | DataPlaneResponse): value is DataPlaneResponse => 'status' in value;

/** Sends a browser on: with what the client asked for, where somebody is signed in; else to the page where they sign in. */
export async function authorize(request: SiteRequest): Promise<DataPlaneResponse> {
  const authorization = readAuthorization(request, request.query);
  if (isResponse(authorization)) return authorization;
  const session = browserSession(request);
  const { redirectUri, oauthState, prompt } = authorization;
  const user = session && request.state.user(request.pool, session.username);
  if (session && user?.enabled && prompt !== 'login') return grantTo(request, authorization, user, session.authTime);
  if (prompt !== 'none' && authorization.provider)
    return beginFederation(request, authorization, authorization.provider);
  if (prompt === 'none') return redirect(withParameters(redirectUri, { error: 'login_required', state: oauthState }));
  return redirect(`${request.base}/login?${request.query.toString()}`);
}

/** Gives a client what it asked for. */
export async function grantTo(
  request: SiteRequest,
  authorization: Authorization,
  user: User,
  authTime: number,
  headers: Record<string, string | string[]> = {},
): Promise<DataPlaneResponse> {
  const { redirectUri, scopes, oauthState, nonce, challenge, responseType } = authorization;
  if (responseType === 'code') {
    const request_ = {
      redirectUri,
      scopes,
      challenge,
      challengeMethod: challenge === undefined ? undefined : ('S256' as const),
      nonce,
      authTime,
    };
    const { code } = grantCode(authorization, user, request_);
    return redirect(withParameters(redirectUri, { code, state: oauthState }), headers);
  }
  try {
    const grant = beginGrant(authorization, user, { scopes, nonce, authTime, withRefresh: false });
    const tokens = await issueTokens(authorization, user, grant, {
      source: 'TokenGeneration_HostedAuth',
      endpoint: request.http.endpoint,
      without: scopes.includes('openid') ? new Set() : new Set(['id'] as const),
    });
    const answer = {
      access_token: tokens.AccessToken,
      id_token: tokens.IdToken,
      token_type: 'Bearer',
      expires_in: String(tokens.ExpiresIn),
      state: oauthState,
    };
    return redirect(withParameters(redirectUri, answer, true), headers);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const refusal = { error: 'invalid_request', error_description: error.message, state: oauthState };
    return redirect(withParameters(redirectUri, refusal), headers);
  }
}

/** The sign-in that a browser has; undefined where it has none that is good. */
function browserSession(request: SiteRequest): Readonly<BrowserSessionRecord> | undefined {
  const id = cookieOf(request, SESSION_COOKIE);
  const session = id === undefined ? undefined : request.state.browserSessions.get(id);
  if (session?.poolId !== request.pool.id) return undefined;
  return session.expiresAt > request.state.clock.now() ? session : undefined;
}

/** The user who has signed in by a browser; undefined where nobody has. */
export function browserUser(request: SiteRequest): User | undefined {
  const session = browserSession(request);
  const user = session && request.state.user(request.pool, session.username);
  return user?.enabled ? user : undefined;
}

/**
 * Remembers that a browser's user has signed in.
 * @param saml how a SAML provider knows the sign-in
 * @returns the cookie that says so
 */
export function rememberBrowser(request: SiteRequest, user: User, saml?: SamlSession): string {
  const { state, pool } = request;
  const now = state.clock.now();
  const id = state.ids.hex(64);
  state.sweep(state.browserSessions, (key) => state.browserSessions.delete(key));
  const expiresAt = now + SESSION_SECONDS * 1000;
  state.browserSessions.put(id, {
    id,
    poolId: pool.id,
    username: user.username,
    authTime: now,
    expiresAt,
    ...(saml && { saml }),
  });
  return setCookie(request, SESSION_COOKIE, id, SESSION_SECONDS);
}

/**
 * Signs a browser out, and sends it on: to an address of the client's, or to where its user signs in again.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
 */
export async function logout(request: SiteRequest): Promise<DataPlaneResponse> {
  const { query, state } = request;
  const located = clientOf(request, query.get('client_id'));
  if (!located)
    return errorPage(request, 'Invalid request', 'client_id is missing or names no client of this user pool.');
  const uri = query.get('logout_uri');
  const isSignIn = uri === null && query.get('redirect_uri') !== null;
  if (!isSignIn && (uri === null || !located.client.logoutUrls?.includes(uri)))
    return errorPage(request, 'Invalid request', 'logout_uri is none of the sign-out URLs of the client.');
  const id = cookieOf(request, SESSION_COOKIE);
  const session = id === undefined ? undefined : state.browserSessions.get(id);
  if (id !== undefined) state.browserSessions.delete(id);
  const cookies = { 'set-cookie': setCookie(request, SESSION_COOKIE, '', 0) };
  const next = isSignIn ? `${request.base}/login?${query.toString()}` : uri!;
  const saml = session?.saml as SamlSession | undefined;
  const provider = saml && state.providers.get(`${request.pool.id}/${saml.provider}`);
  if (!saml || provider?.details.IDPSignout !== 'true') return redirect(next, cookies);
  const federation: FederationRecord = {
    id: state.ids.uuid(),
    poolId: request.pool.id,
    clientId: located.client.id,
    provider: provider.name,
    logoutTo: next,
    expiresAt: state.clock.now() + SESSION_SECONDS * 1000,
  };
  const address = await samlLogout(request, provider as ProviderRecord, federation, saml);
  if (address === undefined) return redirect(next, cookies);
  state.federations.put(federation.id, federation);
  return redirect(address, cookies);
}
