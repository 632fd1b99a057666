import { defineCollection } from '@emu/core/service';
import type { assertionEncryptionModeType, Tag } from '@emu/service-types/iam';

/** An identity provider of OpenID Connect. Points in time are epoch milliseconds, in whole seconds. */
export interface OidcProviderRecord {
  arn: string;
  /** Without `https://`. */
  url: string;
  clientIds: string[];
  thumbprints: string[];
  createdAt: number;
  tags: Tag[];
}

/** A SAML 2.0 identity provider. */
export interface SamlProviderRecord {
  arn: string;
  name: string;
  uuid: string;
  metadata: string;
  createdAt: number;
  validUntil: number;
  encryption: assertionEncryptionModeType;
  /** Keys that decrypt assertions, oldest first. */
  privateKeys: { id: string; addedAt: number; pem: string }[];
  tags: Tag[];
}

/** These by ARN. */
export const oidcProviderCollection = defineCollection<OidcProviderRecord>('oidc-providers', 'account');
export const samlProviderCollection = defineCollection<SamlProviderRecord>('saml-providers', 'account');

/** Identity providers. */
export const providerCollections = [oidcProviderCollection, samlProviderCollection];
