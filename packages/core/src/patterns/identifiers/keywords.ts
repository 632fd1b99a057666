/** Characters between a keyword and the data, at most. */
const DISTANCE = 30;
/** Letters from which on a keyword may be a part of a word, such as a member's name. */
const LONG = 5;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What has to be near data. Keywords with spaces are found without them, and with `_` or `-` in their place, too. */
export class Keywords {
  private readonly pattern: RegExp;
  private readonly longest: number;

  /** @param words in any case */
  constructor(words: readonly string[]) {
    const alone: string[] = [];
    const anywhere: string[] = [];
    for (const word of words) (word.length < LONG ? alone : anywhere).push(word.split(' ').map(escaped).join('[ _-]?'));
    const parts = [...anywhere];
    if (alone.length) parts.push(`(?<![\\p{L}\\p{N}])(?:${alone.join('|')})(?![\\p{L}\\p{N}])`);
    this.pattern = new RegExp(parts.join('|'), 'giu');
    this.longest = Math.max(...words.map(({ length }) => length));
  }

  /** Whether one is near a part of a text. */
  isNear(text: string, start: number, end: number): boolean {
    const reach = DISTANCE + this.longest;
    const from = Math.max(0, start - reach);
    for (const match of text.slice(from, start).matchAll(this.pattern))
      if (from + match.index + match[0].length >= start - DISTANCE) return true;
    for (const match of text.slice(end, end + reach).matchAll(this.pattern)) if (match.index <= DISTANCE) return true;
    return false;
  }
}
