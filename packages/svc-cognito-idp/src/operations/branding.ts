import type { AssetType, InputOf, ManagedLoginBrandingType, OutputOf } from '@emu/service-types/cognito-idp';
import { isObject } from '@emu/wire';
import type { CognitoIdpContext } from '../context.ts';
import {
  brandingExists,
  invalidParameter,
  limitExceeded,
  notFound,
  settingNotImplemented,
  unavailableInTier,
} from '../errors.ts';
import { clientIn, poolOf } from '../lookup.ts';
import type { BrandingAsset, BrandingRecord, Pool } from '../records.ts';

type Branding = Readonly<BrandingRecord>;

const MAX_ASSETS = 40;
const MAX_BYTES = 2 * 1024 * 1024;

function describe(branding: Branding): ManagedLoginBrandingType {
  return {
    ManagedLoginBrandingId: branding.id,
    UserPoolId: branding.poolId,
    UseCognitoProvidedValues: branding.provided,
    ...(branding.settings !== undefined && { Settings: structuredClone(branding.settings) }),
    Assets: branding.assets.map(({ category, colorMode, extension, data, resourceId }) => ({
      Category: category,
      ColorMode: colorMode,
      Extension: extension,
      ...(data !== undefined && { Bytes: Buffer.from(data, 'base64') }),
      ...(resourceId !== undefined && { ResourceId: resourceId }),
    })),
    CreationDate: new Date(branding.createdAt),
    LastModifiedDate: new Date(branding.updatedAt),
  };
}

type Style = Pick<InputOf<'CreateManagedLoginBranding'>, 'UseCognitoProvidedValues' | 'Settings' | 'Assets'>;

/**
 * Validates and returns the style in a request.
 * @throws AwsError for invalid styles
 */
function styleOf({
  UseCognitoProvidedValues,
  Settings,
  Assets = [],
}: Style): Omit<BrandingRecord, 'id' | 'poolId' | 'clientId' | 'createdAt' | 'updatedAt'> {
  const provided = UseCognitoProvidedValues ?? false;
  if (provided && (Settings !== undefined || Assets.length > 0))
    throw invalidParameter('Settings and Assets cannot be given when UseCognitoProvidedValues is true.');
  if (Settings !== undefined && !isObject(Settings)) throw invalidParameter('Settings must be a JSON object.');
  if (Assets.length > MAX_ASSETS) throw limitExceeded(`A style cannot have more than ${MAX_ASSETS} assets.`);
  const assets = Assets.map(assetOf);
  if (new Set(assets.map(placeOf)).size < assets.length)
    throw invalidParameter('Each category of assets can have one file for each color mode.');
  return { provided, ...(Settings !== undefined && { settings: structuredClone(Settings) }), assets };
}

/** Returns the category and color mode of an asset as a key. */
const placeOf = ({ category, colorMode }: Readonly<BrandingAsset>): string => `${category} ${colorMode}`;

function assetOf({ Category, ColorMode, Extension, Bytes, ResourceId }: AssetType): BrandingAsset {
  if ((Bytes === undefined) === (ResourceId === undefined))
    throw invalidParameter('An asset must have either Bytes or ResourceId.');
  if (Bytes && Bytes.length > MAX_BYTES) throw invalidParameter('An asset must not be larger than 2 MB.');
  return {
    category: Category,
    colorMode: ColorMode,
    extension: Extension,
    ...(Bytes && { data: Buffer.from(Bytes).toString('base64') }),
    ...(ResourceId !== undefined && { resourceId: ResourceId }),
  };
}

/**
 * Rejects requests for merged resources.
 * @throws AwsError 501, as they would need Cognito's default style, which is not documented
 */
function refuseMerged(merged: boolean | undefined): void {
  if (merged) throw settingNotImplemented('ReturnMergedResources');
}

const inPool = (pool: Pool, { state }: CognitoIdpContext): Branding[] =>
  [...state.brandings.values()].filter(({ poolId }) => poolId === pool.id) as Branding[];

/**
 * Returns the style of a request.
 * @throws AwsError `ResourceNotFoundException`
 */
function brandingOf(pool: Pool, id: string | undefined, { state }: CognitoIdpContext): Branding {
  const branding = id === undefined ? undefined : state.brandings.get(id);
  if (branding?.poolId !== pool.id) throw notFound(`Managed login branding ${id ?? ''} does not exist.`);
  return branding as Branding;
}

export function CreateManagedLoginBranding(
  input: InputOf<'CreateManagedLoginBranding'>,
  ctx: CognitoIdpContext,
): OutputOf<'CreateManagedLoginBranding'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  if (pool.settings.UserPoolTier === 'LITE')
    throw unavailableInTier('Managed login is not available in the LITE feature plan.');
  const client = clientIn(pool, input.ClientId, state);
  const style = styleOf(input);
  if (inPool(pool, ctx).some(({ clientId }) => clientId === client.id))
    throw brandingExists('A managed login branding style already exists for the client.');
  const now = state.clock.now();
  const branding: BrandingRecord = {
    id: state.ids.uuid(),
    poolId: pool.id,
    clientId: client.id,
    ...style,
    createdAt: now,
    updatedAt: now,
  };
  return { ManagedLoginBranding: describe(state.brandings.put(branding.id, branding) as Branding) };
}

export function DescribeManagedLoginBranding(
  input: InputOf<'DescribeManagedLoginBranding'>,
  ctx: CognitoIdpContext,
): OutputOf<'DescribeManagedLoginBranding'> {
  const branding = brandingOf(poolOf(input, ctx), input.ManagedLoginBrandingId, ctx);
  refuseMerged(input.ReturnMergedResources);
  return { ManagedLoginBranding: describe(branding) };
}

export function DescribeManagedLoginBrandingByClient(
  input: InputOf<'DescribeManagedLoginBrandingByClient'>,
  ctx: CognitoIdpContext,
): OutputOf<'DescribeManagedLoginBrandingByClient'> {
  const pool = poolOf(input, ctx);
  const client = clientIn(pool, input.ClientId, ctx.state);
  const branding = inPool(pool, ctx).find(({ clientId }) => clientId === client.id);
  if (!branding) throw notFound('There is no managed login branding style for the client.');
  refuseMerged(input.ReturnMergedResources);
  return { ManagedLoginBranding: describe(branding) };
}

export function UpdateManagedLoginBranding(
  input: InputOf<'UpdateManagedLoginBranding'>,
  ctx: CognitoIdpContext,
): OutputOf<'UpdateManagedLoginBranding'> {
  const { UserPoolId } = input;
  if (UserPoolId === undefined) throw invalidParameter('UserPoolId is required.');
  const existing = brandingOf(poolOf({ UserPoolId }, ctx), input.ManagedLoginBrandingId, ctx);
  const style = styleOf(input);
  const changed = ctx.state.brandings.update(existing.id, (draft) => {
    draft.provided = style.provided;
    if (style.provided) delete draft.settings;
    if (style.settings !== undefined) draft.settings = style.settings;
    // Large styles are sent in several requests: assets of other categories stay.
    const places = new Set(style.assets.map(placeOf));
    const left = style.provided ? [] : draft.assets.filter((asset) => !places.has(placeOf(asset)));
    draft.assets = [...left, ...style.assets];
    draft.updatedAt = ctx.clock.now();
  });
  return { ManagedLoginBranding: describe(changed as Branding) };
}

export function DeleteManagedLoginBranding(
  input: InputOf<'DeleteManagedLoginBranding'>,
  ctx: CognitoIdpContext,
): OutputOf<'DeleteManagedLoginBranding'> {
  const { id } = brandingOf(poolOf(input, ctx), input.ManagedLoginBrandingId, ctx);
  ctx.state.brandings.delete(id);
  return {};
}
