import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SesState } from '../state.ts';
import { LINKS } from './link-path.ts';

/** Purpose of a link in a mail. */
export interface Link {
  kind: 'open' | 'click' | 'unsubscribe' | 'verify' | 'export';
  accountId: string;
  region: string;
  /** Its mail; absent in verification mails. */
  messageId?: string;
  /** Target of a click. */
  url?: string;
  tags?: Record<string, string[]>;
  /** Contact to unsubscribe. */
  address?: string;
  list?: string;
  topic?: string;
  /** Export job of the file. */
  job?: string;
  /** Identity to verify, with its secret. */
  identity?: string;
  secret?: string;
}

const signature = (text: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(text).digest().subarray(0, 16);

/**
 * Returns the URL of a link.
 * @param base without trailing slash
 */
export function linkUrl(state: SesState, base: string, link: Omit<Link, 'accountId' | 'region'>): string {
  const { accountId, region } = state;
  const text = Buffer.from(JSON.stringify({ ...link, accountId, region })).toString('base64url');
  return `${base}${LINKS}${link.kind}/${text}/${signature(text, state.secret).toString('base64url')}`;
}

/**
 * Parses a link path.
 * @param find returns the state of an account and region, if it exists
 * @returns undefined for a path that emu did not sign
 */
export function readLink(
  path: string,
  find: (accountId: string, region: string) => SesState | undefined,
): { link: Link; state: SesState } | undefined {
  const [, text = '', given = ''] = path.slice(LINKS.length).split('/');
  let link: Link;
  try {
    link = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Link;
  } catch {
    return undefined;
  }
  const { accountId, region } = link ?? {};
  if (typeof accountId !== 'string' || typeof region !== 'string') return undefined;
  const state = find(accountId, region);
  if (!state) return undefined;
  const expected = signature(text, state.secret);
  const actual = Buffer.from(given, 'base64url');
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? { link, state } : undefined;
}
