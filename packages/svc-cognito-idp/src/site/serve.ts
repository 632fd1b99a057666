import type { DataPlaneRequest, DataPlaneResponse, WebPageRequest } from '@emu/core/service';
import { providerResponse, samlLoggedOut, samlResponse } from '../federation/serve.ts';
import { importJobIn, uploadImport } from '../imports/serve.ts';
import { customImage } from '../oauth/appearance.ts';
import { feedbackByLink } from '../oauth/feedback-page.ts';
import { login } from '../oauth/login.ts';
import { errorPage } from '../oauth/pages.ts';
import { addPasskeyPage } from '../oauth/passkey-pages.ts';
import { confirmByLink, isOperationPage, operationPage } from '../oauth/sign-up-pages.ts';
import { type Handle, json, type SiteRequest } from '../oauth/site.ts';
import { revoke, token, userInfo } from '../oauth/token.ts';
import { directoryOf } from '../state.ts';
import { issuerOf } from '../tokens/issuer.ts';
import { keySet } from '../tokens/keys.ts';
import { authorize, logout } from './authorize.ts';

const POOL_PATH = /^\/([a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}_[A-Za-z0-9]+)(\/.*)$/;
const DOMAIN_HOST = /^([a-z0-9-]+)\.auth(?:-fips)?\.([a-z0-9-]+)\./;

const hostOf = ({ headers }: DataPlaneRequest): string =>
  String(headers[':authority'] ?? headers.host ?? '')
    .toLowerCase()
    .replace(/:\d+$/, '');

/** Returns the domain of a host name. */
function domainOf(host: string, service: Handle): string | undefined {
  const { domains } = directoryOf(service);
  if (domains.has(host)) return host;
  const match = DOMAIN_HOST.exec(host);
  const state = match ? domains.get(match[1]!) : undefined;
  return state && state.region === match![2] ? match![1] : undefined;
}

/** Whether a host name belongs to a pool's domain. */
export const ownsHost = (name: string, service: Handle): boolean => domainOf(name, service) !== undefined;

/** Returns the path of the pool with a domain. @param name a host name of the domain */
export function pathOfHost(name: string, service: Handle): string | undefined {
  const domain = domainOf(name, service);
  if (domain === undefined) return undefined;
  return `/${directoryOf(service).domains.get(domain)!.domains.get(domain)!.poolId}`;
}

/** Returns the pool of a request, from the domain in its host or from its path; undefined if it has none. */
function siteOf(http: DataPlaneRequest, handle: Handle): SiteRequest | undefined {
  const { domains, pools } = directoryOf(handle);
  const query = new URLSearchParams(http.query);
  const domain = domainOf(http.ownedHost ?? hostOf(http), handle);
  if (domain !== undefined) {
    const state = domains.get(domain)!;
    const pool = state.pools.get(state.domains.get(domain)!.poolId);
    return pool && { state, pool, http, handle, path: http.path, base: http.endpoint, query };
  }
  const match = POOL_PATH.exec(http.path);
  const state = match ? pools.get(match[1]!) : undefined;
  const pool = state?.pools.get(match![1]!);
  if (!state || !pool) return undefined;
  return { state, pool, http, handle, path: match![2]!, base: `${http.endpoint}/${pool.id}`, query };
}

/**
 * Returns the discovery document of a pool (OpenID Connect Discovery 1.0).
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 */
function discovery({ state, pool, http, base }: SiteRequest): object {
  const issuer = issuerOf(pool.id, state, http.endpoint);
  const pages = `${base}`;
  return {
    authorization_endpoint: `${pages}/oauth2/authorize`,
    end_session_endpoint: `${pages}/logout`,
    id_token_signing_alg_values_supported: ['RS256'],
    issuer,
    jwks_uri: `${http.endpoint}/${pool.id}/.well-known/jwks.json`,
    response_types_supported: ['code', 'token'],
    revocation_endpoint: `${pages}/oauth2/revoke`,
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    subject_types_supported: ['public'],
    token_endpoint: `${pages}/oauth2/token`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    userinfo_endpoint: `${pages}/oauth2/userInfo`,
  };
}

/** Paths to which identity provider pages post forms: SAML's POST binding, and `form_post` of OAuth 2.0. */
const PROVIDER_ANSWERS = /^(?:\/[^/]+)?\/(?:saml2\/(?:idpresponse|logout)|oauth2\/idpresponse)$/i;

/**
 * Whether a cross-origin page may send a request: responses of identity providers are allowed and verified by signature
 * or state.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 */
export const admitsPage = ({ method, path, operation }: WebPageRequest): true | undefined =>
  operation === undefined && method === 'POST' && PROVIDER_ANSWERS.test(path) ? true : undefined;

/** Paths with JSON for pages of all origins. */
const OPEN = /^\/(?:\.well-known\/|oauth2\/(?:token|userinfo|revoke)$)/i;

/** Serves the documents, OAuth endpoints and pages of pools. */
export async function serve(http: DataPlaneRequest, handle: Handle): Promise<DataPlaneResponse | undefined> {
  const request = siteOf(http, handle);
  if (!request) {
    const isDocument = POOL_PATH.exec(http.path)?.[2]?.startsWith('/.well-known/');
    return isDocument ? json(404, { message: 'User pool does not exist.' }) : undefined;
  }
  if (http.method === 'OPTIONS' && OPEN.test(request.path)) return preflight(http);
  return route(request);
}

async function route(request: SiteRequest): Promise<DataPlaneResponse> {
  const { path, http } = request;
  const importJob = importJobIn(path);
  if (importJob !== undefined) return uploadImport(request, importJob);
  const isPost = http.method === 'POST';
  switch (path.toLowerCase()) {
    case '/.well-known/jwks.json':
      return json(200, await keySet(request.pool.id, request.state), { 'cache-control': 'public, max-age=86400' });
    case '/.well-known/openid-configuration':
      return json(200, discovery(request), { 'cache-control': 'public, max-age=86400' });
    case '/oauth2/token':
      return isPost ? token(request) : json(405, { error: 'method_not_allowed' });
    case '/oauth2/userinfo':
      return userInfo(request);
    case '/oauth2/revoke':
      return isPost ? revoke(request) : json(405, { error: 'method_not_allowed' });
    case '/oauth2/authorize':
      return authorize(request);
    case '/login':
      return login(request);
    case '/oauth2/idpresponse':
      return providerResponse(request);
    case '/saml2/idpresponse':
      return samlResponse(request);
    case '/saml2/logout':
      return samlLoggedOut(request);
    case '/logout':
      return logout(request);
    case '/passkeys/add':
      return addPasskeyPage(request);
    case '/confirmuser':
      return confirmByLink(request);
    case '/eventfeedback':
      return feedbackByLink(request);
    case '/ui/image':
      return customImage(request);
    default:
      return isOperationPage(path)
        ? operationPage(request)
        : errorPage(request, 'Not found', 'There is no such page.', 404);
  }
}

const preflight = ({ headers }: DataPlaneRequest): DataPlaneResponse => ({
  status: 200,
  headers: {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': String(headers['access-control-request-headers'] ?? '*'),
    'access-control-max-age': '86400',
  },
  body: '',
});
