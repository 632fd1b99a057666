import { isObject, parseJson } from '@emu/wire';

/** An object of a policy's JSON. */
export type Json = Record<string, unknown>;

/** Returns a value, a list of values or undefined as a list. */
export const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Returns a string or the strings of a list as a list; ignores other values. */
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((one): one is string => typeof one === 'string');

/**
 * Parses the object of a policy's text, without checking its content; undefined for other texts. All JSON of policies
 * is parsed here.
 * @param text JSON, or anything
 */
export function readPolicy(text: string): Json | undefined {
  let document: unknown;
  try {
    document = parseJson(text);
  } catch {
    return undefined;
  }
  return isObject(document) ? document : undefined;
}

/** Returns the statements of a policy that are objects, in order, without checking their content. */
export const statementsOf = (document: Json | undefined): Json[] => listOf(document?.Statement).filter(isObject);
