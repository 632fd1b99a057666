import { copyOf } from '@emu/core/service';
import type { IdentityPool, InputOf, OutputOf } from '@emu/service-types/cognito-identity';
import type { CognitoIdentityContext } from '../context.ts';
import { conflict, invalidParameter } from '../errors.ts';
import { poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Pool, PoolSettings } from '../records.ts';
import { oidcProviderType, samlProviderType } from '../resources.ts';
import { tagging } from '../tags.ts';

const USER_POOL = /^cognito-idp\.([\w-]+)\.amazonaws\.com(?:\.cn)?\/\1_[0-9A-Za-z]+$/;

/**
 * Validates and returns the settings of a request.
 * @throws AwsError `InvalidParameterException`, `ResourceConflictException`
 */
function settingsOf(input: InputOf<'CreateIdentityPool'>): PoolSettings {
  const {
    OpenIdConnectProviderARNs: oidcArns,
    SamlProviderARNs: samlArns,
    CognitoIdentityProviders: userPools,
  } = input;
  const wrongArn =
    oidcArns?.find((arn) => !oidcProviderType.parse(arn)) ?? samlArns?.find((arn) => !samlProviderType.parse(arn));
  if (wrongArn !== undefined) throw invalidParameter(`Invalid ARN of an identity provider: ${wrongArn}`);
  for (const { ProviderName, ClientId } of userPools ?? [])
    if (ProviderName === undefined || ClientId === undefined || !USER_POOL.test(ProviderName))
      throw invalidParameter(
        'Invalid Cognito identity provider: ProviderName and ClientId of a user pool are required.',
      );
  const names = (userPools ?? []).map(({ ProviderName, ClientId }) => `${ProviderName}:${ClientId}`);
  if (new Set(names).size < names.length) throw conflict('The same Cognito identity provider is given twice.');
  return copyOf({
    name: input.IdentityPoolName,
    allowUnauthenticated: input.AllowUnauthenticatedIdentities,
    ...(input.AllowClassicFlow !== undefined && { allowClassicFlow: input.AllowClassicFlow }),
    ...(input.SupportedLoginProviders && { supportedLogins: input.SupportedLoginProviders }),
    ...(input.DeveloperProviderName !== undefined && { developerProvider: input.DeveloperProviderName }),
    ...(oidcArns && { oidcArns }),
    ...(userPools && {
      userPools: userPools.map((one) => ({ ...one, ServerSideTokenCheck: one.ServerSideTokenCheck ?? false })),
    }),
    ...(samlArns && { samlArns }),
  });
}

function describe({ id, settings, tags }: Pool): IdentityPool {
  const { allowClassicFlow, supportedLogins, developerProvider, oidcArns, userPools, samlArns } = settings;
  return copyOf({
    IdentityPoolId: id,
    IdentityPoolName: settings.name,
    AllowUnauthenticatedIdentities: settings.allowUnauthenticated,
    ...(allowClassicFlow !== undefined && { AllowClassicFlow: allowClassicFlow }),
    ...(supportedLogins && { SupportedLoginProviders: supportedLogins }),
    ...(developerProvider !== undefined && { DeveloperProviderName: developerProvider }),
    ...(oidcArns && { OpenIdConnectProviderARNs: oidcArns }),
    ...(userPools && { CognitoIdentityProviders: userPools }),
    ...(samlArns && { SamlProviderARNs: samlArns }),
    IdentityPoolTags: tags,
  });
}

export function CreateIdentityPool(
  input: InputOf<'CreateIdentityPool'>,
  { state }: CognitoIdentityContext,
): OutputOf<'CreateIdentityPool'> {
  const settings = settingsOf(input);
  const tags = tagging.merge(undefined, input.IdentityPoolTags);
  const id = `${state.region}:${state.ids.uuid()}`;
  return describe(state.putPool({ id, settings, tags, roles: {}, roleMappings: {}, tagMappings: {} }));
}

export function DescribeIdentityPool(
  { IdentityPoolId }: InputOf<'DescribeIdentityPool'>,
  ctx: CognitoIdentityContext,
): OutputOf<'DescribeIdentityPool'> {
  return describe(poolOf(IdentityPoolId, ctx));
}

export function UpdateIdentityPool(
  input: InputOf<'UpdateIdentityPool'>,
  ctx: CognitoIdentityContext,
): OutputOf<'UpdateIdentityPool'> {
  const { id, settings: before } = poolOf(input.IdentityPoolId, ctx);
  const { developerProvider = before.developerProvider, ...given } = settingsOf(input);
  if (before.developerProvider !== undefined && developerProvider !== before.developerProvider)
    throw invalidParameter('The developer provider name cannot be changed once it is set.');
  const settings = { ...given, ...(developerProvider !== undefined && { developerProvider }) };
  const tags = input.IdentityPoolTags && tagging.merge(undefined, input.IdentityPoolTags);
  return describe(
    ctx.state.pools.update(id, (draft) => {
      draft.settings = settings;
      if (tags) draft.tags = tags;
    }),
  );
}

export function DeleteIdentityPool(
  { IdentityPoolId }: InputOf<'DeleteIdentityPool'>,
  ctx: CognitoIdentityContext,
): OutputOf<'DeleteIdentityPool'> {
  ctx.state.deletePool(poolOf(IdentityPoolId, ctx).id);
  return {};
}

export function ListIdentityPools(
  input: InputOf<'ListIdentityPools'>,
  { state }: CognitoIdentityContext,
): OutputOf<'ListIdentityPools'> {
  return paging
    .page('ListIdentityPools', input, state.pools.values(), ({ id }) => id)
    .list(({ id, settings }) => ({ IdentityPoolId: id, IdentityPoolName: settings.name }));
}
