/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  [key: string]: Json;
}

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text as JSON, or as itself where it is none. */
export function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
