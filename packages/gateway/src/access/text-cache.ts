/** Largest number of cached texts, and length of the longest. */
const MAX_TEXTS = 1000;
const LONGEST = 512;

/** Cache of results by texts that clients repeat, such as host names. Cleared as a whole when it is full. */
export class TextCache<Answer> {
  private readonly known = new Map<string, { readonly answer: Answer }>();

  constructor(private readonly find: (text: string) => Answer) {}

  /** Returns the result for a text, which is computed at its first use. */
  of(text: string): Answer {
    const known = this.known.get(text);
    if (known) return known.answer;
    const answer = this.find(text);
    if (text.length <= LONGEST) {
      if (this.known.size >= MAX_TEXTS) this.known.clear();
      this.known.set(text, { answer });
    }
    return answer;
  }

  /** Clears the cache. */
  clear(): void {
    this.known.clear();
  }
}
