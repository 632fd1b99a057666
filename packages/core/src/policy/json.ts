/** An object of a policy's JSON. */
export type Json = Record<string, unknown>;

/** Whether a value is an object of JSON. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What may be there once, several times or not at all, as a list. */
export const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
