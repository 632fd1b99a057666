import {
  ask,
  defined,
  defineProvider,
  identifierOf,
  type Properties,
  pick,
  run,
  sameValue,
  type TemplateTag,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { poolType } from '../resources.ts';

const GONE = ['ResourceNotFoundException'];
const SETTINGS = [
  'AllowClassicFlow',
  'AllowUnauthenticatedIdentities',
  'CognitoIdentityProviders',
  'DeveloperProviderName',
  'OpenIdConnectProviderARNs',
  'SamlProviderARNs',
  'SupportedLoginProviders',
] as const;

interface PoolProperties extends Properties {
  IdentityPoolName?: string;
  IdentityPoolTags?: readonly TemplateTag[];
}

interface RoleMapping extends Properties {
  IdentityProvider?: string;
}

interface RoleProperties extends Properties {
  IdentityPoolId: string;
  RoleMappings?: Readonly<Record<string, RoleMapping>>;
  Roles?: Readonly<Record<string, string>>;
}

interface PrincipalTagProperties extends Properties {
  IdentityPoolId: string;
  IdentityProviderName: string;
}

/**
 * Identity pools.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-identitypool.html
 */
export const identityPool: AnyResourceProvider = defineProvider<PoolProperties>({
  typeName: 'AWS::Cognito::IdentityPool',
  model,
  service: 'cognito-identity',
  handles: [...SETTINGS, 'IdentityPoolName', 'IdentityPoolTags'],
  key: ['IdentityPoolId'],
  gone: GONE,

  async create({ IdentityPoolName, IdentityPoolTags, ...settings }, ctx) {
    const made = await run(ctx, 'cognito-identity', 'CreateIdentityPool', {
      ...settings,
      // Pool names cannot contain hyphens.
      IdentityPoolName: IdentityPoolName ?? ctx.name({ max: 128 }).replaceAll('-', '_'),
      IdentityPoolTags: tagMap(IdentityPoolTags),
    });
    return { identifier: made.IdentityPoolId, attributes: { Id: made.IdentityPoolId, Name: made.IdentityPoolName } };
  },

  find: (key, ctx) => ask(ctx, 'cognito-identity', 'DescribeIdentityPool', key),

  describe(found, { IdentityPoolId }) {
    const settings = Object.entries(pick(found, SETTINGS)).filter(
      ([, value]) => typeof value !== 'object' || unlessEmpty(value as object),
    );
    return {
      properties: defined({
        ...Object.fromEntries(settings),
        IdentityPoolName: found.IdentityPoolName,
        IdentityPoolTags: tagList(found.IdentityPoolTags as Record<string, string> | undefined),
      }),
      attributes: { Id: IdentityPoolId, Name: found.IdentityPoolName },
    };
  },

  async update(key, previous, desired, ctx) {
    const settings = ['IdentityPoolName', ...SETTINGS] as const;
    if (!sameValue(pick(previous, settings), pick(desired, settings))) {
      const found = await ask(ctx, 'cognito-identity', 'DescribeIdentityPool', key);
      // An update replaces the whole pool, so settings absent from the template are repeated.
      await run(ctx, 'cognito-identity', 'UpdateIdentityPool', {
        ...pick(found, ['DeveloperProviderName', 'IdentityPoolName', 'IdentityPoolTags']),
        ...pick(desired, settings),
        ...key,
      });
    }
    const arn = poolType.arn({ id: key.IdentityPoolId! }, ctx);
    await changeTagsOf(arn, { Tags: previous.IdentityPoolTags }, { Tags: desired.IdentityPoolTags }, ctx);
  },

  remove: 'DeleteIdentityPool',
  list: {
    operation: 'ListIdentityPools',
    input: () => ({ MaxResults: 60 }),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ IdentityPools }: { IdentityPools?: { IdentityPoolId: string }[] }) =>
      IdentityPools?.map(({ IdentityPoolId }) => IdentityPoolId),
  },
});

/** Mappings are keyed by provider. A mapping without a provider uses its key in the template. */
const mappingsIn = (mappings: RoleProperties['RoleMappings']): Properties | undefined =>
  mappings &&
  Object.fromEntries(
    Object.entries(mappings).map(([name, { IdentityProvider = name, ...mapping }]) => [IdentityProvider, mapping]),
  );

/** Returns the mappings under their keys in the template. */
function mappingsOut(found: unknown, applied: RoleProperties['RoleMappings'] = {}): Properties | undefined {
  const names = new Map(
    Object.entries(applied).map(([name, { IdentityProvider = name }]): [string, [string, boolean]] => [
      IdentityProvider,
      [name, 'IdentityProvider' in applied[name]!],
    ]),
  );
  const all = Object.entries((found ?? {}) as Record<string, Properties>).map(([IdentityProvider, mapping]) => {
    const [name, said] = names.get(IdentityProvider) ?? [IdentityProvider, false];
    return [name, { ...mapping, ...(said && { IdentityProvider }) }];
  });
  return unlessEmpty(Object.fromEntries(all) as Properties);
}

/**
 * Roles of the identities of a pool.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-identitypoolroleattachment.html
 */
export const roleAttachment: AnyResourceProvider = defineProvider<RoleProperties>({
  typeName: 'AWS::Cognito::IdentityPoolRoleAttachment',
  model,
  service: 'cognito-identity',
  handles: ['IdentityPoolId', 'RoleMappings', 'Roles'],
  key: ['IdentityPoolId'],
  gone: GONE,

  async create({ IdentityPoolId, RoleMappings, Roles = {} }, ctx) {
    const input = { IdentityPoolId, RoleMappings: mappingsIn(RoleMappings), Roles };
    await run(ctx, 'cognito-identity', 'SetIdentityPoolRoles', input);
    return { identifier: IdentityPoolId, attributes: { Id: IdentityPoolId } };
  },

  async find(key, ctx) {
    const found = await ask(ctx, 'cognito-identity', 'GetIdentityPoolRoles', key);
    const { Roles, RoleMappings } = found;
    return unlessEmpty(Roles as Properties | undefined) || unlessEmpty(RoleMappings as Properties | undefined)
      ? found
      : undefined;
  },

  describe: ({ Roles, RoleMappings }, { IdentityPoolId }, _ctx, applied) => ({
    properties: defined({
      IdentityPoolId,
      RoleMappings: mappingsOut(RoleMappings, applied?.RoleMappings),
      Roles: unlessEmpty(Roles as Properties | undefined),
    }),
    attributes: { Id: IdentityPoolId },
  }),

  update: (key, _previous, { RoleMappings, Roles = {} }, ctx) =>
    run(ctx, 'cognito-identity', 'SetIdentityPoolRoles', { RoleMappings: mappingsIn(RoleMappings), Roles, ...key }),

  remove: (key, _properties, ctx) =>
    run(ctx, 'cognito-identity', 'SetIdentityPoolRoles', { ...key, Roles: {}, RoleMappings: {} }),
});

/**
 * Mappings of token claims to session tags.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-identitypoolprincipaltag.html
 */
export const principalTag: AnyResourceProvider = defineProvider<PrincipalTagProperties>({
  typeName: 'AWS::Cognito::IdentityPoolPrincipalTag',
  model,
  service: 'cognito-identity',
  handles: ['IdentityPoolId', 'IdentityProviderName', 'PrincipalTags', 'UseDefaults'],
  key: ['IdentityPoolId', 'IdentityProviderName'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'cognito-identity', 'SetPrincipalTagAttributeMap', properties);
    return identifierOf(properties.IdentityPoolId, properties.IdentityProviderName);
  },

  async find(key, ctx) {
    const found = await ask(ctx, 'cognito-identity', 'GetPrincipalTagAttributeMap', key);
    const isSet = found.UseDefaults === true || unlessEmpty(found.PrincipalTags as Properties | undefined);
    return isSet ? found : undefined;
  },

  describe: ({ PrincipalTags, UseDefaults }, key) => ({
    properties: defined({ ...key, PrincipalTags: unlessEmpty(PrincipalTags as Properties | undefined), UseDefaults }),
    attributes: {},
  }),

  update: (key, _previous, { PrincipalTags = {}, UseDefaults = false }, ctx) =>
    run(ctx, 'cognito-identity', 'SetPrincipalTagAttributeMap', { PrincipalTags, UseDefaults, ...key }),

  remove: (key, _properties, ctx) =>
    run(ctx, 'cognito-identity', 'SetPrincipalTagAttributeMap', { ...key, PrincipalTags: {}, UseDefaults: false }),
});
