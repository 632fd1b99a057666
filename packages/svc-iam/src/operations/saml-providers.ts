import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, UpdateSAMLProviderRequest } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { nowOf } from '../entities/lookup.ts';
import { alreadyExists, invalidInput, noSuchEntity, quotaExceeded } from '../errors.ts';
import type { SamlProviderRecord } from '../identity-providers/records.ts';
import { checkDecryptionKey, checkSamlMetadata } from '../identity-providers/saml-metadata.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { samlProviderType } from '../resources.ts';
import { tagging, tagsMember } from '../tags.ts';

type Provider = DeepReadonly<SamlProviderRecord>;
type Settings = Pick<SamlProviderRecord, 'encryption' | 'privateKeys'>;

/** Length of the ids of providers and keys. */
const ID_LENGTH = 22;
/** Default validity of metadata, in years. */
const YEARS_VALID = 100;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateSAMLProvider.html */
export function CreateSAMLProvider(
  input: InputOf<'CreateSAMLProvider'>,
  ctx: IamContext,
): OutputOf<'CreateSAMLProvider'> {
  const { Name: name, SAMLMetadataDocument: metadata } = input;
  const { samlProviders } = ctx.state;
  const arn = samlProviderType.arn({ name }, ctx);
  const validUntil = validityOf(metadata, ctx);
  if (samlProviders.has(arn)) throw alreadyExists(`SAMLProvider ${arn} already exists.`);
  const tags = tagging.merge(undefined, input.Tags);
  const { encryption, privateKeys } = changed({ encryption: 'Allowed', privateKeys: [] }, input, ctx);
  samlProviders.put(arn, {
    arn,
    name,
    uuid: ctx.ids.chars(ID_LENGTH),
    metadata,
    createdAt: nowOf(ctx),
    validUntil,
    encryption,
    privateKeys,
    tags,
  });
  return { SAMLProviderArn: arn, ...tagsMember(tags) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetSAMLProvider.html */
export function GetSAMLProvider(input: InputOf<'GetSAMLProvider'>, ctx: IamContext): OutputOf<'GetSAMLProvider'> {
  const provider = requireSamlProvider(ctx, input.SAMLProviderArn);
  return {
    SAMLProviderUUID: provider.uuid,
    SAMLMetadataDocument: provider.metadata,
    CreateDate: new Date(provider.createdAt),
    ValidUntil: new Date(provider.validUntil),
    Tags: provider.tags.map((tag) => ({ ...tag })),
    AssertionEncryptionMode: provider.encryption,
    PrivateKeyList: provider.privateKeys.map(({ id, addedAt }) => ({ KeyId: id, Timestamp: new Date(addedAt) })),
  };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateSAMLProvider.html */
export function UpdateSAMLProvider(
  input: InputOf<'UpdateSAMLProvider'>,
  ctx: IamContext,
): OutputOf<'UpdateSAMLProvider'> {
  const { SAMLProviderArn: arn, SAMLMetadataDocument: metadata } = input;
  const provider = requireSamlProvider(ctx, arn);
  const validUntil = metadata === undefined ? provider.validUntil : validityOf(metadata, ctx);
  const settings = changed(provider, input, ctx);
  ctx.state.samlProviders.update(arn, (draft) => {
    Object.assign(draft, settings, { validUntil, metadata: metadata ?? provider.metadata });
  });
  return { SAMLProviderArn: arn };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListSAMLProviders.html */
export function ListSAMLProviders(
  _input: InputOf<'ListSAMLProviders'>,
  ctx: IamContext,
): OutputOf<'ListSAMLProviders'> {
  const providers = [...ctx.state.samlProviders.values()];
  return {
    SAMLProviderList: providers.map(({ arn, validUntil, createdAt }) => ({
      Arn: arn,
      ValidUntil: new Date(validUntil),
      CreateDate: new Date(createdAt),
    })),
  };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteSAMLProvider.html */
export function DeleteSAMLProvider(
  input: InputOf<'DeleteSAMLProvider'>,
  ctx: IamContext,
): OutputOf<'DeleteSAMLProvider'> {
  ctx.state.samlProviders.delete(requireSamlProvider(ctx, input.SAMLProviderArn).arn);
  return NOTHING;
}

/** Returns a provider by ARN. @throws AwsError `NoSuchEntity` */
export function requireSamlProvider(ctx: IamContext, arn: string): Provider {
  if (!samlProviderType.parse(arn)) throw invalidInput(`Invalid ARN: ${arn}`);
  const provider = ctx.state.samlProviders.get(arn);
  if (!provider) throw noSuchEntity(`Manifest not found for arn ${arn}`);
  return provider;
}

/**
 * Returns the end of metadata's validity in epoch milliseconds.
 * @throws AwsError `InvalidInput`
 */
function validityOf(metadata: string, ctx: IamContext): number {
  const stated = checkSamlMetadata(metadata);
  if (stated !== undefined) return stated;
  const now = new Date(nowOf(ctx));
  return now.setUTCFullYear(now.getUTCFullYear() + YEARS_VALID);
}

/**
 * Returns the encryption settings and keys of a provider after a request.
 * @throws AwsError `InvalidInput`, `LimitExceeded`, `NoSuchEntity`
 */
function changed(
  { encryption, privateKeys }: DeepReadonly<Settings>,
  request: Pick<UpdateSAMLProviderRequest, 'AssertionEncryptionMode' | 'AddPrivateKey' | 'RemovePrivateKey'>,
  ctx: IamContext,
): Settings {
  const { AssertionEncryptionMode: mode = encryption, AddPrivateKey: added, RemovePrivateKey: removed } = request;
  if (removed !== undefined && !privateKeys.some(({ id }) => id === removed))
    throw noSuchEntity(`The private key with id ${removed} cannot be found.`);
  const keys = privateKeys.filter(({ id }) => id !== removed).map((key) => ({ ...key }));
  if (added !== undefined) {
    checkDecryptionKey(added);
    keys.push({ id: ctx.ids.chars(ID_LENGTH), addedAt: nowOf(ctx), pem: added });
  }
  if (keys.length > LIMITS.privateKeysPerSamlProvider)
    throw quotaExceeded('PrivateKeysPerSAMLProvider', LIMITS.privateKeysPerSamlProvider);
  if (mode === 'Required' && !keys.length)
    throw invalidInput('A private key is required when the assertion encryption mode is Required.');
  return { encryption: mode, privateKeys: keys };
}
