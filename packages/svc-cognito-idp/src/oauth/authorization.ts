import type { DataPlaneResponse } from '@emu/core';
import type { LocatedClient } from '../lookup.ts';
import type { ProviderRecord } from '../records.ts';
import { errorPage } from './pages.ts';
import { clientOf, redirect, type SiteRequest, withParameters } from './site.ts';

/** What a client asks for, checked. */
export interface Authorization extends LocatedClient {
  redirectUri: string;
  scopes: string[];
  responseType: 'code' | 'token';
  oauthState: string | undefined;
  nonce: string | undefined;
  challenge: string | undefined;
  prompt: string | undefined;
  /** Who is likely to sign in. */
  loginHint: string | undefined;
  /** The audience that the access token is to have (RFC 8707). */
  resource: string | undefined;
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
  const loginHint = parameters.get('login_hint') ?? undefined;
  const resource = parameters.get('resource') ?? undefined;
  if (resource !== undefined && !isResource(resource)) return refuse('invalid_request', 'resource is no valid address');
  const kept = { oauthState, nonce, challenge, prompt, loginHint, resource };
  return { ...located, redirectUri, scopes, responseType, ...kept, provider };
}

/**
 * Whether an access token can be bound to a resource: an address of https, of this machine, or of an application's own scheme.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-define-resource-servers.html
 */
export function isResource(address: string): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false;
  const { protocol, hostname } = new URL(address);
  return protocol !== 'http:' || hostname === 'localhost';
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
