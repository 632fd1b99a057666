import { isObject } from '@emu/wire';

/** An object of a policy's JSON. */
export type Json = Record<string, unknown>;

/** What may be there once, several times or not at all, as a list. */
export const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The strings of what may be one or a list of them; everything else is left out. */
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((one): one is string => typeof one === 'string');

/**
 * The object a policy's text is, whatever is in it; undefined for other texts. Policies are read as JSON here only.
 * @param text JSON, or anything
 */
export function readPolicy(text: string): Json | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isObject(document) ? document : undefined;
}

/** The statements of a policy that are objects, in their order, whatever is in them. */
export const statementsOf = (document: Json | undefined): Json[] => listOf(document?.Statement).filter(isObject);
