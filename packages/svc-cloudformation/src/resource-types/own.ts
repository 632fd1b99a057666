import type {
  CreatedResource,
  ProviderContext,
  ResourceProvider,
  ResourceTypeFacts,
  ResourceValues,
} from '@emu/core/service';

/** Result of a provider of CloudFormation's own types. */
export interface OwnResource extends CreatedResource {
  /** Whether its attributes are NoEcho: visible to other resources only. */
  readonly noEcho?: boolean;
}

/** A provider of CloudFormation's own types, which may replace the resource in an update. */
export interface OwnProvider extends ResourceProvider {
  create(properties: ResourceValues, ctx: ProviderContext): Promise<OwnResource>;
  /**
   * Updates the resource.
   * @returns its new state; if the identifier changed, the old resource is deleted at the end
   */
  exchange?(
    identifier: string,
    previous: ResourceValues,
    desired: ResourceValues,
    ctx: ProviderContext,
  ): Promise<OwnResource>;
}

/** Name for any property in facts. */
export const ANY_PROPERTY = '*';

/** Facts of a type with arbitrary properties. */
export const ANYTHING: ResourceTypeFacts = {
  primaryIdentifier: ['Id'],
  attributes: {},
  properties: { [ANY_PROPERTY]: { type: 'json' } },
};
