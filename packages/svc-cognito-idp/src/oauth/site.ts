import { type DataPlaneRequest, type DataPlaneResponse, readAtMost, type ServiceHandle } from '@emu/core/service';
import type { LocatedClient, LocatedPool } from '../lookup.ts';
import type { CognitoState } from '../state.ts';

/** Service handle of the pages. */
export type Handle = ServiceHandle<CognitoState>;

/** A request to a pool's pages and endpoints. */
export interface SiteRequest extends LocatedPool {
  readonly http: DataPlaneRequest;
  readonly handle: Handle;
  /** Path below the pool, for example `/oauth2/token`. */
  readonly path: string;
  /** URL of the pool's pages, without a trailing slash. */
  readonly base: string;
  readonly query: URLSearchParams;
}

const MAX_FORM = 64 * 1024;

/** Returns the form of a request; undefined if it is too large. */
export async function readForm({ http }: SiteRequest): Promise<URLSearchParams | undefined> {
  const body = await readAtMost(http.body, MAX_FORM);
  return body && new URLSearchParams(body.toString());
}

/** Headers that allow pages of all origins to read a response. */
const CORS = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };

/** Returns a JSON response readable by pages of all origins. */
export const json = (status: number, value: unknown, headers: Record<string, string> = {}): DataPlaneResponse => ({
  status,
  headers: { ...CORS, 'content-type': 'application/json;charset=UTF-8', ...headers },
  body: JSON.stringify(value),
});

/** Returns an OAuth 2.0 error (RFC 6749, 5.2). */
export const oauthError = (error: string, description?: string): DataPlaneResponse =>
  json(400, { error, ...(description !== undefined && { error_description: description }) });

/** Returns a redirect. */
export const redirect = (location: string, headers: Record<string, string | string[]> = {}): DataPlaneResponse => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store', ...headers },
  body: '',
});

/** Returns a cookie of a request. */
export function cookieOf({ http }: SiteRequest, name: string): string | undefined {
  const header = http.headers.cookie;
  for (const part of (Array.isArray(header) ? header.join(';') : (header ?? '')).split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}

/** Cookie whose value a page's form must repeat. */
export const CSRF_COOKIE = 'XSRF-TOKEN';

/** Whether a form was sent by one of emu's pages in the same browser. */
export function isFromPage(request: SiteRequest, form: URLSearchParams): boolean {
  const expected = cookieOf(request, CSRF_COOKIE);
  return expected !== undefined && form.get('_csrf') === expected;
}

/** Returns a cookie that is hidden from scripts and not sent across sites. */
export function setCookie({ http, base }: SiteRequest, name: string, value: string, seconds: number): string {
  const path = new URL(base).pathname.replace(/\/*$/, '') || '/';
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${http.secure ? '; Secure' : ''}`;
}

/** Returns a client of the request's pool; undefined if unknown. */
export function clientOf({ state, pool }: LocatedPool, id: string | null | undefined): LocatedClient | undefined {
  const client = id ? state.clients.get(id) : undefined;
  return client?.poolId === pool.id ? { state, pool, client } : undefined;
}

/** Adds parameters to a URL, in its query or fragment. */
export function withParameters(
  url: string,
  parameters: Record<string, string | undefined>,
  inFragment = false,
): string {
  const result = new URL(url);
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (inFragment) result.hash = new URLSearchParams(given).toString();
  else for (const [name, value] of given) result.searchParams.set(name, value);
  return result.toString();
}
