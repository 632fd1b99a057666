/** Kinds of endpoints, in the order in which one of several tells the kind of an API. */
const KINDS = ['REGIONAL', 'EDGE', 'PRIVATE'] as const;
export type EndpointKind = (typeof KINDS)[number];

/** The kind of an API by the types of its endpoint: AWS makes it edge-optimized where none is named. */
export const endpointKindOf = (types: readonly string[] | undefined): EndpointKind =>
  KINDS.find((kind) => types?.includes(kind)) ?? 'EDGE';
