/**
 * Java's POSIX and Unicode classes with another spelling in JavaScript, as contents of a character class. Others
 * (`\p{L}`, `\p{Zs}`, …) are equal.
 */
const NAMED_CLASSES: Record<string, string> = {
  Alnum: 'a-zA-Z0-9',
  Alpha: 'a-zA-Z',
  ASCII: '\\x00-\\x7f',
  Blank: ' \\t',
  Cntrl: '\\x00-\\x1f\\x7f',
  Digit: '0-9',
  Graph: '!-~',
  Lower: 'a-z',
  Print: ' -~',
  Punct: '!-\\/:-@\\[-`\\{-~',
  Space: '\\t-\\r ',
  Upper: 'A-Z',
  XDigit: '0-9a-fA-F',
  IsAlphabetic: '\\p{Alphabetic}',
  IsDigit: '\\p{Nd}',
  IsLetter: '\\p{L}',
  IsLowercase: '\\p{Lowercase}',
  IsUppercase: '\\p{Uppercase}',
  IsWhitespace: '\\p{White_Space}',
  LD: '\\p{L}\\p{Nd}',
  all: '\\p{Any}',
};

/** Escapes with the same meaning inside and outside of a class, as class contents. Java's `\s` is ASCII only. */
const SETS: Record<string, string> = {
  d: '\\d',
  D: '\\D',
  w: '\\w',
  W: '\\W',
  s: '\\t-\\r ',
  S: '\\x00-\\x08\\x0e-\\x1f!-\\u{10ffff}',
  h: ' \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000',
};

/** A single character, or a set of them in class notation. */
interface Atom {
  text: string;
  set: boolean;
}

/** Escapes one character for the `u` flag, inside and outside of classes. */
function literal(char: string, inClass: boolean): string {
  return (inClass ? /[\^$\\.*+?()[\]{}|/-]/ : /[\^$\\.*+?()[\]{}|/]/).test(char) ? `\\${char}` : char;
}

/** Translates one pattern, character by character. */
class Translator {
  private readonly source: string;
  private index = 0;
  private out = '';
  private readonly groups: { start: number; lookaround: boolean }[] = [];
  /** Position in the output at which the assertion that ends at `assertionEnd` begins. */
  private assertion = 0;
  private assertionEnd = -1;

  constructor(source: string) {
    this.source = source;
  }

  translate(): { body: string; flags: string } {
    const head = /^\^?\(\?([is]+)\)/.exec(this.source);
    if (head) this.index = head[0].length;
    while (this.index < this.source.length) this.next();
    return { body: this.out, flags: `u${[...new Set(head?.[1] ?? '')].join('')}` };
  }

  private fail(what: string): never {
    throw new SyntaxError(`pattern ${this.source}: ${what}`);
  }

  /** Consumes the code point at the current position. */
  private take(): string {
    const point = this.source.codePointAt(this.index);
    if (point === undefined) return this.fail('ends too early');
    const char = String.fromCodePoint(point);
    this.index += char.length;
    return char;
  }

  private next(): void {
    const rest = this.source.slice(this.index, this.index + 24);
    const char = this.take();
    if (char === '\\') this.escape();
    else if (char === '[') this.characterClass();
    else if (char === '(') this.open(rest);
    else if (char === ')') {
      const group = this.groups.pop();
      this.out += ')';
      if (group?.lookaround) this.endAssertion(group.start);
    } else if (char === '$' || char === '^') {
      this.out += char;
      this.endAssertion(this.out.length - 1);
    } else if (char === '*' || char === '+' || char === '?') this.quantifier(char);
    else if (char === '{') {
      const bounds = /^\{\d+(?:,\d*)?\}/.exec(rest)?.[0];
      if (bounds === undefined) this.out += '\\{';
      else {
        this.index += bounds.length - 1;
        this.quantifier(bounds);
      }
    } else if (char === '}' || char === ']' || char === '/') this.out += `\\${char}`;
    else this.out += char;
  }

  private open(rest: string): void {
    if (/^\(\?[ismx-]+[:)]/.test(rest)) this.fail('flags are only supported at its beginning');
    this.groups.push({ start: this.out.length, lookaround: /^\(\?<?[=!]/.test(rest) });
    const special = /^\(\?(?:>|:|<?[=!]|<[A-Za-z][A-Za-z0-9]*>)/.exec(rest)?.[0];
    // An atomic group only fails earlier.
    this.out += special === '(?>' ? '(?:' : (special ?? '(');
    this.index += (special ?? '(').length - 1;
  }

  /**
   * Drops a possessive `+`, which only fails earlier, except in patterns that can never match. Java allows repeated
   * assertions; JavaScript requires a group around them.
   */
  private quantifier(text: string): void {
    if (this.assertionEnd === this.out.length)
      this.out = `${this.out.slice(0, this.assertion)}(?:${this.out.slice(this.assertion)})`;
    this.out += text;
    if (this.source[this.index] === '+') this.index++;
    else if (this.source[this.index] === '?') {
      this.index++;
      this.out += '?';
    }
  }

  private endAssertion(start: number): void {
    this.assertion = start;
    this.assertionEnd = this.out.length;
  }

  private escape(): void {
    const char = this.source[this.index];
    if (char === 'A' || char === 'z' || char === 'Z') {
      this.index++;
      this.out += char === 'A' ? '^' : '$';
    } else if (char !== undefined && /[bB1-9k]/.test(char)) {
      this.index++;
      this.out += `\\${char}`;
    } else {
      const atom = this.escapedAtom(false);
      this.out += atom.set ? `[${atom.text}]` : atom.text;
    }
  }

  /** Translates an escape within a class. */
  private escapedAtom(inClass: boolean): Atom {
    const char = this.take();
    const set = Object.hasOwn(SETS, char) ? SETS[char] : undefined;
    if (set !== undefined) return { text: set, set: true };
    if (char === 'p' || char === 'P') return this.property(char);
    if (/[tnrfv]/.test(char)) return { text: `\\${char}`, set: false };
    if (char === 'a') return { text: '\\x07', set: false };
    if (char === 'e') return { text: '\\x1b', set: false };
    if (char === 'u' || char === 'x') return this.codePoint(char);
    if (char === '0') return this.octal();
    if (/[A-Za-z0-9]/.test(char)) return this.fail(`\\${char} is not supported`);
    return { text: literal(char, inClass), set: false };
  }

  private codePoint(kind: string): Atom {
    const rest = this.source.slice(this.index, this.index + 16);
    const pair = kind === 'u' ? /^[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/.exec(rest) : null;
    const digits = pair ?? (kind === 'u' ? /^[0-9a-fA-F]{4}/ : /^(?:[0-9a-fA-F]{2}|\{[0-9a-fA-F]{1,6}\})/).exec(rest);
    if (!digits) return this.fail(`\\${kind} without its digits`);
    this.index += digits[0].length;
    const braces = digits[0].startsWith('{');
    return { text: braces ? `\\u${digits[0]}` : `\\${kind}${digits[0]}`, set: false };
  }

  private octal(): Atom {
    const digits = /^(?:[0-3][0-7]{2}|[0-7]{1,2})/.exec(this.source.slice(this.index))?.[0];
    if (digits === undefined) return this.fail('\\0 without its digits');
    this.index += digits.length;
    return { text: `\\x${Number.parseInt(digits, 8).toString(16).padStart(2, '0')}`, set: false };
  }

  private property(kind: string): Atom {
    const braces = /^\{(\^?)([A-Za-z_=]+)\}|^([A-Z])/.exec(this.source.slice(this.index));
    if (!braces) return this.fail(`\\${kind} without its name`);
    this.index += braces[0].length;
    const name = (braces[2] ?? braces[3])!;
    const known = Object.hasOwn(NAMED_CLASSES, name) ? NAMED_CLASSES[name] : undefined;
    if (known === undefined) return { text: `\\${kind}{${name.replace(/^Is(?=[A-Z])/, '')}}`, set: true };
    if (kind === 'p') return { text: known, set: true };
    const single = /^\\p(\{[A-Za-z_]+\})$/.exec(known);
    return single ? { text: `\\P${single[1]}`, set: true } : this.fail(`\\P{${name}} is not supported`);
  }

  private classAtom(): Atom {
    const char = this.take();
    if (char === '\\') return this.escapedAtom(true);
    if (char === '[' && this.source[this.index] === ':') {
      const posix = /^:([a-z]+):\]/.exec(this.source.slice(this.index));
      const name = posix && `${posix[1]!.slice(0, 1).toUpperCase()}${posix[1]!.slice(1)}`;
      if (posix && name && Object.hasOwn(NAMED_CLASSES, name)) {
        this.index += posix[0].length;
        return { text: NAMED_CLASSES[name]!, set: true };
      }
    }
    if (char === '&' && this.source[this.index] === '&') return this.fail('intersections are not supported');
    return { text: literal(char, true), set: false };
  }

  private characterClass(): void {
    this.out += '[';
    if (this.source[this.index] === '^') {
      this.index++;
      this.out += '^';
    }
    for (let first = true; first || this.source[this.index] !== ']'; first = false) {
      const from = this.classAtom();
      const ranges = this.source[this.index] === '-' && ![']', undefined].includes(this.source[this.index + 1]);
      if (!ranges || from.set) {
        this.out += from.text;
        continue;
      }
      this.index++;
      const to = this.classAtom();
      this.out += to.set ? `${from.text}\\-${to.text}` : `${from.text}-${to.text}`;
    }
    this.index++;
    this.out += ']';
  }
}

/**
 * Translates a model's pattern, a Java regular expression, into a JavaScript one with the `u` flag.
 * @throws SyntaxError for constructs without an equivalent in JavaScript (intersections, flags in the middle, …)
 */
export function translatePattern(pattern: string): { body: string; flags: string } {
  return new Translator(pattern).translate();
}
