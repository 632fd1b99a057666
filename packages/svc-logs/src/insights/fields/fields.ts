import type { Value } from '../engine/values.ts';

/** Discovered fields of an event. */
export interface Fields {
  /** @param segments parts of the name, which may contain dots themselves */
  get(name: string, segments: readonly string[]): Value;
  entries(): Iterable<readonly [string, Value]>;
}
