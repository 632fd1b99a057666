import type { DataPlaneResponse } from '@emu/core/service';
import type { LocatedClient } from '../lookup.ts';
import type { ProviderRecord } from '../records.ts';
import { errorPage } from './pages.ts';
import { clientOf, redirect, type SiteRequest, withParameters } from './site.ts';

/** A validated authorization request of a client. */
export interface Authorization extends LocatedClient {
  redirectUri: string;
  scopes: string[];
  responseType: 'code' | 'token';
  oauthState: string | undefined;
  nonce: string | undefined;
  challenge: string | undefined;
  prompt: string | undefined;
  /** Suggested user name. */
  loginHint: string | undefined;
  /** Requested audience of the access token (RFC 8707). */
  resource: string | undefined;
  /** Identity provider chosen by the client. */
  provider?: Readonly<ProviderRecord> | undefined;
}

/**
 * Validates a client's authorization request. Nothing is sent to a URL not registered for the client.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html
 */
export function readAuthorization(
  request: SiteRequest,
  parameters: URLSearchParams,
): Authorization | DataPlaneResponse {
  const located = clientOf(request, parameters.get('client_id'));
  if (!located) return errorPage(request, 'Invalid client', 'client_id is missing or not a client of this user pool.');
  const { client } = located;
  const redirectUri = parameters.get('redirect_uri') ?? client.defaultRedirectUri;
  if (redirectUri === undefined || !client.callbackUrls?.includes(redirectUri))
    return errorPage(request, 'redirect_mismatch', 'redirect_uri is not one of the callback URLs of the client.');
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
  if (resource !== undefined && !isResource(resource))
    return refuse('invalid_request', 'resource is not a valid address');
  const kept = { oauthState, nonce, challenge, prompt, loginHint, resource };
  return { ...located, redirectUri, scopes, responseType, ...kept, provider };
}

/**
 * Whether an access token can be bound to a resource: an https, localhost or custom scheme URL.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-define-resource-servers.html
 */
export function isResource(address: string): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false;
  const { protocol, hostname } = new URL(address);
  return protocol !== 'http:' || hostname === 'localhost';
}

/** Returns the identity providers of a client, without the pool itself. */
export function providersOf({ state, pool, client }: LocatedClient): Readonly<ProviderRecord>[] {
  return (client.providers ?? [])
    .map((name) => state.providers.get(`${pool.id}/${name}`))
    .filter((provider) => provider !== undefined) as Readonly<ProviderRecord>[];
}

/** Whether a client allows sign-ins at the pool itself. */
export const hasOwnSignIn = ({ client }: LocatedClient): boolean =>
  client.providers === undefined || client.providers.includes('COGNITO');

/** Returns the provider that a request names, or a client's only provider; undefined if the user must choose. */
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
