import type { DataPlaneResponse } from '@emu/core/service';
import { escaped } from './html.ts';
import type { PortalSite, SiteEndpoint, SiteProduct } from './portal-site.ts';
import { TRY_IT, tryItForm } from './try-it.ts';

/** Supported CSS colours; others are ignored. */
const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]+)$/i;

const STYLE = `body{margin:0;font-family:system-ui,sans-serif;background:var(--background);color:var(--text)}
header{background:var(--header);padding:1rem 2rem}header img{max-height:3rem;vertical-align:middle;margin-right:1rem}
nav{background:var(--navigation);padding:.5rem 2rem}nav a{margin-right:1rem}main{padding:1rem 2rem;max-width:60rem}
a{color:var(--accent)}table{border-collapse:collapse}td,th{border:1px solid;padding:.25rem .5rem;text-align:left}
pre{overflow:auto}.error{color:var(--error)}label{display:block;margin:.5rem 0}`;

/** Location of a portal. */
export interface PortalPlace {
  readonly site: PortalSite;
  /** Path prefix of the portal. */
  readonly base: string;
  /** Whether it is a preview, in which requests cannot be tried. */
  readonly preview: boolean;
  /** Nonce of a page's scripts. */
  readonly nonce: string;
}

/** Loaded with the first page; raw HTML is escaped, and links are limited to web URLs. */
let markdown: { render(text: string): string } | undefined;
async function rendered(text: string): Promise<string> {
  markdown ??= new (await import('markdown-it')).default({ html: false, linkify: false });
  return markdown.render(text);
}

function page({ site, base, nonce }: PortalPlace, status: number, title: string, body: string): DataPlaneResponse {
  const { colors, name, logo } = site;
  const color = (variable: string, value: string): string => (COLOR.test(value) ? `--${variable}:${value};` : '');
  const variables = [
    color('accent', colors.AccentColor),
    color('background', colors.BackgroundColor),
    color('error', colors.ErrorValidationColor),
    color('header', colors.HeaderColor),
    color('navigation', colors.NavigationColor),
    color('text', colors.TextColor),
  ].join('');
  const image = logo === undefined ? '' : `<img src="${escaped(logo)}" alt="">`;
  const links = site.products.map((one) => `<a href="${base}/${one.id}">${escaped(one.name)}</a>`).join('');
  return {
    status,
    ownPage: true,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; connect-src 'self'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>:root{${variables}}${STYLE}</style></head><body><header>${image}<a href="${base}/">${escaped(name)}</a></header><nav>${links}</nav><main>${body}</main></body></html>`,
  };
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<table><tr>${head.map((one) => `<th>${one}</th>`).join('')}</tr>${rows
        .map((row) => `<tr>${row.map((one) => `<td>${escaped(one)}</td>`).join('')}</tr>`)
        .join('')}</table>`;

function home(place: PortalPlace): DataPlaneResponse {
  const { site, base } = place;
  const products = site.products.map(
    ({ id, name, description = '' }) => `<li><a href="${base}/${id}">${escaped(name)}</a> ${escaped(description)}</li>`,
  );
  const about = site.description === undefined ? '' : `<p>${escaped(site.description)}</p>`;
  return page(place, 200, site.name, `<h1>${escaped(site.name)}</h1>${about}<ul>${products.join('')}</ul>`);
}

async function productPage(place: PortalPlace, product: SiteProduct): Promise<DataPlaneResponse> {
  const { base } = place;
  const { id, name, description = '', overview, pages, sections } = product;
  const parts = [`<h1>${escaped(name)}</h1><p>${escaped(description)}</p>`];
  if (overview) parts.push(`<h2>${escaped(overview.title)}</h2>${await rendered(overview.body)}`);
  const linked = pages.map((one) => `<li><a href="${base}/${id}/pages/${one.id}">${escaped(one.title)}</a></li>`);
  if (linked.length > 0) parts.push(`<ul>${linked.join('')}</ul>`);
  for (const section of sections) {
    const endpoints = section.endpoints.map(
      (one) =>
        `<li><a href="${base}/${id}/endpoints/${one.id}">${escaped(one.name)}</a> <code>${escaped(`${one.method} ${one.path}`)}</code></li>`,
    );
    if (endpoints.length > 0) parts.push(`<h2>${escaped(section.name)}</h2><ul>${endpoints.join('')}</ul>`);
  }
  return page(place, 200, name, parts.join(''));
}

async function endpointPage(place: PortalPlace, endpoint: SiteEndpoint): Promise<DataPlaneResponse> {
  const { name, method, url, body, operation } = endpoint;
  const parts = [`<h1>${escaped(name)}</h1><p><code>${escaped(`${method} ${url}`)}</code></p>`];
  if (body !== undefined) parts.push(await rendered(body));
  if (operation) {
    const { summary, description, parameters, responses } = operation;
    for (const text of [summary, description]) if (text) parts.push(`<p>${escaped(text)}</p>`);
    const rows = parameters.map((one) => [one.name, one.place, one.required ? 'yes' : 'no', one.description]);
    parts.push(table(['Parameter', 'In', 'Required', 'Description'], rows));
    const answers = responses.map((one) => [one.status, one.description]);
    parts.push(table(['Status', 'Description'], answers));
  }
  if (endpoint.tryIt && !place.preview)
    parts.push(`${tryItForm(endpoint)}<script nonce="${place.nonce}">${TRY_IT}</script>`);
  return page(place, 200, name, parts.join(''));
}

/**
 * Returns a page of a portal.
 * @param path below the portal's prefix, with leading slash
 */
export async function portalPage(place: PortalPlace, path: string): Promise<DataPlaneResponse> {
  const [id = '', kind, part] = path.split('/').filter((one) => one !== '');
  if (id === '') return home(place);
  const product = place.site.products.find((one) => one.id === id);
  if (product && kind === undefined) return productPage(place, product);
  if (product && kind === 'pages') {
    const found = [product.overview, ...product.pages].find((one) => one?.id === part);
    if (found) return page(place, 200, found.title, `<h1>${escaped(found.title)}</h1>${await rendered(found.body)}`);
  }
  if (product && kind === 'endpoints') {
    const found = product.sections.flatMap(({ endpoints }) => endpoints).find((one) => one.id === part);
    if (found) return endpointPage(place, found);
  }
  return page(place, 404, 'Not Found', '<h1>Not Found</h1><p class="error">This portal has no such page.</p>');
}
