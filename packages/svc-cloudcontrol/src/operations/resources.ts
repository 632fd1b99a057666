import type { InputOf, OutputOf } from '@emu/service-types/cloudcontrol';
import type { CloudcontrolContext } from '../context.ts';
import { missingInModel, resourceNotFound, unsupported } from '../errors.ts';
import { providerOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { identifierIn, identifyingModel, modelOf, objectIn } from '../types/models.ts';
import { readContext } from './changes.ts';

/** @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_GetResource.html */
export async function GetResource(
  input: InputOf<'GetResource'>,
  ctx: CloudcontrolContext,
): Promise<OutputOf<'GetResource'>> {
  const provider = await providerOf(input, ctx);
  const Identifier = identifierIn(input.Identifier, provider.facts);
  const applied = ctx.state.applied.of(input.TypeName, Identifier);
  const resource = await provider.read(Identifier, readContext(input, provider, ctx), applied);
  if (!resource) throw resourceNotFound(input.TypeName, ctx.ids.uuid());
  const Properties = JSON.stringify(modelOf(resource, provider.facts));
  return { TypeName: input.TypeName, ResourceDescription: { Identifier, Properties } };
}

/** @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_ListResources.html */
export async function ListResources(
  input: InputOf<'ListResources'>,
  ctx: CloudcontrolContext,
): Promise<OutputOf<'ListResources'>> {
  const provider = await providerOf(input, ctx);
  if (!provider.list) throw unsupported(input.TypeName, 'LIST');
  const filter = input.ResourceModel === undefined ? undefined : objectIn(input.ResourceModel, 'ResourceModel');
  const missing = provider.listedBy?.filter((name) => typeof filter?.[name] !== 'string') ?? [];
  if (missing.length) throw missingInModel(input.TypeName, missing);
  const identifiers = await provider.list(readContext(input, provider, ctx), filter);
  const page = paging.page('ListResources', input, identifiers, (identifier) => identifier);
  return {
    TypeName: input.TypeName,
    ...page.list((Identifier) => ({
      Identifier,
      Properties: JSON.stringify(identifyingModel(Identifier, provider.facts)),
    })),
  };
}
