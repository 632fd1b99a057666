import type { Json, JsonObject } from '@emu/polling';

export type { Json, JsonObject };

/** Parses JSON, or returns the text itself if it is invalid. */
export function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
