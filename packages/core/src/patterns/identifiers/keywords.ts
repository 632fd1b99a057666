/** Characters between a keyword and the data, at most. */
const DISTANCE = 30;
/** Letters from which on a keyword may be a part of a word, such as a member's name. */
const LONG = 5;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Where keywords are in a text, in order. */
class KeywordSpots {
  constructor(private readonly spots: readonly { readonly start: number; readonly end: number }[]) {}

  get isEmpty(): boolean {
    return this.spots.length === 0;
  }

  /** Whether one is near a part of the text. */
  isNear(start: number, end: number): boolean {
    const { spots } = this;
    let low = 0;
    let high = spots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spots[middle]!.end < start - DISTANCE) low = middle + 1;
      else high = middle;
    }
    // Spots do not overlap, so that few of them are within reach; those inside the data do not count.
    for (let index = low; index < spots.length && spots[index]!.start <= end + DISTANCE; index++)
      if (spots[index]!.end <= start || spots[index]!.start >= end) return true;
    return false;
  }
}

/** What has to be near data. Keywords with spaces are found without them, and with `_` or `-` in their place, too. */
export class Keywords {
  private readonly pattern: RegExp;

  /** @param words in any case */
  constructor(words: readonly string[]) {
    const alone: string[] = [];
    const anywhere: string[] = [];
    for (const word of words) (word.length < LONG ? alone : anywhere).push(word.split(' ').map(escaped).join('[ _-]?'));
    const parts = [...anywhere];
    if (alone.length) parts.push(`(?<![\\p{L}\\p{N}])(?:${alone.join('|')})(?![\\p{L}\\p{N}])`);
    this.pattern = new RegExp(parts.join('|'), 'giu');
  }

  /** Where they are in a text. */
  in(text: string): KeywordSpots {
    const spots = [...text.matchAll(this.pattern)].map(({ 0: found, index: start }) => ({
      start,
      end: start + found.length,
    }));
    return new KeywordSpots(spots);
  }
}
