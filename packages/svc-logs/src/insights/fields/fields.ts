import type { Value } from '../engine/values.ts';

/** Fields that were discovered in an event. */
export interface Fields {
  /** @param segments the parts of the name, which may have dots themselves */
  get(name: string, segments: readonly string[]): Value;
  entries(): Iterable<readonly [string, Value]>;
}
