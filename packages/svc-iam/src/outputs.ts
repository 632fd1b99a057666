/** Empty response. */
export type Empty = Record<string, never>;

/** @see Empty */
export const NOTHING: Empty = Object.freeze({});
