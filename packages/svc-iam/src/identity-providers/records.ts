import { defineCollection } from '@emu/core';
import type { assertionEncryptionModeType, Tag } from '../generated/iam.ts';

/** A server certificate. Points in time are epoch milliseconds, in whole seconds. */
export interface ServerCertificateRecord {
  name: string;
  /** `ASCA…`. */
  id: string;
  path: string;
  arn: string;
  /** PEM, as all three. */
  body: string;
  chain?: string;
  /** Never shown; for services that terminate TLS with it. */
  privateKey: string;
  uploadedAt: number;
  /** End of the certificate's validity. */
  expiresAt: number;
  tags: Tag[];
}

/** An identity provider of OpenID Connect. */
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

/** By name in lower case. */
export const serverCertificateCollection = defineCollection<ServerCertificateRecord>('server-certificates', 'account');
/** These by ARN. */
export const oidcProviderCollection = defineCollection<OidcProviderRecord>('oidc-providers', 'account');
export const samlProviderCollection = defineCollection<SamlProviderRecord>('saml-providers', 'account');

/** Server certificates and identity providers. */
export const providerCollections = [serverCertificateCollection, oidcProviderCollection, samlProviderCollection];
