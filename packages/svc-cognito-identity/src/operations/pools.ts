import { copyOf } from '@emu/core';
import type { CognitoIdentityOperations, IdentityPool } from '@emu/service-types/cognito-identity';
import { conflict, invalid, poolNotFound } from '../errors.ts';
import { type IdentityContext, poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Pool, PoolSettings } from '../records.ts';
import { oidcProviderType, poolType, samlProviderType } from '../resources.ts';
import { tagging } from '../tags.ts';

type Operations = CognitoIdentityOperations;

const USER_POOL = /^cognito-idp\.([\w-]+)\.amazonaws\.com(?:\.cn)?\/\1_[0-9A-Za-z]+$/;

/** The settings of a request, checked. @throws AwsError `InvalidParameterException`, `ResourceConflictException` */
function settingsOf(input: Operations['CreateIdentityPool']['input']): PoolSettings {
  const {
    OpenIdConnectProviderARNs: oidcArns,
    SamlProviderARNs: samlArns,
    CognitoIdentityProviders: userPools,
  } = input;
  const wrongArn =
    oidcArns?.find((arn) => !oidcProviderType.parse(arn)) ?? samlArns?.find((arn) => !samlProviderType.parse(arn));
  if (wrongArn !== undefined) throw invalid(`Invalid ARN of an identity provider: ${wrongArn}`);
  for (const { ProviderName, ClientId } of userPools ?? [])
    if (ProviderName === undefined || ClientId === undefined || !USER_POOL.test(ProviderName))
      throw invalid('Invalid Cognito identity provider: ProviderName and ClientId of a user pool are required.');
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
  input: Operations['CreateIdentityPool']['input'],
  { state }: IdentityContext,
): Operations['CreateIdentityPool']['output'] {
  const settings = settingsOf(input);
  const tags = tagging.merge(undefined, input.IdentityPoolTags);
  const id = `${state.region}:${state.ids.uuid()}`;
  return describe(state.putPool({ id, settings, tags, roles: {}, roleMappings: {}, tagMappings: {} }));
}

export function DescribeIdentityPool(
  { IdentityPoolId }: Operations['DescribeIdentityPool']['input'],
  ctx: IdentityContext,
): Operations['DescribeIdentityPool']['output'] {
  return describe(poolOf(IdentityPoolId, ctx));
}

export function UpdateIdentityPool(
  input: Operations['UpdateIdentityPool']['input'],
  ctx: IdentityContext,
): Operations['UpdateIdentityPool']['output'] {
  const { id, settings: before } = poolOf(input.IdentityPoolId, ctx);
  const settings = settingsOf(input);
  if (before.developerProvider !== undefined && settings.developerProvider !== before.developerProvider)
    throw invalid('The developer provider name cannot be changed once it is set.');
  const tags = input.IdentityPoolTags && tagging.merge(undefined, input.IdentityPoolTags);
  return describe(
    ctx.state.pools.update(id, (draft) => {
      draft.settings = settings;
      if (tags) draft.tags = tags;
    }),
  );
}

export function DeleteIdentityPool(
  { IdentityPoolId }: Operations['DeleteIdentityPool']['input'],
  ctx: IdentityContext,
): Operations['DeleteIdentityPool']['output'] {
  ctx.state.deletePool(poolOf(IdentityPoolId, ctx).id);
  return {};
}

export function ListIdentityPools(
  input: Operations['ListIdentityPools']['input'],
  { state }: IdentityContext,
): Operations['ListIdentityPools']['output'] {
  return paging
    .page('ListIdentityPools', input, state.pools.values(), ({ id }) => id)
    .list(({ id, settings }) => ({ IdentityPoolId: id, IdentityPoolName: settings.name }));
}

/** The pool of an ARN. @throws AwsError `InvalidParameterException`, `ResourceNotFoundException` */
function poolOfArn(arn: string, ctx: IdentityContext): Pool {
  const address = poolType.parse(arn);
  if (!address) throw invalid('Invalid ARN of an identity pool.');
  const pool = poolType.locate(ctx.handle, address) && ctx.state.pools.get(address.key.id);
  if (!pool) throw poolNotFound(address.key.id);
  return pool;
}

export function TagResource(
  { ResourceArn, Tags }: Operations['TagResource']['input'],
  ctx: IdentityContext,
): Operations['TagResource']['output'] {
  const { id, tags } = poolOfArn(ResourceArn, ctx);
  const merged = tagging.merge(tags, Tags);
  ctx.state.pools.update(id, (draft) => {
    draft.tags = merged;
  });
  return {};
}

export function UntagResource(
  { ResourceArn, TagKeys }: Operations['UntagResource']['input'],
  ctx: IdentityContext,
): Operations['UntagResource']['output'] {
  const { id } = poolOfArn(ResourceArn, ctx);
  ctx.state.pools.update(id, (draft) => {
    for (const key of TagKeys) delete draft.tags[key];
  });
  return {};
}

export function ListTagsForResource(
  { ResourceArn }: Operations['ListTagsForResource']['input'],
  ctx: IdentityContext,
): Operations['ListTagsForResource']['output'] {
  return { Tags: { ...poolOfArn(ResourceArn, ctx).tags } };
}
