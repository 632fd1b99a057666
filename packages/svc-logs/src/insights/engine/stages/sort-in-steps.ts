import type { Steps } from './stage.ts';

/** Number of items of a step. */
const STEP = 128;

/**
 * Sorts items stably in short steps.
 * @returns the sorted items
 */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<readonly Item[]> {
  let sorted: Item[] = [];
  for (let at = 0; at < items.length; at += STEP) {
    sorted.push(...items.slice(at, at + STEP).sort(compare));
    yield;
  }
  for (let width = STEP; width < items.length; width *= 2) {
    const merged: Item[] = [];
    for (let at = 0; at < sorted.length; at += 2 * width) {
      const middle = Math.min(at + width, sorted.length);
      const end = Math.min(middle + width, sorted.length);
      let [left, right] = [at, middle];
      while (left < middle || right < end) {
        const isLeft = right >= end || (left < middle && compare(sorted[left]!, sorted[right]!) <= 0);
        merged.push(sorted[isLeft ? left++ : right++]!);
        if (merged.length % STEP === 0) yield;
      }
    }
    sorted = merged;
  }
  return sorted;
}
