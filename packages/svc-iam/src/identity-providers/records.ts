import { defineCollection } from '@emu/core/service';
import type { assertionEncryptionModeType, Tag } from '@emu/service-types/iam';

/** An OpenID Connect identity provider. Times are epoch milliseconds, rounded to seconds. */
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

/** The following collections are by ARN. */
export const oidcProviderCollection = defineCollection<OidcProviderRecord>('oidc-providers', 'account');
export const samlProviderCollection = defineCollection<SamlProviderRecord>('saml-providers', 'account');

/** Collections of identity providers. */
export const providerCollections = [oidcProviderCollection, samlProviderCollection];
