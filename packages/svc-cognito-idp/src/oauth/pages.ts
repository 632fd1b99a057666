import type { DataPlaneResponse } from '@emu/core/service';
import { appearanceOf } from './appearance.ts';
import { CSRF_COOKIE, type SiteRequest, setCookie } from './site.ts';

/** Escapes text for HTML. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE =
  'body{font:16px system-ui;max-width:24rem;margin:4rem auto;padding:0 1rem}input,button{display:block;width:100%;box-sizing:border-box;margin:.25rem 0 1rem;padding:.5rem;font:inherit}.error{color:#a00}.logo{max-width:100%}';

/** A form field. */
export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'password' | 'email';
  /** Initial value. */
  value?: string;
}

/** A link on a page, for example to another provider's sign-in. */
export interface Link {
  label: string;
  href: string;
  /** Whether it leads to an identity provider. */
  isProvider?: boolean;
}

/** A page with a form. */
export interface Page {
  title: string;
  /** Form target path with its query. */
  action: string;
  fields: readonly Field[];
  button: string;
  /** Second button, which sends its name as `action`. */
  otherButton?: { name: string; label: string } | undefined;
  hidden?: Readonly<Record<string, string>>;
  /** Error of the previous step, or a notice. */
  error?: string | undefined;
  note?: string | undefined;
  links?: readonly Link[];
  /** Script that fills in the form and submits it when its button is pressed. */
  script?: string;
}

const CSRF_SECONDS = 3600;

function html(
  request: SiteRequest,
  status: number,
  title: string,
  body: string,
  headers: Record<string, string | string[]> = {},
  script?: string,
): DataPlaneResponse {
  const { css, logo, favicon } = appearanceOf(request);
  const nonce = script === undefined ? undefined : request.state.ids.hex(32);
  const image = logo === undefined ? '' : `<img class="logo logo-customizable" alt="" src="${escaped(logo)}">`;
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "frame-ancestors 'none'",
    ...(nonce === undefined ? [] : [`script-src 'nonce-${nonce}'`]),
  ];
  return {
    status,
    ownPage: true,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: [
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>`,
      favicon === undefined ? '' : `<link rel="icon" href="${escaped(favicon)}">`,
      `<style>${STYLE}</style><style>${css}</style></head>`,
      `<body class="background-customizable"><div class="banner-customizable">${image}</div>`,
      `<h1 class="textDescription-customizable">${escaped(title)}</h1>${body}`,
      script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`,
      '</body></html>',
    ].join(''),
  };
}

/** Returns a page with a request error. */
export const errorPage = (request: SiteRequest, title: string, text: string, status = 400): DataPlaneResponse =>
  html(request, status, title, `<p class="error errorMessage-customizable">${escaped(text)}</p>`);

/** Returns a page with a message. */
export const messagePage = (request: SiteRequest, title: string, text: string): DataPlaneResponse =>
  html(request, 200, title, `<p>${escaped(text)}</p>`);

/** Returns a page with links. */
export const linksPage = (request: SiteRequest, title: string, links: readonly Link[]): DataPlaneResponse =>
  html(request, 200, title, listed(links));

const listed = (links: readonly Link[]): string =>
  links
    .map(
      ({ label, href, isProvider }) =>
        `<p><a class="${isProvider ? 'idpButton-customizable' : 'redirect-customizable'}" href="${escaped(href)}">${escaped(label)}</a></p>`,
    )
    .join('');

/** Returns a page whose form is submitted to another site by script, as in SAML's POST binding. */
export function forwardPage(
  request: SiteRequest,
  action: string,
  hidden: Readonly<Record<string, string>>,
): DataPlaneResponse {
  const inputs = Object.entries(hidden).map(([name, value]) => hiddenInput(name, value));
  const form = `<form method="post" action="${escaped(action)}">${inputs.join('')}<button type="submit">Continue</button></form>`;
  return html(request, 200, 'Continue', form, {}, 'document.forms[0].submit();');
}

const hiddenInput = (name: string, value: string): string =>
  `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`;

/** Returns a page with a form protected against cross-site requests. */
export function formPage(request: SiteRequest, page: Page): DataPlaneResponse {
  const csrf = request.state.ids.hex(32);
  const { otherButton } = page;
  const body = [
    page.error === undefined
      ? ''
      : `<p class="error errorMessage-customizable" role="alert">${escaped(page.error)}</p>`,
    page.note === undefined ? '' : `<p>${escaped(page.note)}</p>`,
    `<form method="post" action="${escaped(page.action)}">`,
    ...Object.entries({ _csrf: csrf, ...page.hidden }).map(([name, value]) => hiddenInput(name, value)),
    ...page.fields.map(
      ({ name, label, type = 'text', value }) =>
        `<label class="label-customizable">${escaped(label)}<input class="inputField-customizable" name="${escaped(name)}" type="${type}"${value === undefined ? '' : ` value="${escaped(value)}"`} required></label>`,
    ),
    `<button class="submitButton-customizable" type="submit">${escaped(page.button)}</button>`,
    otherButton
      ? `<button type="submit" formnovalidate name="action" value="${escaped(otherButton.name)}">${escaped(otherButton.label)}</button>`
      : '',
    '</form>',
    listed(page.links ?? []),
  ];
  const headers = { 'set-cookie': setCookie(request, CSRF_COOKIE, csrf, CSRF_SECONDS) };
  return html(request, page.error === undefined ? 200 : 400, page.title, body.join(''), headers, page.script);
}
