import { parseJson } from '@emu/wire';
/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** Parses a text that contains a JSON object or array. */
export function contentOf(text: string): Json {
  try {
    const value = parseJson(text) as Json;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
