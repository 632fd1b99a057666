/** Returns the number of characters to insert, remove or replace to turn one text into another (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** Prefix of all variables of emu, which does not count for similarity. */
const PREFIX = 'EMULATOR_';

/** Returns the word most similar to `name`, for "did you mean"; undefined if none is similar. */
export function nearest(name: string, words: readonly string[]): string | undefined {
  let best: string | undefined;
  const own = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
  let least = Math.max(2, Math.floor(own.length / 4)) + 1;
  for (const word of words) {
    const steps = distance(name, word);
    if (steps < least) [best, least] = [word, steps];
  }
  return best;
}
