import {
  defined,
  defineProvider,
  identifierOf,
  identifierParts,
  omit,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';
/** Properties with the same name as request members. */
const SETTINGS = [
  'AccessTokenValidity',
  'AllowedOAuthFlows',
  'AllowedOAuthFlowsUserPoolClient',
  'AllowedOAuthScopes',
  'AnalyticsConfiguration',
  'AuthSessionValidity',
  'CallbackURLs',
  'ClientName',
  'DefaultRedirectURI',
  'EnablePropagateAdditionalUserContextData',
  'EnableTokenRevocation',
  'ExplicitAuthFlows',
  'IdTokenValidity',
  'LogoutURLs',
  'PreventUserExistenceErrors',
  'ReadAttributes',
  'RefreshTokenRotation',
  'RefreshTokenValidity',
  'SupportedIdentityProviders',
  'TokenValidityUnits',
  'WriteAttributes',
] as const;

interface ClientProperties extends Properties {
  ClientName?: string;
  UserPoolId: string;
}

const keyOf = (identifier: string) => {
  const [UserPoolId, ClientId] = identifierParts(identifier, 2) as [string, string];
  return { UserPoolId, ClientId };
};

const clientOf = async (identifier: string, ctx: ProviderContext) =>
  (await unless(ctx.call('cognito-idp', 'DescribeUserPoolClient', keyOf(identifier)), GONE))?.UserPoolClient;

/**
 * Clients of user pools.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolclient.html
 */
export const userPoolClient: AnyResourceProvider = defineProvider<ClientProperties>({
  typeName: 'AWS::Cognito::UserPoolClient',
  model,
  handles: [...SETTINGS, 'GenerateSecret', 'UserPoolId'],

  async create(properties, ctx) {
    const { ClientName = ctx.name({ max: 128 }) } = properties;
    const made = await run(ctx, 'cognito-idp', 'CreateUserPoolClient', { ...properties, ClientName });
    return { identifier: identifierOf(properties.UserPoolId, made.UserPoolClient!.ClientId!) };
  },

  async read(identifier, ctx) {
    const found = await clientOf(identifier, ctx);
    if (!found) return undefined;
    const { ClientId, ClientName, ClientSecret, UserPoolId } = found;
    const settings = Object.entries(pick(found, SETTINGS)).filter(
      ([, value]) => typeof value !== 'object' || unlessEmpty(value as object),
    );
    return {
      properties: defined({
        ...Object.fromEntries(settings),
        GenerateSecret: ClientSecret === undefined ? undefined : true,
        UserPoolId: UserPoolId!,
      }),
      attributes: defined({ ClientId, ClientSecret, Name: ClientName }),
    };
  },

  async update(identifier, _previous, desired, ctx) {
    // An update resets missing members to their defaults.
    await run(ctx, 'cognito-idp', 'UpdateUserPoolClient', {
      ...omit(desired, 'GenerateSecret', 'UserPoolId'),
      ...keyOf(identifier),
    });
  },

  async delete(identifier, _properties, ctx) {
    await unless(ctx.call('cognito-idp', 'DeleteUserPoolClient', keyOf(identifier)), GONE);
  },
});
