/** Maximum characters between a keyword and the data. */
const DISTANCE = 30;
/** Minimum number of letters of a keyword that also matches inside of a word, such as a member's name. */
const LONG = 5;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Positions of keywords in a text, in order. */
class KeywordSpots {
  constructor(private readonly spots: readonly { readonly start: number; readonly end: number }[]) {}

  get isEmpty(): boolean {
    return this.spots.length === 0;
  }

  /** Whether a keyword is near a part of the text. */
  isNear(start: number, end: number): boolean {
    const { spots } = this;
    let low = 0;
    let high = spots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spots[middle]!.end < start - DISTANCE) low = middle + 1;
      else high = middle;
    }
    // Positions do not overlap, so that few of them are within the distance; those inside the data do not count.
    for (let index = low; index < spots.length && spots[index]!.start <= end + DISTANCE; index++)
      if (spots[index]!.end <= start || spots[index]!.start >= end) return true;
    return false;
  }
}

/** Keywords that must be near data. A space in a keyword also matches nothing, `_` and `-`. */
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

  /** Returns the keywords' positions in a text. */
  in(text: string): KeywordSpots {
    const spots = [...text.matchAll(this.pattern)].map(({ 0: found, index: start }) => ({
      start,
      end: start + found.length,
    }));
    return new KeywordSpots(spots);
  }
}
