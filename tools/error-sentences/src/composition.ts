import { HOLE, type Literal } from './literals.ts';

/** Whether a text has words next to each other, as sentences have and names, numbers and masks (`***…***`) do not. */
export const hasWords = (text: string): boolean =>
  /[A-Za-z'"),.;:]\s+['"(]?[A-Za-z]/.test(text.replace(/\*\*\*.*?\*\*\*/g, ''));

/** Returns the source of a regular expression for a text with something in its holes. */
export const patternOf = (text: string, hole: string): string =>
  text
    .split(HOLE)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(hole);

interface Template {
  readonly literal: Literal;
  /** What it has besides holes, the longest part first. */
  readonly parts: readonly string[];
}

/** The literals of some packages, by how messages are made of them. */
export class LiteralSet {
  readonly whole: ReadonlyMap<string, Literal>;
  /** Literals with words, for messages that go on after them. */
  readonly beginnings: readonly Literal[];
  /** Those with most of their own text first: they leave least to their holes. */
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

/** The codes of a literal that is given to functions which know more. */
const ANY: Literal['codes'] = new Set([undefined]);

/** How literals make a message. */
export interface Composition {
  /** The message; parts that come from no literal are holes. */
  readonly message: string;
  /** The codes that the outermost literal is given. */
  readonly codes: Literal['codes'];
  /** Whether the outermost literal is the package's own. */
  readonly isOwn: boolean;
}

/** Composes messages from literals. */
export class Composer {
  private readonly known = new Map<string, Composition | undefined>();

  /** @param sets a package's own literals, and those of packages that all services use */
  constructor(private readonly sets: readonly LiteralSet[]) {}

  /** Returns the texts of all literals. */
  *texts(): Generator<string> {
    for (const { whole } of this.sets) yield* whole.keys();
  }

  /** Whether a literal is this text. */
  has(text: string): boolean {
    return this.sets.some(({ whole }) => whole.has(text));
  }

  /** Finds how literals make a message; undefined where they do not. @param message with holes, or as it was answered */
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

  /** The composition by the template with most text of its own, or by a literal that the message begins with. */
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

  /** Returns a part of a message: a hole where it has no words, and undefined where no literal has its words. */
  private part(text: string): string | undefined {
    if (text === '') return '';
    if (!hasWords(text)) return HOLE;
    // Signs around it come from what joins parts or puts them in brackets.
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
