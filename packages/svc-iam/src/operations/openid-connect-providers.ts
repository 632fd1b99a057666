import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { nowOf } from '../entities/lookup.ts';
import { alreadyExists, invalidInput, noSuchEntity, quotaExceeded } from '../errors.ts';
import { providerUrl } from '../identity-providers/oidc-url.ts';
import type { OidcProviderRecord } from '../identity-providers/records.ts';
import { LIMITS } from '../limits.ts';
import { type Empty, NOTHING } from '../outputs.ts';
import { oidcProviderType } from '../resources.ts';
import { tagging, tagsMember } from '../tags.ts';

type Provider = DeepReadonly<OidcProviderRecord>;

/**
 * Creates a provider without contacting its server. Thumbprints are optional, as AWS does not need them for servers
 * with publicly trusted certificates.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateOpenIDConnectProvider.html
 */
export function CreateOpenIDConnectProvider(
  input: InputOf<'CreateOpenIDConnectProvider'>,
  ctx: IamContext,
): OutputOf<'CreateOpenIDConnectProvider'> {
  const { Url, ThumbprintList: thumbprints = [], ClientIDList = [] } = input;
  const { oidcProviders } = ctx.state;
  const url = providerUrl(Url);
  checkThumbprints(thumbprints);
  const clientIds = checkedClientIds(ClientIDList);
  const arn = oidcProviderType.arn({ url }, ctx);
  if (oidcProviders.has(arn)) throw alreadyExists(`Provider with url ${Url} already exists.`);
  const tags = tagging.merge(undefined, input.Tags);
  oidcProviders.put(arn, { arn, url, clientIds, thumbprints: [...thumbprints], createdAt: nowOf(ctx), tags });
  return { OpenIDConnectProviderArn: arn, ...tagsMember(tags) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetOpenIDConnectProvider.html */
export function GetOpenIDConnectProvider(
  input: InputOf<'GetOpenIDConnectProvider'>,
  ctx: IamContext,
): OutputOf<'GetOpenIDConnectProvider'> {
  const { url, clientIds, thumbprints, createdAt, tags } = requireOidcProvider(ctx, input.OpenIDConnectProviderArn);
  return {
    Url: url,
    CreateDate: new Date(createdAt),
    ClientIDList: [...clientIds],
    ThumbprintList: [...thumbprints],
    Tags: tags.map((tag) => ({ ...tag })),
  };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListOpenIDConnectProviders.html */
export function ListOpenIDConnectProviders(
  _input: InputOf<'ListOpenIDConnectProviders'>,
  ctx: IamContext,
): OutputOf<'ListOpenIDConnectProviders'> {
  return { OpenIDConnectProviderList: [...ctx.state.oidcProviders.keys()].map((Arn) => ({ Arn })) };
}

/**
 * Deletes a provider; succeeds for an unknown one.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteOpenIDConnectProvider.html
 */
export function DeleteOpenIDConnectProvider(
  input: InputOf<'DeleteOpenIDConnectProvider'>,
  ctx: IamContext,
): OutputOf<'DeleteOpenIDConnectProvider'> {
  const { OpenIDConnectProviderArn: arn } = input;
  checkArn(arn);
  ctx.state.oidcProviders.delete(arn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateOpenIDConnectProviderThumbprint.html */
export function UpdateOpenIDConnectProviderThumbprint(
  input: InputOf<'UpdateOpenIDConnectProviderThumbprint'>,
  ctx: IamContext,
): OutputOf<'UpdateOpenIDConnectProviderThumbprint'> {
  const { ThumbprintList: thumbprints } = input;
  if (!thumbprints.length) throw invalidInput('Thumbprint list must contain at least one entry.');
  checkThumbprints(thumbprints);
  return change(ctx, input.OpenIDConnectProviderArn, (draft) => {
    draft.thumbprints = [...thumbprints];
  });
}

/**
 * Adds a client id; succeeds if the provider already has it.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AddClientIDToOpenIDConnectProvider.html
 */
export function AddClientIDToOpenIDConnectProvider(
  input: InputOf<'AddClientIDToOpenIDConnectProvider'>,
  ctx: IamContext,
): OutputOf<'AddClientIDToOpenIDConnectProvider'> {
  const { clientIds } = requireOidcProvider(ctx, input.OpenIDConnectProviderArn);
  const all = checkedClientIds([...clientIds, input.ClientID]);
  return change(ctx, input.OpenIDConnectProviderArn, (draft) => {
    draft.clientIds = all;
  });
}

/**
 * Removes a client id; succeeds if the provider does not have it.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_RemoveClientIDFromOpenIDConnectProvider.html
 */
export function RemoveClientIDFromOpenIDConnectProvider(
  input: InputOf<'RemoveClientIDFromOpenIDConnectProvider'>,
  ctx: IamContext,
): OutputOf<'RemoveClientIDFromOpenIDConnectProvider'> {
  return change(ctx, input.OpenIDConnectProviderArn, (draft) => {
    draft.clientIds = draft.clientIds.filter((id) => id !== input.ClientID);
  });
}

function checkArn(arn: string): void {
  if (!oidcProviderType.parse(arn)) throw invalidInput(`Invalid ARN: ${arn}`);
}

/** Returns a provider by ARN. @throws AwsError `NoSuchEntity` */
export function requireOidcProvider(ctx: IamContext, arn: string): Provider {
  checkArn(arn);
  const provider = ctx.state.oidcProviders.get(arn);
  if (!provider) throw noSuchEntity(`OpenIDConnect Provider not found for arn ${arn}`);
  return provider;
}

function change(ctx: IamContext, arn: string, edit: (draft: OidcProviderRecord) => void): Empty {
  requireOidcProvider(ctx, arn);
  ctx.state.oidcProviders.update(arn, edit);
  return NOTHING;
}

function checkThumbprints(thumbprints: readonly string[]): void {
  // AWS's message says fewer, but five are accepted.
  if (thumbprints.length > LIMITS.thumbprintsPerOidcProvider)
    throw invalidInput(`Thumbprint list must contain fewer than ${LIMITS.thumbprintsPerOidcProvider} entries.`);
}

/**
 * Returns ids without duplicates.
 * @throws AwsError `LimitExceeded`
 */
function checkedClientIds(ids: readonly string[]): string[] {
  const all = [...new Set(ids)];
  if (all.length > LIMITS.clientIdsPerOidcProvider)
    throw quotaExceeded('ClientIdsPerOpenIdConnectProvider', LIMITS.clientIdsPerOidcProvider);
  return all;
}
