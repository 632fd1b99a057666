import type { InputOf, OutputOf, UICustomizationType } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { clientIn, poolOf } from '../lookup.ts';
import type { Pool, UiRecord } from '../records.ts';

/** Client id that stands for all clients. */
const ALL = 'ALL';
const MAX_BYTES = 100 * 1024;

/**
 * CSS classes that can be customized.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/hosted-ui-classic-branding.html
 */
const CLASSES: ReadonlySet<string> = new Set([
  'background-customizable',
  'banner-customizable',
  'errorMessage-customizable',
  'idpButton-customizable',
  'idpDescription-customizable',
  'inputField-customizable',
  'label-customizable',
  'legalText-customizable',
  'logo-customizable',
  'passwordCheck-notValid-customizable',
  'passwordCheck-valid-customizable',
  'redirect-customizable',
  'socialButton-customizable',
  'submitButton-customizable',
  'textDescription-customizable',
]);

const TYPES: readonly (readonly [beginning: readonly number[], type: string])[] = [
  [[0x89, 0x50, 0x4e, 0x47], 'image/png'],
  [[0xff, 0xd8, 0xff], 'image/jpeg'],
];

function describe(ui: Readonly<UiRecord>, { endpoint }: CognitoIdpContext): UICustomizationType {
  return {
    UserPoolId: ui.poolId,
    ClientId: ui.clientId || ALL,
    ...(ui.css !== undefined && { CSS: ui.css }),
    CSSVersion: ui.cssVersion,
    ...(ui.image && { ImageUrl: `${endpoint}/${ui.poolId}/ui/image?client=${ui.clientId}` }),
    CreationDate: new Date(ui.createdAt),
    LastModifiedDate: new Date(ui.updatedAt),
  };
}

/**
 * Returns the client id of a request, empty for all.
 * @throws AwsError `ResourceNotFoundException`
 */
function clientOf(pool: Pool, id: string | undefined, { state }: CognitoIdpContext): string {
  return id === undefined || id === ALL ? '' : clientIn(pool, id, state).id;
}

/**
 * Validates CSS.
 * @throws AwsError `InvalidParameterException` for CSS with other classes
 */
function checkCss(css: string): void {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '');
  if (/[<@\\]|url\s*\(|expression\s*\(|javascript:/i.test(rules))
    throw invalidParameter('The CSS contains a rule that is not allowed.');
  const rest = rules.replace(/([^{}]*)\{[^{}]*\}/g, (_, selectors: string) => {
    for (const selector of selectors.split(',')) {
      const [, name] =
        /^\s*\.([\w-]+)(?::(?:hover|focus|active|disabled|placeholder|:placeholder))*\s*$/.exec(selector) ?? [];
      if (name === undefined || !CLASSES.has(name))
        throw invalidParameter(`The CSS class ${selector.trim()} is not allowed.`);
    }
    return '';
  });
  if (rest.trim() !== '') throw invalidParameter('The CSS is not well formed.');
}

function imageOf(bytes: Uint8Array): NonNullable<UiRecord['image']> {
  if (bytes.length > MAX_BYTES) throw invalidParameter('The image must not be larger than 100 KB.');
  const [, type] = TYPES.find(([beginning]) => beginning.every((byte, at) => bytes[at] === byte)) ?? [];
  if (type === undefined) throw invalidParameter('The image must be a PNG or JPEG file.');
  return { type, data: Buffer.from(bytes).toString('base64') };
}

export function SetUICustomization(
  input: InputOf<'SetUICustomization'>,
  ctx: CognitoIdpContext,
): OutputOf<'SetUICustomization'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  const clientId = clientOf(pool, input.ClientId, ctx);
  if (![...state.domains.values()].some(({ poolId }) => poolId === pool.id))
    throw invalidParameter('There has to be an existing domain associated with this user pool');
  const { CSS: css, ImageFile: image } = input;
  if (css !== undefined) checkCss(css);
  const now = state.clock.now();
  const key = `${pool.id}/${clientId}`;
  const existing = state.ui.get(key);
  const ui: UiRecord = {
    poolId: pool.id,
    clientId,
    ...(css !== undefined && { css }),
    cssVersion: new Date(now).toISOString().replace(/\D/g, '').slice(0, 14),
    ...(image && image.length > 0 && { image: imageOf(image) }),
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
  };
  return { UICustomization: describe(state.ui.put(key, ui), ctx) };
}

export function GetUICustomization(
  input: InputOf<'GetUICustomization'>,
  ctx: CognitoIdpContext,
): OutputOf<'GetUICustomization'> {
  const pool = poolOf(input, ctx);
  const clientId = clientOf(pool, input.ClientId, ctx);
  const { ui } = ctx.state;
  // Clients without a customization use the pool's.
  const found = ui.get(`${pool.id}/${clientId}`) ?? ui.get(`${pool.id}/`);
  return { UICustomization: found ? describe(found, ctx) : {} };
}
