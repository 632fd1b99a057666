/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  [key: string]: Json;
}

/** A text that holds an object or list, as what it holds. */
export function contentOf(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
