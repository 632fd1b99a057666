import type { DataPlaneResponse } from '@emu/core';
import { type SiteRequest, setCookie } from './site.ts';

/** Text as it may stand in a page. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE =
  'body{font:16px system-ui;max-width:24rem;margin:4rem auto;padding:0 1rem}input,button{display:block;width:100%;box-sizing:border-box;margin:.25rem 0 1rem;padding:.5rem;font:inherit}.error{color:#a00}';

/** A field of a form. */
export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'password' | 'email';
}

/** A page with a form. */
export interface Page {
  title: string;
  /** Path of the page that the form goes to, with its query. */
  action: string;
  fields: readonly Field[];
  button: string;
  hidden?: Readonly<Record<string, string>>;
  /** What went wrong before, or what to know. */
  error?: string | undefined;
  note?: string | undefined;
  links?: readonly { label: string; href: string }[];
}

export const CSRF_COOKIE = 'XSRF-TOKEN';
const CSRF_SECONDS = 3600;

function html(
  status: number,
  title: string,
  body: string,
  headers: Record<string, string | string[]> = {},
): DataPlaneResponse {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head><body><h1>${escaped(title)}</h1>${body}</body></html>`,
  };
}

/** A page that says what is wrong with a request. */
export const errorPage = (_request: SiteRequest, title: string, text: string, status = 400): DataPlaneResponse =>
  html(status, title, `<p class="error">${escaped(text)}</p>`);

/** A page with a form, which only this page of this browser can send. */
export function formPage(request: SiteRequest, page: Page): DataPlaneResponse {
  const csrf = request.state.ids.hex(32);
  const hidden = Object.entries({ _csrf: csrf, ...page.hidden });
  const body = [
    page.error === undefined ? '' : `<p class="error" role="alert">${escaped(page.error)}</p>`,
    page.note === undefined ? '' : `<p>${escaped(page.note)}</p>`,
    `<form method="post" action="${escaped(page.action)}">`,
    ...hidden.map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`),
    ...page.fields.map(
      ({ name, label, type = 'text' }) =>
        `<label>${escaped(label)}<input name="${escaped(name)}" type="${type}" required></label>`,
    ),
    `<button type="submit">${escaped(page.button)}</button></form>`,
    ...(page.links ?? []).map(({ label, href }) => `<p><a href="${escaped(href)}">${escaped(label)}</a></p>`),
  ];
  return html(page.error === undefined ? 200 : 400, page.title, body.join(''), {
    'set-cookie': setCookie(request, CSRF_COOKIE, csrf, CSRF_SECONDS),
  });
}
