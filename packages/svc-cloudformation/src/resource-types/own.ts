import type { CreatedResource, ProviderContext, ResourceProvider, ResourceTypeFacts, ResourceValues } from '@emu/core';

/** A provider of CloudFormation's own, which may exchange the resource while it changes it. */
export interface OwnProvider extends ResourceProvider {
  /** Changes the resource. @returns what it is then: another identifier has the old one deleted at the end */
  exchange?(
    identifier: string,
    previous: ResourceValues,
    desired: ResourceValues,
    ctx: ProviderContext,
  ): Promise<CreatedResource>;
}

/** The name that stands for any property in facts. */
export const ANY_PROPERTY = '*';

/** Facts of a type that takes any property. */
export const ANYTHING: ResourceTypeFacts = {
  primaryIdentifier: ['Id'],
  attributes: {},
  properties: { [ANY_PROPERTY]: { type: 'json' } },
};
