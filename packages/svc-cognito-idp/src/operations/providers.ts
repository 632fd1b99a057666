import type { IdentityProviderType, InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { duplicateProvider, invalidParameter, notFound } from '../errors.ts';
import { readMetadata } from '../federation/metadata.ts';
import { bareCertificate, samlKeyOf } from '../federation/saml-keys.ts';
import { allDetails, USER_IDS } from '../federation/social.ts';
import { poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { attributeOf } from '../pools/schema.ts';
import type { Pool, ProviderRecord } from '../records.ts';

/** Required details by provider type. */
const REQUIRED: Readonly<Record<ProviderRecord['type'], readonly string[]>> = {
  SAML: [],
  OIDC: ['client_id', 'attributes_request_method', 'oidc_issuer', 'authorize_scopes'],
  Facebook: ['client_id', 'client_secret', 'authorize_scopes'],
  Google: ['client_id', 'client_secret', 'authorize_scopes'],
  LoginWithAmazon: ['client_id', 'client_secret', 'authorize_scopes'],
  SignInWithApple: ['client_id', 'team_id', 'key_id', 'private_key', 'authorize_scopes'],
};

/** Details that are URLs. */
const ADDRESSES = ['oidc_issuer', 'MetadataURL', 'authorize_url', 'token_url', 'attributes_url', 'jwks_uri'];

const describe = (provider: Readonly<ProviderRecord>): IdentityProviderType => ({
  UserPoolId: provider.poolId,
  ProviderName: provider.name,
  ProviderType: provider.type,
  ProviderDetails: allDetails(provider),
  AttributeMapping: { ...provider.mapping },
  ...(provider.identifiers && { IdpIdentifiers: [...provider.identifiers] }),
  LastModifiedDate: new Date(provider.updatedAt),
  CreationDate: new Date(provider.createdAt),
});

const inPool = (pool: Pool, { state }: CognitoIdpContext): ProviderRecord[] =>
  ([...state.providers.values()] as ProviderRecord[]).filter(({ poolId }) => poolId === pool.id);

/** Returns details with the encryption certificate, if the provider encrypts responses. */
async function withCertificate(details: Record<string, string>, pool: Pool, { state }: CognitoIdpContext) {
  if (details.EncryptedResponses !== 'true') return details;
  const { certificate } = await samlKeyOf(pool.id, state);
  return { ...details, ActiveEncryptionCertificate: bareCertificate(certificate) };
}

/**
 * Returns an identity provider.
 * @throws AwsError `ResourceNotFoundException`
 */
function providerOf(pool: Pool, name: string, { state }: CognitoIdpContext): Readonly<ProviderRecord> {
  const provider = state.providers.get(`${pool.id}/${name}`);
  if (!provider) throw notFound(`Identity provider ${name} does not exist.`);
  return provider as Readonly<ProviderRecord>;
}

async function check(pool: Pool, provider: ProviderRecord, ctx: CognitoIdpContext): Promise<void> {
  for (const name of REQUIRED[provider.type])
    if (!provider.details[name]) throw invalidParameter(`Required provider detail ${name} is missing.`);
  if (provider.type === 'SAML' && !provider.details.MetadataURL && !provider.details.MetadataFile)
    throw invalidParameter('Either MetadataURL or MetadataFile is required for a SAML provider.');
  if (provider.type === 'SAML' && provider.details.MetadataFile) await readMetadata(provider.details.MetadataFile);
  for (const url of ADDRESSES.map((name) => provider.details[name]))
    if (url !== undefined && !/^https?:\/\//.test(URL.canParse(url) ? url : ''))
      throw invalidParameter(`${url} is not a valid URL.`);
  const { attributes_request_method: method } = provider.details;
  if (method !== undefined && method !== 'GET' && method !== 'POST')
    throw invalidParameter('attributes_request_method must be GET or POST.');
  for (const name of Object.keys(provider.mapping ?? {}))
    if (name !== 'username' && !attributeOf(pool, name))
      throw invalidParameter(`The attribute ${name} does not exist in the schema.`);
  for (const other of inPool(pool, ctx))
    if (other.name !== provider.name && other.identifiers?.some((one) => provider.identifiers?.includes(one)))
      throw duplicateProvider('An identity provider with the identifier already exists.');
}

export async function CreateIdentityProvider(
  input: InputOf<'CreateIdentityProvider'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'CreateIdentityProvider'>> {
  const pool = poolOf(input, ctx);
  const { ProviderName: name, ProviderType: type, AttributeMapping, IdpIdentifiers } = input;
  const now = ctx.clock.now();
  const username = USER_IDS[type];
  const provider: ProviderRecord = {
    poolId: pool.id,
    name,
    type,
    details: await withCertificate({ ...input.ProviderDetails }, pool, ctx),
    mapping: {
      ...AttributeMapping,
      ...(username !== undefined && { username: AttributeMapping?.username ?? username }),
    },
    ...(IdpIdentifiers && { identifiers: [...IdpIdentifiers] }),
    createdAt: now,
    updatedAt: now,
  };
  await check(pool, provider, ctx);
  if (ctx.state.providers.has(`${pool.id}/${name}`) || name === 'COGNITO')
    throw duplicateProvider(`A provider ${name} already exists.`);
  return { IdentityProvider: describe(ctx.state.providers.put(`${pool.id}/${name}`, provider) as ProviderRecord) };
}

export function DescribeIdentityProvider(
  input: InputOf<'DescribeIdentityProvider'>,
  ctx: CognitoIdpContext,
): OutputOf<'DescribeIdentityProvider'> {
  return { IdentityProvider: describe(providerOf(poolOf(input, ctx), input.ProviderName, ctx)) };
}

export function GetIdentityProviderByIdentifier(
  input: InputOf<'GetIdentityProviderByIdentifier'>,
  ctx: CognitoIdpContext,
): OutputOf<'GetIdentityProviderByIdentifier'> {
  const provider = inPool(poolOf(input, ctx), ctx).find(({ identifiers }) =>
    identifiers?.includes(input.IdpIdentifier),
  );
  if (!provider) throw notFound(`Identity provider with identifier ${input.IdpIdentifier} does not exist.`);
  return { IdentityProvider: describe(provider) };
}

export async function UpdateIdentityProvider(
  input: InputOf<'UpdateIdentityProvider'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'UpdateIdentityProvider'>> {
  const pool = poolOf(input, ctx);
  const existing = providerOf(pool, input.ProviderName, ctx);
  const username = existing.mapping?.username;
  const provider: ProviderRecord = {
    ...existing,
    ...(input.ProviderDetails && { details: await withCertificate({ ...input.ProviderDetails }, pool, ctx) }),
    ...(input.AttributeMapping && {
      mapping: { ...(username !== undefined && { username }), ...input.AttributeMapping },
    }),
    ...(input.IdpIdentifiers && { identifiers: [...input.IdpIdentifiers] }),
    updatedAt: ctx.clock.now(),
  };
  await check(pool, provider, ctx);
  return {
    IdentityProvider: describe(ctx.state.providers.put(`${pool.id}/${provider.name}`, provider) as ProviderRecord),
  };
}

export function DeleteIdentityProvider(
  input: InputOf<'DeleteIdentityProvider'>,
  ctx: CognitoIdpContext,
): OutputOf<'DeleteIdentityProvider'> {
  const pool = poolOf(input, ctx);
  const { name } = providerOf(pool, input.ProviderName, ctx);
  ctx.state.providers.delete(`${pool.id}/${name}`);
  return {};
}

export function ListIdentityProviders(
  input: InputOf<'ListIdentityProviders'>,
  ctx: CognitoIdpContext,
): OutputOf<'ListIdentityProviders'> {
  return paging
    .page('ListIdentityProviders', input, inPool(poolOf(input, ctx), ctx), ({ name }) => name)
    .list(({ name, type, createdAt, updatedAt }) => ({
      ProviderName: name,
      ProviderType: type,
      LastModifiedDate: new Date(updatedAt),
      CreationDate: new Date(createdAt),
    }));
}

export async function GetSigningCertificate(
  input: InputOf<'GetSigningCertificate'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'GetSigningCertificate'>> {
  const { certificate } = await samlKeyOf(poolOf(input, ctx).id, ctx.state);
  return { Certificate: bareCertificate(certificate) };
}
