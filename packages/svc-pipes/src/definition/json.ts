import type { Json, JsonObject } from '@emu/polling';

export type { Json, JsonObject };

/** A text as JSON, or as itself where it is none. */
export function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
