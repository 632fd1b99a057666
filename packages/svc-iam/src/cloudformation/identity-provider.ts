import {
  defined,
  defineProvider,
  listChanges,
  omit,
  pick,
  run,
  sameValue,
  type TemplateTag,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { samlProviderType } from '../resources.ts';

interface OidcProperties {
  ClientIdList?: readonly string[];
  Tags?: readonly TemplateTag[];
  ThumbprintList?: readonly string[];
  Url?: string;
}

interface SamlProperties {
  AssertionEncryptionMode?: string;
  Name?: string;
  SamlMetadataDocument?: string;
  Tags?: readonly TemplateTag[];
}

const oidcOf = (OpenIDConnectProviderArn: string, ctx: ProviderContext) =>
  unless(ctx.call('iam', 'GetOpenIDConnectProvider', { OpenIDConnectProviderArn }), 'NoSuchEntity');

const samlOf = (SAMLProviderArn: string, ctx: ProviderContext) =>
  unless(ctx.call('iam', 'GetSAMLProvider', { SAMLProviderArn }), 'NoSuchEntity');

/**
 * OpenID Connect identity providers.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-oidcprovider.html
 */
export const oidcProvider: AnyResourceProvider = defineProvider<OidcProperties>({
  typeName: 'AWS::IAM::OIDCProvider',
  model,
  handles: ['ClientIdList', 'Tags', 'ThumbprintList', 'Url'],

  async create({ ClientIdList, ...properties }, ctx) {
    const made = await run(ctx, 'iam', 'CreateOpenIDConnectProvider', { ...properties, ClientIDList: ClientIdList });
    return { identifier: made.OpenIDConnectProviderArn! };
  },

  async read(arn, ctx) {
    const found = await oidcOf(arn, ctx);
    return (
      found && {
        properties: defined({
          ClientIdList: unlessEmpty(found.ClientIDList),
          Tags: unlessEmpty(found.Tags),
          ThumbprintList: unlessEmpty(found.ThumbprintList),
          // IAM stores the URL without scheme.
          Url: `https://${found.Url}`,
        }),
        attributes: { Arn: arn },
      }
    );
  },

  async update(OpenIDConnectProviderArn, previous, desired, ctx) {
    const clients = listChanges(previous.ClientIdList, desired.ClientIdList);
    for (const ClientID of clients.added)
      await ctx.call('iam', 'AddClientIDToOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID });
    for (const ClientID of clients.removed)
      await ctx.call('iam', 'RemoveClientIDFromOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID });
    if (!sameValue(previous.ThumbprintList, desired.ThumbprintList) && desired.ThumbprintList)
      await ctx.call('iam', 'UpdateOpenIDConnectProviderThumbprint', {
        OpenIDConnectProviderArn,
        ThumbprintList: [...desired.ThumbprintList],
      });
    await changeTagsOf(OpenIDConnectProviderArn, { Tags: previous.Tags }, { Tags: desired.Tags }, ctx);
  },

  async delete(OpenIDConnectProviderArn, _properties, ctx) {
    await unless(ctx.call('iam', 'DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn }), 'NoSuchEntity');
  },

  async list(ctx) {
    const { OpenIDConnectProviderList = [] } = await ctx.call('iam', 'ListOpenIDConnectProviders', {});
    return OpenIDConnectProviderList.map(({ Arn }) => Arn!);
  },
});

/**
 * SAML identity providers; private keys in templates are unsupported.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-samlprovider.html
 */
export const samlProvider: AnyResourceProvider = defineProvider<SamlProperties>({
  typeName: 'AWS::IAM::SAMLProvider',
  model,
  handles: ['AssertionEncryptionMode', 'Name', 'SamlMetadataDocument', 'Tags'],

  async create(properties, ctx) {
    const made = await run(ctx, 'iam', 'CreateSAMLProvider', {
      ...omit(properties, 'SamlMetadataDocument'),
      Name: properties.Name ?? ctx.name(),
      SAMLMetadataDocument: properties.SamlMetadataDocument,
    });
    return { identifier: made.SAMLProviderArn! };
  },

  async read(arn, ctx) {
    const found = await samlOf(arn, ctx);
    if (!found) return undefined;
    return {
      properties: defined({
        ...pick(found, ['AssertionEncryptionMode']),
        Name: samlProviderType.parse(arn)?.key.name,
        SamlMetadataDocument: found.SAMLMetadataDocument,
        Tags: unlessEmpty(found.Tags),
      }) as SamlProperties,
      attributes: defined({ Arn: arn, SamlProviderUUID: found.SAMLProviderUUID }),
    };
  },

  async update(SAMLProviderArn, previous, desired, ctx) {
    if (!sameValue({ ...previous, Tags: 0 }, { ...desired, Tags: 0 }))
      await run(ctx, 'iam', 'UpdateSAMLProvider', {
        SAMLProviderArn,
        SAMLMetadataDocument: desired.SamlMetadataDocument,
        ...pick(desired, ['AssertionEncryptionMode']),
      });
    await changeTagsOf(SAMLProviderArn, { Tags: previous.Tags }, { Tags: desired.Tags }, ctx);
  },

  async delete(SAMLProviderArn, _properties, ctx) {
    await unless(ctx.call('iam', 'DeleteSAMLProvider', { SAMLProviderArn }), 'NoSuchEntity');
  },

  async list(ctx) {
    const { SAMLProviderList = [] } = await ctx.call('iam', 'ListSAMLProviders', {});
    return SAMLProviderList.map(({ Arn }) => Arn!);
  },
});
