import type { DeepReadonly, OperationContext } from '@emu/core';
import type {
  AddClientIDToOpenIDConnectProviderRequest,
  CreateOpenIDConnectProviderRequest,
  CreateOpenIDConnectProviderResponse,
  DeleteOpenIDConnectProviderRequest,
  GetOpenIDConnectProviderRequest,
  GetOpenIDConnectProviderResponse,
  ListOpenIDConnectProvidersRequest,
  ListOpenIDConnectProvidersResponse,
  ListOpenIDConnectProviderTagsRequest,
  ListOpenIDConnectProviderTagsResponse,
  RemoveClientIDFromOpenIDConnectProviderRequest,
  TagOpenIDConnectProviderRequest,
  UntagOpenIDConnectProviderRequest,
  UpdateOpenIDConnectProviderThumbprintRequest,
} from '@emu/service-types/iam';
import { nowOf } from '../entities/lookup.ts';
import { alreadyExists, invalidInput, noSuchEntity, quotaExceeded } from '../errors.ts';
import { providerUrl } from '../identity-providers/oidc-url.ts';
import type { OidcProviderRecord } from '../identity-providers/records.ts';
import { LIMITS } from '../limits.ts';
import { type Empty, NOTHING } from '../outputs.ts';
import { oidcProviderType } from '../resources.ts';
import type { IamState } from '../state.ts';
import { pageOfTags, tagging, tagsMember } from '../tags.ts';

type Ctx = OperationContext<IamState>;
type Provider = DeepReadonly<OidcProviderRecord>;

/**
 * Makes a provider. Its server is never asked for anything: without thumbprints it has none, as AWS needs none of
 * servers whose certificates public authorities signed.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateOpenIDConnectProvider.html
 */
export function CreateOpenIDConnectProvider(
  input: CreateOpenIDConnectProviderRequest,
  ctx: Ctx,
): CreateOpenIDConnectProviderResponse {
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
  input: GetOpenIDConnectProviderRequest,
  ctx: Ctx,
): GetOpenIDConnectProviderResponse {
  const { url, clientIds, thumbprints, createdAt, tags } = requireProvider(ctx, input.OpenIDConnectProviderArn);
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
  _input: ListOpenIDConnectProvidersRequest,
  ctx: Ctx,
): ListOpenIDConnectProvidersResponse {
  return { OpenIDConnectProviderList: [...ctx.state.oidcProviders.keys()].map((Arn) => ({ Arn })) };
}

/** Nothing happens where there is none. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteOpenIDConnectProvider.html */
export function DeleteOpenIDConnectProvider(input: DeleteOpenIDConnectProviderRequest, ctx: Ctx): Empty {
  const { OpenIDConnectProviderArn: arn } = input;
  checkArn(arn);
  ctx.state.oidcProviders.delete(arn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateOpenIDConnectProviderThumbprint.html */
export function UpdateOpenIDConnectProviderThumbprint(
  input: UpdateOpenIDConnectProviderThumbprintRequest,
  ctx: Ctx,
): Empty {
  const { ThumbprintList: thumbprints } = input;
  if (!thumbprints.length) throw invalidInput('Thumbprint list must contain at least one entry.');
  checkThumbprints(thumbprints);
  return change(ctx, input.OpenIDConnectProviderArn, (draft) => {
    draft.thumbprints = [...thumbprints];
  });
}

/** Nothing happens where the provider has the id. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AddClientIDToOpenIDConnectProvider.html */
export function AddClientIDToOpenIDConnectProvider(input: AddClientIDToOpenIDConnectProviderRequest, ctx: Ctx): Empty {
  const { clientIds } = requireProvider(ctx, input.OpenIDConnectProviderArn);
  const all = checkedClientIds([...clientIds, input.ClientID]);
  return change(ctx, input.OpenIDConnectProviderArn, (draft) => {
    draft.clientIds = all;
  });
}

/** Nothing happens where the provider does not have the id. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_RemoveClientIDFromOpenIDConnectProvider.html */
export function RemoveClientIDFromOpenIDConnectProvider(
  input: RemoveClientIDFromOpenIDConnectProviderRequest,
  ctx: Ctx,
): Empty {
  return change(ctx, input.OpenIDConnectProviderArn, (draft) => {
    draft.clientIds = draft.clientIds.filter((id) => id !== input.ClientID);
  });
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagOpenIDConnectProvider.html */
export function TagOpenIDConnectProvider(input: TagOpenIDConnectProviderRequest, ctx: Ctx): Empty {
  const tags = tagging.merge(requireProvider(ctx, input.OpenIDConnectProviderArn).tags, input.Tags);
  return change(ctx, input.OpenIDConnectProviderArn, (draft) => {
    draft.tags = tags;
  });
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagOpenIDConnectProvider.html */
export function UntagOpenIDConnectProvider(input: UntagOpenIDConnectProviderRequest, ctx: Ctx): Empty {
  return change(ctx, input.OpenIDConnectProviderArn, (draft) => {
    draft.tags = tagging.remove(draft.tags, input.TagKeys);
  });
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListOpenIDConnectProviderTags.html */
export function ListOpenIDConnectProviderTags(
  input: ListOpenIDConnectProviderTagsRequest,
  ctx: Ctx,
): ListOpenIDConnectProviderTagsResponse {
  return pageOfTags('ListOpenIDConnectProviderTags', requireProvider(ctx, input.OpenIDConnectProviderArn).tags, input);
}

function checkArn(arn: string): void {
  if (!oidcProviderType.parse(arn)) throw invalidInput(`Invalid ARN: ${arn}`);
}

function requireProvider(ctx: Ctx, arn: string): Provider {
  checkArn(arn);
  const provider = ctx.state.oidcProviders.get(arn);
  if (!provider) throw noSuchEntity(`OpenIDConnect Provider not found for arn ${arn}`);
  return provider;
}

function change(ctx: Ctx, arn: string, edit: (draft: OidcProviderRecord) => void): Empty {
  requireProvider(ctx, arn);
  ctx.state.oidcProviders.update(arn, edit);
  return NOTHING;
}

function checkThumbprints(thumbprints: readonly string[]): void {
  // AWS's sentence says fewer, and five are fine.
  if (thumbprints.length > LIMITS.thumbprintsPerOidcProvider)
    throw invalidInput(`Thumbprint list must contain fewer than ${LIMITS.thumbprintsPerOidcProvider} entries.`);
}

/** Ids without repeats. @throws AwsError `LimitExceeded` */
function checkedClientIds(ids: readonly string[]): string[] {
  const all = [...new Set(ids)];
  if (all.length > LIMITS.clientIdsPerOidcProvider)
    throw quotaExceeded('ClientIdsPerOpenIdConnectProvider', LIMITS.clientIdsPerOidcProvider);
  return all;
}
