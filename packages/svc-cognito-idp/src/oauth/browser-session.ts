import type { BrowserSessionRecord, SamlSession, User } from '../records.ts';
import { cookieOf, type SiteRequest, setCookie } from './site.ts';

const SESSION_COOKIE = 'cognito';
const SESSION_SECONDS = 3600;

/** Returns the browser's session; undefined if it has no valid one. */
export function browserSession(request: SiteRequest): Readonly<BrowserSessionRecord> | undefined {
  const id = cookieOf(request, SESSION_COOKIE);
  const session = id === undefined ? undefined : request.state.browserSessions.get(id);
  if (session?.poolId !== request.pool.id) return undefined;
  return session.expiresAt > request.state.clock.now() ? session : undefined;
}

/** Returns the signed-in user of a browser; undefined if there is none. */
export function browserUser(request: SiteRequest): User | undefined {
  const session = browserSession(request);
  const user = session && request.state.user(request.pool, session.username);
  return user?.enabled ? user : undefined;
}

/**
 * Creates a browser session.
 * @param saml the sign-in's session at a SAML provider
 * @returns its cookie
 */
export function createBrowserSession(request: SiteRequest, user: User, saml?: SamlSession): string {
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
 * Ends the session of a browser.
 * @returns the session, and the cookie that clears it
 */
export function endBrowserSession(request: SiteRequest): { session: BrowserSessionRecord | undefined; cookie: string } {
  const { browserSessions } = request.state;
  const id = cookieOf(request, SESSION_COOKIE);
  const session = id === undefined ? undefined : (browserSessions.get(id) as BrowserSessionRecord | undefined);
  if (id !== undefined) browserSessions.delete(id);
  return { session, cookie: setCookie(request, SESSION_COOKIE, '', 0) };
}
