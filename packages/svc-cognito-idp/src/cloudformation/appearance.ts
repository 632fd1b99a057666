import {
  ask,
  defined,
  defineProvider,
  differs,
  identifierOf,
  type Properties,
  run,
  sameValue,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = ['ResourceNotFoundException'];

interface ClientProperties extends Properties {
  readonly ClientId: string;
  readonly UserPoolId: string;
}

interface BrandingProperties extends Properties {
  readonly Assets?: readonly Properties[];
  readonly ClientId?: string;
  readonly Settings?: unknown;
  readonly UseCognitoProvidedValues?: boolean;
  readonly UserPoolId: string;
}

interface LogProperties extends Properties {
  readonly LogConfigurations?: readonly Properties[];
  readonly UserPoolId: string;
}

/**
 * Appearance of the classic hosted pages, for one client or all.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpooluicustomizationattachment.html
 */
export const uiCustomization: AnyResourceProvider = defineProvider<ClientProperties>({
  typeName: 'AWS::Cognito::UserPoolUICustomizationAttachment',
  model,
  service: 'cognito-idp',
  handles: ['CSS', 'ClientId', 'UserPoolId'],
  key: ['UserPoolId', 'ClientId'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'cognito-idp', 'SetUICustomization', properties);
    return identifierOf(properties.UserPoolId, properties.ClientId);
  },

  async find(key, ctx) {
    const found = (await ask(ctx, 'cognito-idp', 'GetUICustomization', key)).UICustomization as Properties;
    const isEmpty = found.CSS === '' && found.ImageUrl === undefined;
    return found.ClientId === key.ClientId && !isEmpty ? found : undefined;
  },

  describe: ({ CSS }, key) => ({ properties: defined({ ...key, CSS: CSS || undefined }), attributes: {} }),
  update: (key, _previous, { CSS }, ctx) => run(ctx, 'cognito-idp', 'SetUICustomization', { ...key, CSS }),
  // No operation deletes a customization; an empty one has the same effect.
  remove: (key, _properties, ctx) => run(ctx, 'cognito-idp', 'SetUICustomization', { ...key, CSS: '' }),
});

/** Returns an asset in template form, with its bytes as text. */
const assetOut = ({ Bytes, ...asset }: Properties): Properties =>
  defined({ ...asset, Bytes: Bytes && Buffer.from(Bytes as Uint8Array).toString('base64') });

const placeOf = ({ Category, ColorMode }: Properties): string => `${Category} ${ColorMode}`;

/** Changes a style. An update can only add assets; to remove some, the style is first reset to AWS's default. */
async function changeStyle(
  key: Properties,
  previous: BrandingProperties,
  { Assets = [], Settings, UseCognitoProvidedValues = false }: BrandingProperties,
  ctx: ProviderContext,
): Promise<void> {
  const places = new Set(Assets.map(placeOf));
  const isGone = previous.Assets?.some((asset) => !places.has(placeOf(asset)));
  const isReset = UseCognitoProvidedValues || isGone || (previous.Settings !== undefined && Settings === undefined);
  if (isReset) await run(ctx, 'cognito-idp', 'UpdateManagedLoginBranding', { ...key, UseCognitoProvidedValues: true });
  if (UseCognitoProvidedValues) return;
  const style = { Settings, UseCognitoProvidedValues, Assets: unlessEmpty(Assets) };
  await run(ctx, 'cognito-idp', 'UpdateManagedLoginBranding', { ...key, ...style });
}

/**
 * Appearance of managed login for a client.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-managedloginbranding.html
 */
export const managedLoginBranding: AnyResourceProvider = defineProvider<BrandingProperties>({
  typeName: 'AWS::Cognito::ManagedLoginBranding',
  model,
  service: 'cognito-idp',
  handles: ['Assets', 'ClientId', 'Settings', 'UseCognitoProvidedValues', 'UserPoolId'],
  key: ['UserPoolId', 'ManagedLoginBrandingId'],
  gone: GONE,

  async create(properties, ctx) {
    const made = await run(ctx, 'cognito-idp', 'CreateManagedLoginBranding', properties);
    const { ManagedLoginBrandingId } = made.ManagedLoginBranding!;
    const identifier = identifierOf(properties.UserPoolId, ManagedLoginBrandingId!);
    return { identifier, attributes: { ManagedLoginBrandingId } };
  },

  find: async (key, ctx) =>
    (await ask(ctx, 'cognito-idp', 'DescribeManagedLoginBranding', key)).ManagedLoginBranding as Properties,

  describe: ({ Assets, Settings, UseCognitoProvidedValues }, key, _ctx, applied) => ({
    properties: defined({
      Assets: unlessEmpty((Assets as Properties[] | undefined)?.map(assetOut)),
      // Responses of the service do not contain the client id.
      ClientId: applied?.ClientId,
      Settings,
      UseCognitoProvidedValues,
      UserPoolId: key.UserPoolId,
    }),
    attributes: { ManagedLoginBrandingId: key.ManagedLoginBrandingId },
  }),

  async update(key, previous, desired, ctx) {
    if (differs(previous, desired, 'Assets', 'Settings', 'UseCognitoProvidedValues'))
      await changeStyle(key, previous, desired, ctx);
  },

  remove: 'DeleteManagedLoginBranding',
});

const setLogs = ({ LogConfigurations = [], UserPoolId }: LogProperties, ctx: ProviderContext) =>
  run(ctx, 'cognito-idp', 'SetLogDeliveryConfiguration', { LogConfigurations, UserPoolId });

/**
 * Log destinations of a user pool.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-logdeliveryconfiguration.html
 */
export const logDelivery: AnyResourceProvider = defineProvider<LogProperties>({
  typeName: 'AWS::Cognito::LogDeliveryConfiguration',
  model,
  service: 'cognito-idp',
  handles: ['LogConfigurations', 'UserPoolId'],
  key: ['UserPoolId'],
  gone: GONE,

  async create(properties, ctx) {
    await setLogs(properties, ctx);
    return { identifier: properties.UserPoolId, attributes: { Id: properties.UserPoolId } };
  },

  async find(key, ctx) {
    const found = (await ask(ctx, 'cognito-idp', 'GetLogDeliveryConfiguration', key)).LogDeliveryConfiguration;
    const { LogConfigurations } = (found ?? {}) as LogProperties;
    return LogConfigurations?.length ? { LogConfigurations } : undefined;
  },

  describe: ({ LogConfigurations }, { UserPoolId }) => ({
    properties: { LogConfigurations, UserPoolId },
    attributes: { Id: UserPoolId },
  }),

  async update(_key, previous, desired, ctx) {
    if (!sameValue(previous.LogConfigurations, desired.LogConfigurations)) await setLogs(desired, ctx);
  },

  remove: ({ UserPoolId }, _properties, ctx) => setLogs({ UserPoolId: UserPoolId! }, ctx),
});
