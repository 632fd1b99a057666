import { defined, defineProvider, identifierOf, type Properties, pick, run, unlessEmpty } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = ['ResourceNotFoundException'];

interface PartProperties extends Properties {
  UserPoolId: string;
}

interface NamedGroup extends PartProperties {
  GroupName?: string;
}

interface NamedProvider extends PartProperties {
  ProviderName: string;
}

interface Server extends PartProperties {
  Identifier: string;
}

interface Domain extends PartProperties {
  CustomDomainConfig?: { CertificateArn?: string };
  Domain: string;
  ManagedLoginVersion?: number;
}

interface Terms extends PartProperties {
  ClientId?: string;
}

/**
 * Groups of user pools.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolgroup.html
 */
export const userPoolGroup: AnyResourceProvider = defineProvider<NamedGroup>({
  typeName: 'AWS::Cognito::UserPoolGroup',
  model,
  service: 'cognito-idp',
  handles: ['Description', 'GroupName', 'Precedence', 'RoleArn', 'UserPoolId'],
  key: ['UserPoolId', 'GroupName'],
  gone: GONE,

  async create(properties, ctx) {
    const { GroupName = ctx.name(), UserPoolId } = properties;
    await run(ctx, 'cognito-idp', 'CreateGroup', { ...properties, GroupName });
    return identifierOf(UserPoolId, GroupName);
  },

  find: async (key, ctx) => (await run(ctx, 'cognito-idp', 'GetGroup', key)).Group as Properties,

  describe: (found, key) => ({
    properties: defined({
      ...key,
      ...pick(found, ['Precedence', 'RoleArn']),
      Description: found.Description || undefined,
    }),
    attributes: {},
  }),

  // A role or precedence cannot be removed from a group.
  update: (key, _previous, { Description = '', ...desired }, ctx) =>
    run(ctx, 'cognito-idp', 'UpdateGroup', { ...desired, Description, ...key }),
  remove: 'DeleteGroup',
  list: {
    operation: 'ListGroups',
    by: ['UserPoolId'],
    input: ({ UserPoolId }) => ({ UserPoolId }),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Groups }: { Groups?: { GroupName: string }[] }, { UserPoolId }) =>
      Groups?.map(({ GroupName }) => identifierOf(String(UserPoolId), GroupName)),
  },
});

/**
 * Identity providers of user pools.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolidentityprovider.html
 */
export const userPoolIdentityProvider: AnyResourceProvider = defineProvider<NamedProvider>({
  typeName: 'AWS::Cognito::UserPoolIdentityProvider',
  model,
  service: 'cognito-idp',
  handles: ['AttributeMapping', 'IdpIdentifiers', 'ProviderDetails', 'ProviderName', 'ProviderType', 'UserPoolId'],
  key: ['UserPoolId', 'ProviderName'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'cognito-idp', 'CreateIdentityProvider', properties);
    return identifierOf(properties.UserPoolId, properties.ProviderName);
  },

  find: async (key, ctx) =>
    (await run(ctx, 'cognito-idp', 'DescribeIdentityProvider', key)).IdentityProvider as Properties,

  describe: (found, key) => ({
    properties: defined({
      ...key,
      ...pick(found, ['ProviderDetails', 'ProviderType']),
      AttributeMapping: unlessEmpty(found.AttributeMapping as Properties | undefined),
      IdpIdentifiers: unlessEmpty(found.IdpIdentifiers as string[] | undefined),
    }),
    attributes: {},
  }),

  update: (key, _previous, { AttributeMapping = {}, IdpIdentifiers = [], ProviderDetails }, ctx) =>
    run(ctx, 'cognito-idp', 'UpdateIdentityProvider', { AttributeMapping, IdpIdentifiers, ProviderDetails, ...key }),

  remove: 'DeleteIdentityProvider',
  list: {
    operation: 'ListIdentityProviders',
    by: ['UserPoolId'],
    input: ({ UserPoolId }) => ({ UserPoolId }),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Providers }: { Providers?: { ProviderName: string }[] }, { UserPoolId }) =>
      Providers?.map(({ ProviderName }) => identifierOf(String(UserPoolId), ProviderName)),
  },
});

/**
 * Resource servers with their scopes.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolresourceserver.html
 */
export const userPoolResourceServer: AnyResourceProvider = defineProvider<Server>({
  typeName: 'AWS::Cognito::UserPoolResourceServer',
  model,
  service: 'cognito-idp',
  handles: ['Identifier', 'Name', 'Scopes', 'UserPoolId'],
  key: ['UserPoolId', 'Identifier'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'cognito-idp', 'CreateResourceServer', properties);
    return identifierOf(properties.UserPoolId, properties.Identifier);
  },

  find: async (key, ctx) => (await run(ctx, 'cognito-idp', 'DescribeResourceServer', key)).ResourceServer as Properties,

  describe: ({ Name, Scopes }, key) => ({
    properties: defined({ ...key, Name, Scopes: unlessEmpty(Scopes as Properties[] | undefined) }),
    attributes: {},
  }),

  update: (key, _previous, { Name, Scopes = [] }, ctx) =>
    run(ctx, 'cognito-idp', 'UpdateResourceServer', { Name, Scopes, ...key }),

  remove: 'DeleteResourceServer',
  list: {
    operation: 'ListResourceServers',
    by: ['UserPoolId'],
    input: ({ UserPoolId }) => ({ UserPoolId, MaxResults: 50 }),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ ResourceServers }: { ResourceServers: { Identifier: string }[] }, { UserPoolId }) =>
      ResourceServers.map(({ Identifier }) => identifierOf(String(UserPoolId), Identifier)),
  },
});

/**
 * Domains of user pools: a prefix domain, or a custom domain with a certificate.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpooldomain.html
 */
export const userPoolDomain: AnyResourceProvider = defineProvider<Domain>({
  typeName: 'AWS::Cognito::UserPoolDomain',
  model,
  service: 'cognito-idp',
  handles: ['CustomDomainConfig.CertificateArn', 'Domain', 'ManagedLoginVersion', 'UserPoolId'],
  key: ['UserPoolId', 'Domain'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'cognito-idp', 'CreateUserPoolDomain', properties);
    return identifierOf(properties.UserPoolId, properties.Domain);
  },

  async find({ UserPoolId, Domain }, ctx) {
    const found = (await ctx.call('cognito-idp', 'DescribeUserPoolDomain', { Domain: Domain! })).DomainDescription;
    return found?.UserPoolId === UserPoolId ? (found as Properties) : undefined;
  },

  describe: (found, key) => ({
    properties: { ...key, ...pick(found, ['CustomDomainConfig', 'ManagedLoginVersion']) },
    // AWS returns the distribution of custom domains only.
    attributes: defined({
      CloudFrontDistribution: found.CustomDomainConfig ? found.CloudFrontDistribution : undefined,
    }),
  }),

  update: (key, _previous, { CustomDomainConfig, ManagedLoginVersion = 1 }, ctx) =>
    run(ctx, 'cognito-idp', 'UpdateUserPoolDomain', { CustomDomainConfig, ManagedLoginVersion, ...key }),

  remove: 'DeleteUserPoolDomain',
});

/**
 * Links to terms of use and privacy policies.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-terms.html
 */
export const terms: AnyResourceProvider = defineProvider<Terms>({
  typeName: 'AWS::Cognito::Terms',
  model,
  service: 'cognito-idp',
  handles: ['ClientId', 'Enforcement', 'Links', 'TermsName', 'TermsSource', 'UserPoolId'],
  key: ['UserPoolId', 'TermsId'],
  gone: GONE,

  async create(properties, ctx) {
    const { TermsId } = (await run(ctx, 'cognito-idp', 'CreateTerms', properties)).Terms!;
    return { identifier: identifierOf(properties.UserPoolId, TermsId!), attributes: { TermsId } };
  },

  find: async (key, ctx) => (await run(ctx, 'cognito-idp', 'DescribeTerms', key)).Terms as unknown as Properties,

  describe: (found, { UserPoolId, TermsId }) => ({
    properties: { UserPoolId, ...pick(found, ['ClientId', 'Enforcement', 'Links', 'TermsName', 'TermsSource']) },
    attributes: { TermsId },
  }),

  update: (key, _previous, desired, ctx) =>
    run(ctx, 'cognito-idp', 'UpdateTerms', {
      ...pick(desired, ['Enforcement', 'Links', 'TermsName', 'TermsSource']),
      ...key,
    }),

  remove: 'DeleteTerms',
  list: {
    operation: 'ListTerms',
    by: ['UserPoolId'],
    input: ({ UserPoolId }) => ({ UserPoolId }),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Terms: found }: { Terms: { TermsId: string }[] }, { UserPoolId }) =>
      found.map(({ TermsId }) => identifierOf(String(UserPoolId), TermsId)),
  },
});
