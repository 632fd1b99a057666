/** Most texts that are remembered, and characters of the longest of them. */
const MOST = 1000;
const LONGEST = 512;

/** Answers to questions about texts that clients repeat all day, such as host names; forgotten all at once when they are many. */
export class Remembered<Answer> {
  private readonly known = new Map<string, { readonly answer: Answer }>();

  constructor(private readonly find: (text: string) => Answer) {}

  /** The answer for a text: found at its first use. */
  of(text: string): Answer {
    const known = this.known.get(text);
    if (known) return known.answer;
    const answer = this.find(text);
    if (text.length <= LONGEST) {
      if (this.known.size >= MOST) this.known.clear();
      this.known.set(text, { answer });
    }
    return answer;
  }

  /** Forgets every answer. */
  clear(): void {
    this.known.clear();
  }
}
