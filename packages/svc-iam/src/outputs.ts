/** The answer of an operation that answers nothing. */
export type Empty = Record<string, never>;

/** @see Empty */
export const NOTHING: Empty = Object.freeze({});
