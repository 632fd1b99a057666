import type { LocatedRequest } from '../request/visit.ts';

const PAGE = '/_emulator/console';
const ASSETS: ReadonlySet<string> = new Set([`${PAGE}/app.js`, `${PAGE}/app.css`]);

/**
 * Whether a request is for the console's page or its files, which browsers request without a token. The page contains
 * the token and is only for a browser's tab: requests of scripts and frames, where browsers mark them, do not get it.
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header
 */
export function isConsoleFile({ request: { method, headers }, path }: LocatedRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (path !== PAGE) return ASSETS.has(path);
  const destination = headers['sec-fetch-dest'];
  return headers.origin === undefined && (destination === undefined || destination === 'document');
}
