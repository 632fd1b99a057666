import type { CreatedResource, ProviderContext, ResourceProvider, ResourceTypeFacts, ResourceValues } from '@emu/core';

/** What a provider of CloudFormation's own has made. */
export interface OwnResource extends CreatedResource {
  /** Whether its attributes are not to be told, but to other resources. */
  readonly noEcho?: boolean;
}

/** A provider of CloudFormation's own, which may exchange the resource while it changes it. */
export interface OwnProvider extends ResourceProvider {
  create(properties: ResourceValues, ctx: ProviderContext): Promise<OwnResource>;
  /** Changes the resource. @returns what it is then: another identifier has the old one deleted at the end */
  exchange?(
    identifier: string,
    previous: ResourceValues,
    desired: ResourceValues,
    ctx: ProviderContext,
  ): Promise<OwnResource>;
}

/** The name that stands for any property in facts. */
export const ANY_PROPERTY = '*';

/** Facts of a type that takes any property. */
export const ANYTHING: ResourceTypeFacts = {
  primaryIdentifier: ['Id'],
  attributes: {},
  properties: { [ANY_PROPERTY]: { type: 'json' } },
};
