import type { DataPlaneResponse, DeepReadonly } from '@emu/core/service';
import { type DocumentValue, isObject } from '@emu/wire';
import type { BrandingAsset, BrandingRecord, UiRecord } from '../records.ts';
import { json, type SiteRequest } from './site.ts';

/** Customized appearance of pages. */
export interface Appearance {
  css: string;
  /** Data URLs of images. */
  logo?: string;
  favicon?: string;
}

/** Media types of assets by extension. */
const TYPES: Readonly<Record<BrandingAsset['extension'], string>> = {
  ICO: 'image/x-icon',
  JPEG: 'image/jpeg',
  PNG: 'image/png',
  SVG: 'image/svg+xml',
  WEBP: 'image/webp',
};

/** Supported colours: path in the settings, and CSS rule. */
const COLOURS: readonly (readonly [path: readonly string[], rule: (colour: string) => string])[] = [
  [['components', 'pageBackground', 'lightMode', 'color'], (colour) => `body{background-color:${colour}}`],
  [['components', 'form', 'lightMode', 'backgroundColor'], (colour) => `form{background-color:${colour}}`],
  [['components', 'form', 'lightMode', 'borderColor'], (colour) => `form{border:1px solid ${colour}}`],
  [['components', 'pageText', 'lightMode', 'headingColor'], (colour) => `h1{color:${colour}}`],
  [['components', 'pageText', 'lightMode', 'bodyColor'], (colour) => `body{color:${colour}}`],
  [
    ['components', 'primaryButton', 'lightMode', 'defaults', 'backgroundColor'],
    (colour) => `button{background-color:${colour}}`,
  ],
  [['components', 'primaryButton', 'lightMode', 'defaults', 'textColor'], (colour) => `button{color:${colour}}`],
];

/** Returns the appearance for a request's client: of managed login or classic, depending on the pool's domain. */
export function appearanceOf(request: SiteRequest): Appearance {
  const { state, pool, query } = request;
  const clientId = query.get('client_id') ?? '';
  const domain = [...state.domains.values()].find(({ poolId }) => poolId === pool.id);
  if (domain?.managedLoginVersion === 2) {
    const branding = [...state.brandings.values()].find((one) => one.poolId === pool.id && one.clientId === clientId);
    return branding ? managed(branding) : { css: '' };
  }
  const ui = state.ui.get(`${pool.id}/${clientId}`) ?? state.ui.get(`${pool.id}/`);
  return ui ? classic(ui) : { css: '' };
}

const dataUrl = (type: string, data: string): string => `data:${type};base64,${data}`;

function classic({ css = '', image }: DeepReadonly<UiRecord>): Appearance {
  return { css, ...(image && { logo: dataUrl(image.type, image.data) }) };
}

function managed({ settings, assets }: DeepReadonly<BrandingRecord>): Appearance {
  const urlOf = (category: BrandingAsset['category']): string | undefined => {
    const asset = assets.find((one) => one.category === category && one.colorMode !== 'DARK' && one.data !== undefined);
    return asset && dataUrl(TYPES[asset.extension], asset.data!);
  };
  const background = urlOf('PAGE_BACKGROUND');
  const rules = COLOURS.map(([path, rule]) => {
    const colour = settings === undefined ? undefined : colourAt(settings as DocumentValue, path);
    return colour === undefined ? '' : rule(colour);
  });
  if (background !== undefined) rules.push(`body{background-image:url("${background}");background-size:cover}`);
  const logo = urlOf('FORM_LOGO');
  const favicon = urlOf('FAVICON_ICO') ?? urlOf('FAVICON_SVG');
  return { css: rules.join(''), ...(logo !== undefined && { logo }), ...(favicon !== undefined && { favicon }) };
}

/** Returns a colour of the settings: eight hexadecimal digits for red, green, blue and opacity. */
function colourAt(settings: DocumentValue, path: readonly string[]): string | undefined {
  let value: DocumentValue | undefined = settings;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return typeof value === 'string' && /^[0-9a-fA-F]{8}$/.test(value) ? `#${value}` : undefined;
}

/** Serves the image of a UI customization at its public URL. */
export function customImage({ state, pool, query }: SiteRequest): DataPlaneResponse {
  const image = state.ui.get(`${pool.id}/${query.get('client') ?? ''}`)?.image;
  if (!image) return json(404, { message: 'There is no such image.' });
  return {
    status: 200,
    headers: { 'content-type': image.type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
    body: Buffer.from(image.data, 'base64'),
  };
}
