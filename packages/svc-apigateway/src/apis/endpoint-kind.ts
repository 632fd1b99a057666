/** Kinds of endpoints; the first one present determines the kind of an API. */
const KINDS = ['REGIONAL', 'EDGE', 'PRIVATE'] as const;
export type EndpointKind = (typeof KINDS)[number];

/** Returns the kind of an API from its endpoint types; edge-optimized by default, as in AWS. */
export const endpointKindOf = (types: readonly string[] | undefined): EndpointKind =>
  KINDS.find((kind) => types?.includes(kind)) ?? 'EDGE';
