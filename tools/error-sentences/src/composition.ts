import { HOLE, type Literal } from './literals.ts';

/** Whether a text contains adjacent words, as sentences do and names, numbers and masks (`***…***`) do not. */
export const hasWords = (text: string): boolean =>
  /[A-Za-z'"),.;:]\s+['"(]?[A-Za-z]/.test(text.replace(/\*\*\*.*?\*\*\*/g, ''));

/** Returns the source of a regular expression for a text with any content in its holes. */
export const patternOf = (text: string, hole: string): string =>
  text
    .split(HOLE)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(hole);

interface Template {
  readonly literal: Literal;
  /** Its parts besides holes, the longest first. */
  readonly parts: readonly string[];
}

/** Literals of some packages, indexed for the composition of messages. */
export class LiteralSet {
  readonly whole: ReadonlyMap<string, Literal>;
  /** Literals with words, for messages that continue after them. */
  readonly beginnings: readonly Literal[];
  /** Literals with most text of their own first, because they leave least to holes. */
  readonly templates: readonly Template[];

  constructor(readonly literals: readonly Literal[]) {
    this.whole = new Map(literals.map((literal) => [literal.text, literal]));
    this.beginnings = literals.filter(({ text }) => hasWords(text));
    const letters = ({ parts }: Template): number => parts.join('').length;
    this.templates = literals
      .filter(({ text }) => text.includes(HOLE) && /[A-Za-z]{2}/.test(text))
      .map((literal) => ({ literal, parts: literal.text.split(HOLE).sort((a, b) => b.length - a.length) }))
      .sort((a, b) => letters(b) - letters(a));
  }
}

/** Codes of a literal that is passed to functions with a fixed code. */
const ANY: Literal['codes'] = new Set([undefined]);

/** Composition of a message from literals. */
export interface Composition {
  /** The message. Parts that come from no literal are holes. */
  readonly message: string;
  /** Codes passed with the outermost literal. */
  readonly codes: Literal['codes'];
  /** Whether the outermost literal belongs to the package itself. */
  readonly isOwn: boolean;
}

/** Composes messages from literals. */
export class Composer {
  private readonly known = new Map<string, Composition | undefined>();

  /** @param sets literals of a package, and those of packages shared by all services */
  constructor(private readonly sets: readonly LiteralSet[]) {}

  /** Returns the texts of all literals. */
  *texts(): Generator<string> {
    for (const { whole } of this.sets) yield* whole.keys();
  }

  /** Whether a literal equals this text. */
  has(text: string): boolean {
    return this.sets.some(({ whole }) => whole.has(text));
  }

  /**
   * Finds the composition of a message from literals; undefined without one.
   * @param message with holes, or as recorded
   */
  compose(message: string): Composition | undefined {
    if (!this.known.has(message)) this.known.set(message, this.whole(message) ?? this.made(message));
    return this.known.get(message);
  }

  private whole(message: string): Composition | undefined {
    for (const { whole } of this.sets) {
      const literal = whole.get(message);
      if (literal) return { message, codes: literal.codes, isOwn: whole === this.sets[0]!.whole };
    }
    return undefined;
  }

  /** Returns the composition by the template with most text of its own, or by a literal at the start of the message. */
  private made(message: string): Composition | undefined {
    for (const [set, { templates }] of this.sets.entries())
      for (const { literal, parts } of templates) {
        if (!parts.every((part) => message.includes(part))) continue;
        for (const hole of ['([\\s\\S]*?)', '([\\s\\S]*)']) {
          const found = new RegExp(`^${patternOf(literal.text, hole)}$`).exec(message);
          const filled = found?.slice(1).map((part) => this.part(part));
          if (!filled || filled.includes(undefined)) continue;
          const text = literal.text.split(HOLE).reduce((whole, next, at) => whole + filled[at - 1] + next);
          return { message: text, codes: literal.codes, isOwn: set === 0 };
        }
      }
    for (const [set, { beginnings }] of this.sets.entries())
      for (const { text } of beginnings) {
        const rest = message.startsWith(text) ? this.part(message.slice(text.length)) : undefined;
        if (rest !== undefined) return { message: text + rest, codes: ANY, isOwn: set === 0 };
      }
    const start = message.endsWith(HOLE) ? this.compose(message.slice(0, -HOLE.length)) : undefined;
    return start && { ...start, message: start.message + HOLE };
  }

  /** Returns a part of a message: a hole without words, and undefined if no literal contains its words. */
  private part(text: string): string | undefined {
    if (text === '') return '';
    if (!hasWords(text)) return HOLE;
    // Surrounding punctuation comes from joins or brackets.
    const before = /^[^\w{]*/.exec(text)![0];
    const after = /[^\w}.]*$/.exec(text)![0];
    for (const [from, to] of [
      [0, text.length],
      [before.length, text.length - after.length],
      [before.length, text.length],
    ] as const) {
      const made = this.compose(text.slice(from, to));
      if (made) return text.slice(0, from) + made.message + text.slice(to);
    }
    return undefined;
  }
}
