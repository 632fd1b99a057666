import { fetchFor, type OutgoingNames } from '@emu/core/outgoing';
import { invalidParameter } from '../errors.ts';
import type { SiteRequest } from '../oauth/site.ts';
import type { FederationRecord, ProviderRecord, SamlSession } from '../records.ts';
import { readMetadata, type SamlMetadata } from './metadata.ts';
import type { FederatedProfile } from './profile.ts';
import { samlKeyOf } from './saml-keys.ts';
import type { SAML, SamlConfig } from './saml-libraries.js';

type Provider = Readonly<ProviderRecord>;

/** Timeout of a provider's metadata, in milliseconds. */
const TIMEOUT = 5_000;
/** Maximum clock skew, in milliseconds. */
const CLOCK_SKEW = 5 * 60_000;

/**
 * Returns a provider's metadata, from its file or URL.
 * @throws AwsError
 */
async function metadataOf(names: OutgoingNames, { details }: Provider): Promise<SamlMetadata> {
  if (details.MetadataFile) return readMetadata(details.MetadataFile);
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetchFor(names, details.MetadataURL!, { signal }).catch(() => undefined);
  if (!response?.ok) throw invalidParameter('The SAML metadata document could not be read.');
  return readMetadata(await response.text());
}

/** Returns the SAML request id of a sign-in. */
const requestId = ({ id }: Pick<FederationRecord, 'id'>): string => `_${id}`;

/**
 * Returns the library's configuration for a pool and a provider.
 * @param federation the sign-in in progress
 */
async function samlOf(
  { state, pool, base }: SiteRequest,
  provider: Provider,
  federation: FederationRecord | undefined,
): Promise<{ saml: SAML; metadata: SamlMetadata }> {
  const { SAML, ValidateInResponseTo } = await import('./saml-libraries.js');
  const metadata = await metadataOf(state.service.names, provider);
  const { details } = provider;
  const isSigning = details.RequestSigningAlgorithm !== undefined || details.IDPSignout === 'true';
  const key = isSigning || details.EncryptedResponses === 'true' ? await samlKeyOf(pool.id, state) : undefined;
  const issuer = `urn:amazon:cognito:sp:${pool.id}`;
  const known = federation && requestId(federation);
  const options: SamlConfig = {
    issuer,
    audience: issuer,
    callbackUrl: `${base}/saml2/idpresponse`,
    idpCert: metadata.certificates,
    idpIssuer: metadata.entityId,
    entryPoint: metadata.signOn.redirect ?? metadata.signOn.post!,
    logoutUrl: metadata.signOut ?? '',
    logoutCallbackUrl: `${base}/saml2/logout`,
    // Either the response or its assertion is signed; the library rejects unsigned ones.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    acceptedClockSkewMs: CLOCK_SKEW,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    generateUniqueId: () => known ?? requestId({ id: state.ids.uuid() }),
    validateInResponseTo: federation ? ValidateInResponseTo.always : ValidateInResponseTo.never,
    cacheProvider: {
      saveAsync: async (id, value) => ({ value, createdAt: Date.parse(value), id }),
      getAsync: async (id) => (id !== null && id === known ? new Date().toISOString() : null),
      removeAsync: async (id) => id,
    },
    ...(key && isSigning && { privateKey: key.privateKey, signatureAlgorithm: 'sha256' as const }),
    ...(key && details.EncryptedResponses === 'true' && { decryptionPvk: key.privateKey }),
  };
  return { saml: new SAML(options), metadata };
}

/** Browser request for a sign-in: a redirect URL, or a form. */
export type SamlRequest = { redirect: string } | { action: string; form: Record<string, string> };

/**
 * Starts a sign-in at a SAML provider.
 * @throws AwsError if its metadata cannot be read
 */
export async function samlRequest(
  request: SiteRequest,
  provider: Provider,
  federation: FederationRecord,
): Promise<SamlRequest> {
  const { saml, metadata } = await samlOf(request, provider, federation);
  const { redirect, post } = metadata.signOn;
  if (redirect !== undefined) return { redirect: await saml.getAuthorizeUrlAsync(federation.id, undefined, {}) };
  const SAMLRequest = await saml.getAuthorizeMessageAsync(federation.id, undefined, {});
  const form = Object.fromEntries(Object.entries(SAMLRequest).map(([name, value]) => [name, String(value)]));
  return { action: post!, form };
}

/**
 * Returns the profile in a provider's response.
 * @param federation undefined for an unsolicited response
 * @throws AwsError for an invalid response
 */
export async function samlProfile(
  request: SiteRequest,
  provider: Provider,
  federation: FederationRecord | undefined,
  SAMLResponse: string,
): Promise<FederatedProfile> {
  const { saml } = await samlOf(request, provider, federation);
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse }).catch((error: unknown) => {
    throw invalidParameter(`Invalid samlResponse or relayState from identity provider: ${(error as Error).message}`);
  });
  if (!profile) throw invalidParameter('Invalid samlResponse or relayState from identity provider');
  const claims: Record<string, string> = {};
  for (const [name, value] of Object.entries(profile.attributes ?? {})) claims[name] = attributeText(value);
  const session: SamlSession = {
    provider: provider.name,
    nameId: profile.nameID,
    nameIdFormat: profile.nameIDFormat,
    ...(profile.sessionIndex !== undefined && { sessionIndex: profile.sessionIndex }),
  };
  return { userId: profile.nameID, claims, sources: { samlResponse: { NameID: profile.nameID, ...claims } }, session };
}

/** Joins several values of an attribute, as AWS does. */
const attributeText = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map((one) => attributeText(one)).join(', ')}]` : String(value);

/** Returns the sign-out URL of a SAML provider; undefined if it has none. */
export async function samlLogout(
  request: SiteRequest,
  provider: Provider,
  federation: FederationRecord,
  { nameId, nameIdFormat, sessionIndex }: SamlSession,
): Promise<string | undefined> {
  const { saml, metadata } = await samlOf(request, provider, federation);
  if (metadata.signOut === undefined) return undefined;
  const profile = { issuer: '', nameID: nameId, nameIDFormat: nameIdFormat, ...(sessionIndex && { sessionIndex }) };
  return saml.getLogoutUrlAsync(profile, federation.id, {});
}
