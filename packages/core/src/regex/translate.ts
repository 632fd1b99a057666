import { RE2JS } from 're2js';

/** A regular expression that is invalid, needs more than linear time, or exceeds a limit. */
export class RegexError extends Error {
  override readonly name = 'RegexError';

  constructor(
    message: string,
    /** Whether the expression is also invalid for AWS. */
    readonly invalid = false,
  ) {
    super(message);
  }
}

/** A look-ahead at the start of an alternative. */
export interface LookAhead {
  /** RE2 source. */
  readonly source: string;
  readonly negative: boolean;
}

/** An alternative of an expression: it matches where its look-aheads hold. */
export interface Alternative {
  /** RE2 source. */
  readonly source: string;
  readonly lookAheads: readonly LookAhead[];
  /** Whether it begins with `^`. */
  readonly anchored: boolean;
}

/** An expression in RE2's syntax. */
export interface Translation {
  readonly alternatives: readonly Alternative[];
  /** Whether a look-ahead contains a capturing group, which would change the numbers of later groups. */
  readonly capturesAhead: boolean;
}

/** A translated part of an expression. */
interface Piece {
  readonly source: string;
  /** Number of characters, classes and assertions after the expansion of repetitions. */
  readonly size: number;
  /** Largest product of nested repetition counts. */
  readonly repeats: number;
}

/** Limit of an expression's size after the expansion of repetitions. */
const MAX_SIZE = 5000;
/** Factor for the size of repeated capturing groups: a match stores all groups for each copy. */
const CAPTURE_WEIGHT = 2;
/** Limit of nested groups. */
const MAX_DEPTH = 200;
/** Limit of nested groups with look-aheads. */
const MAX_CHOICES = 10;
/** Limit of RE2 for repetition counts and the product of nested ones. */
const MAX_REPEATS = 1000;
/** Limit of different characters with possessive quantifiers; each is compiled, which takes up to a millisecond. */
const MAX_POSSESSIVE = 20;

/** POSIX classes by their Java names. */
const JAVA_CLASSES: Readonly<Record<string, string>> = {
  Alpha: 'alpha',
  Lower: 'lower',
  Upper: 'upper',
  Digit: 'digit',
  Alnum: 'alnum',
  Punct: 'punct',
  Graph: 'graph',
  Print: 'print',
  Blank: 'blank',
  Cntrl: 'cntrl',
  XDigit: 'xdigit',
  Space: 'space',
  ASCII: 'ascii',
};

/** What `.` matches: RE2 excludes `\n` only. */
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

const REPETITION = /\{(\d+)(?:(,)(\d*))?\}|[*+?]/y;
const GROUP = /\((?:\?(?:(:|<[=!]|P?<[A-Za-z]\w*>)|([a-zA-Z-]+)([:)])))?/y;
/** A group whose first alternative begins with a look-ahead. */
const CHOICE = /\((?:\?:)?(?=\(\?[=!])/y;
/** A character, a class or an escape for one of several characters. */
const SINGLE = /(?=\\[^ABGQRZbkz]|[^\\()|^$*+?])/y;
const POSIX_CLASS = /\[:\^?\w+:\]/y;
const HEX = /u([0-9A-Fa-f]{4})(?:\\u([Dd][C-Fc-f][0-9A-Fa-f]{2}))?|[ux]\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})/y;
const PROPERTY = /[pP](?:\{(\^?)(?:(?:Script|sc|General_Category|gc|script|general_category)=|Is)?(\w+)\}|([A-Z]))/y;

/** Escapes a character outside of classes; others than ASCII punctuation stand for themselves. */
const literal = (character: string): string => character.replace(/[\\^$.|?+*()[\]{}]/, '\\$&');
const hex = (code: string): string => `\\x{${code}}`;
const unsupported = (what: string): RegexError => new RegexError(`${what} are not supported in regular expressions`);
const invalid = (source: string): RegexError => new RegexError(`Invalid regular expression: ${source}`, true);

/** Translates the common syntax of Java's and JavaScript's regular expressions to that of RE2. */
export class Translator {
  private at = 0;
  private captures = 0;
  private choices = 0;
  /** Compiled characters with possessive quantifiers, by source. */
  private readonly possessive = new Map<string, RE2JS>();
  private flags = '';
  private capturesAhead = false;
  private readonly dotMatchesAll: boolean;

  constructor(
    private readonly source: string,
    /** Whether look-aheads at the start of an alternative are allowed without `^`. */
    private readonly whole: boolean,
    dotAll = false,
  ) {
    this.dotMatchesAll = dotAll || /\(\?[a-z]*s/.test(source);
  }

  /** @throws RegexError */
  translate(): Translation {
    const alternatives: Alternative[] = [];
    let size = 0;
    do {
      const { piece, alternatives: added } = this.sequence(0);
      size += piece.size;
      alternatives.push(...added);
    } while (this.take('|'));
    if (this.at < this.source.length) throw invalid(this.source);
    this.checkSize(size);
    return { alternatives, capturesAhead: this.capturesAhead };
  }

  private checkSize(size: number): void {
    if (size > MAX_SIZE) throw new RegexError('The regular expression is too large');
  }

  private take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.source);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  /** Translates alternatives up to the end of their group. */
  private disjunction(depth: number): Piece {
    if (depth > MAX_DEPTH) throw new RegexError('The regular expression has too many nested groups');
    const pieces: Piece[] = [];
    do pieces.push(this.sequence(depth).piece);
    while (this.take('|'));
    if (!this.take(')')) throw invalid(this.source);
    return {
      source: pieces.map((piece) => piece.source).join('|'),
      size: pieces.reduce((sum, piece) => sum + piece.size, 2),
      repeats: Math.max(...pieces.map((piece) => piece.repeats)),
    };
  }

  /**
   * Translates a sequence.
   * @returns it as one piece, and as alternatives with their look-ahead
   */
  private sequence(depth: number): { piece: Piece; alternatives: Alternative[] } {
    // Flags apply to later alternatives, which are compiled on their own if one has a look-ahead.
    const parts: string[] = [depth === 0 ? this.flags : ''];
    const lookAheads: LookAhead[] = [];
    let [size, repeats, anchored, begins] = [0, 1, false, true];
    let choice:
      | { readonly at: number; readonly size: number; readonly alternatives: readonly Alternative[] }
      | undefined;
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const ahead = this.take('(?=') ? '=' : this.take('(?!') ? '!' : undefined;
      if (ahead !== undefined) {
        if (depth > 0 || !begins || !(anchored || this.whole)) throw unsupported('Look-aheads inside of an expression');
        const captures = this.captures;
        const inner = this.disjunction(depth + 1);
        this.capturesAhead ||= this.captures > captures;
        lookAheads.push({ source: `${this.flags}(?:${inner.source})`, negative: ahead === '!' });
        size += inner.size;
        continue;
      }
      const start = this.take('^') ? '^' : this.take('\\A') ? '\\A' : undefined;
      if (start !== undefined) {
        anchored ||= begins;
        parts.push(start);
        size++;
        continue;
      }
      if (depth === 0 && begins && this.whole && this.match(CHOICE)) {
        choice = { at: parts.length, ...this.choice() };
        begins = false;
        continue;
      }
      const flags = this.flags;
      const piece = this.quantified(depth);
      parts.push(piece.source);
      size += piece.size;
      repeats = Math.max(repeats, piece.repeats);
      begins &&= depth === 0 && this.flags !== flags;
      this.checkSize(size);
    }
    if (!choice) {
      const source = parts.join('');
      return { piece: { source, size, repeats }, alternatives: [{ source, lookAheads, anchored }] };
    }
    const [before, after] = [parts.slice(0, choice.at).join(''), parts.slice(choice.at).join('')];
    const alternatives = choice.alternatives.map((one) => ({
      source: `${before}(?:${one.source})${after}`,
      lookAheads: [...lookAheads, ...one.lookAheads],
      anchored: anchored || one.anchored,
    }));
    const total = size * alternatives.length + choice.size;
    this.checkSize(total);
    return {
      piece: { source: alternatives.map(({ source }) => source).join('|'), size: total, repeats },
      alternatives,
    };
  }

  /** Translates a group at the start, after its parenthesis: what follows it is repeated for each of its alternatives. */
  private choice(): { size: number; alternatives: Alternative[] } {
    if (++this.choices > MAX_CHOICES)
      throw new RegexError('The regular expression has too many groups with look-aheads');
    const { flags } = this;
    const alternatives: Alternative[] = [];
    let size = 0;
    do {
      const sequence = this.sequence(0);
      size += sequence.piece.size;
      alternatives.push(...sequence.alternatives);
    } while (this.take('|'));
    if (!this.take(')')) throw invalid(this.source);
    if (this.match(REPETITION)) throw unsupported('Look-aheads inside of an expression');
    this.flags = flags;
    return { size, alternatives };
  }

  private quantified(depth: number): Piece {
    const captures = this.captures;
    const isSingle = this.match(SINGLE) !== null;
    const piece = this.atom(depth);
    const match = this.match(REPETITION);
    if (!match) return piece;
    const [token, least, comma, most] = match;
    if (this.take('+') && !(isSingle && this.neverGivesBack(piece.source, depth)))
      throw unsupported('Possessive quantifiers other than of characters, before a different character or at the end');
    const lazy = this.take('?') ? '?' : '';
    if (least === undefined) return { ...piece, source: `${piece.source}${token}${lazy}`, size: piece.size + 1 };
    const from = Number(least);
    const to = comma === undefined ? from : most ? Number(most) : Number.POSITIVE_INFINITY;
    if (to < from) throw invalid(this.source);
    const count = Number.isFinite(to) ? to : from + 1;
    const size = Math.max(piece.size, 1) * Math.max(count, 1);
    this.checkSize(size);
    const counted = Number.isFinite(to) ? to : from;
    if (counted * piece.repeats <= MAX_REPEATS) {
      const weight = this.captures > captures ? CAPTURE_WEIGHT : 1;
      return {
        source: `${piece.source}${token}${lazy}`,
        size: size * weight,
        repeats: Math.max(counted, 1) * piece.repeats,
      };
    }
    if (this.captures > captures) throw unsupported(`Repetitions of capturing groups above ${MAX_REPEATS}`);
    const step = Math.max(1, Math.floor(MAX_REPEATS / piece.repeats));
    const rest = Number.isFinite(to) ? optional(piece.source, to - from, step, lazy) : `${piece.source}*${lazy}`;
    return { source: `(?:${exactly(piece.source, from, step)}${rest})`, size, repeats: MAX_REPEATS };
  }

  /**
   * Whether a repeated character never has to give back what it has matched, so that a possessive quantifier means the
   * same as a greedy one: what follows is the end of the expression, or a character that it does not match.
   * @param source of the repeated character
   */
  private neverGivesBack(source: string, depth: number): boolean {
    const rest = this.source.slice(this.at);
    const [end, bar] = /^\)*(?:\$|\\z)?(?:$|(\|))/.exec(rest) ?? [];
    if (end !== undefined && (bar === undefined || (depth === 0 && !end.startsWith(')')))) return true;
    const [whole, escaped, plain] = /^(?:\\([^A-Za-z0-9])|([^\\()[\]{}|.^$*+?]))/u.exec(rest) ?? [];
    const next = escaped ?? plain;
    if (whole === undefined || next === undefined || /^(?:[*?]|\{0)/.test(rest.slice(whole.length))) return false;
    return !this.repeatedCharacter(source).matches(next);
  }

  private repeatedCharacter(source: string): RE2JS {
    const known = this.possessive.get(source);
    if (known) return known;
    if (this.possessive.size >= MAX_POSSESSIVE)
      throw unsupported(`Possessive quantifiers of more than ${MAX_POSSESSIVE} different characters`);
    try {
      // With these flags it matches most.
      const regex = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
      this.possessive.set(source, regex);
      return regex;
    } catch {
      throw invalid(this.source);
    }
  }

  private atom(depth: number): Piece {
    const one = (source: string): Piece => ({ source, size: 1, repeats: 1 });
    const character = String.fromCodePoint(this.source.codePointAt(this.at)!);
    switch (character) {
      case '(':
        return this.group(depth);
      case '[':
        return one(this.characterClass());
      case '\\':
        this.at++;
        return one(this.escape(false));
      case '.':
        this.at++;
        return one(this.dotMatchesAll ? '.' : NOT_LINE_END);
      case '$':
        this.at++;
        return one(character);
      case '*':
      case '+':
      case '?':
        throw invalid(this.source);
      default:
        this.at += character.length;
        return one(literal(character));
    }
  }

  private group(depth: number): Piece {
    const [token, kind, flags, end] = this.match(GROUP)!;
    if (this.source[this.at] === '?' && token === '(')
      throw this.source[this.at + 1] === '>' ? unsupported('Atomic groups') : invalid(this.source);
    if (flags !== undefined) {
      // The flags `u` and `d` of Java change what RE2 does anyway.
      if (/[^imsud-]/.test(flags)) throw unsupported(`Flags such as (?${flags})`);
      const kept = flags.replace(/[ud]/g, '');
      if (end === ')') {
        const source = kept === '' || kept === '-' ? '' : `(?${kept})`;
        if (depth === 0) this.flags += source;
        return { source, size: 0, repeats: 1 };
      }
      const inner = this.disjunction(depth + 1);
      return { ...inner, source: `(?${kept === '-' ? '' : kept}:${inner.source})` };
    }
    if (token === '(' || kind?.endsWith('>')) this.captures++;
    const inner = this.disjunction(depth + 1);
    return { ...inner, source: `${token}${inner.source})` };
  }

  /** Translates an escape after its backslash. */
  private escape(inClass: boolean): string {
    const character = this.source[this.at];
    if (character === undefined) throw invalid(this.source);
    if (/[1-9]/.test(character) || (character === 'k' && this.source[this.at + 1] === '<'))
      throw unsupported('Back references');
    const code = this.match(HEX);
    if (code) return codeOf(code);
    const property = this.match(PROPERTY);
    if (property) return propertyOf(property, inClass);
    this.at++;
    switch (character) {
      case '0':
        return hex(Number.parseInt(this.match(/[0-3]?[0-7]{1,2}/y)?.[0] ?? '0', 8).toString(16));
      case 'b':
        return inClass ? hex('8') : '\\b';
      case 'c':
        return hex((this.source.charCodeAt(this.at++) % 32).toString(16));
      case 'e':
        return hex('1b');
      case 'h':
        return inClass ? '\\t \\x{a0}' : '[\\t \\x{a0}]';
      case 'R':
        return '(?:\\r\\n|[\\n\\x0b\\f\\r\\x{85}\\x{2028}\\x{2029}])';
      case 'Z':
        return '(?:\\n?\\z)';
      case 'Q': {
        const end = this.source.indexOf('\\E', this.at);
        const text = this.source.slice(this.at, end < 0 ? undefined : end);
        this.at = end < 0 ? this.source.length : end + 2;
        return `${inClass ? '' : '(?:'}${[...text].map(inClass ? inClassLiteral : literal).join('')}${inClass ? '' : ')'}`;
      }
      default:
        // White space includes the vertical tab, unlike in RE2.
        if (character === 's') return inClass ? '\\s\\v' : '[\\s\\v]';
        if (character === 'S' && !inClass) return '[^\\s\\v]';
        if (/[dDwWStnrfvazB]/.test(character)) return `\\${character}`;
        if (/[A-Za-z]/.test(character)) throw invalid(this.source);
        return inClass ? inClassLiteral(character) : literal(character);
    }
  }

  private characterClass(): string {
    this.at++;
    const negated = this.take('^');
    if (this.take(']')) return negated ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]';
    let out = negated ? '[^' : '[';
    while (!this.take(']')) {
      const rest = this.source.slice(this.at, this.at + 3);
      if (rest === '') throw invalid(this.source);
      const posix = this.match(POSIX_CLASS);
      if (posix) out += posix[0];
      else if (rest.startsWith('&&')) throw unsupported('Intersections of character classes');
      else if (/^-\\[dDwWsSpPh]/.test(rest)) {
        this.at++;
        out += '\\-';
      } else if (this.take('\\')) out += this.escape(true);
      else {
        const character = String.fromCodePoint(this.source.codePointAt(this.at)!);
        this.at += character.length;
        out += character === '[' || character === '^' ? `\\${character}` : character;
      }
    }
    return `${out}]`;
  }
}

const inClassLiteral = (character: string): string => character.replace(/[\\^\-[\]]/, '\\$&');

function codeOf([, unit, low, braced, byte]: RegExpExecArray): string {
  if (unit === undefined) return hex((braced ?? byte)!);
  if (low === undefined) return hex(unit);
  const pair = String.fromCharCode(Number.parseInt(unit, 16), Number.parseInt(low, 16));
  const code = pair.codePointAt(0)!;
  return code > 0xffff ? hex(code.toString(16)) : hex(unit) + hex(low);
}

function propertyOf([token, caret, name, letter]: RegExpExecArray, inClass: boolean): string {
  if (letter !== undefined) return `\\${token}`;
  const negative = token.startsWith('P') !== (caret === '^');
  const posix = Object.hasOwn(JAVA_CLASSES, name!) ? JAVA_CLASSES[name!] : undefined;
  if (posix === undefined) {
    const category = name === 'Alphabetic' || name === 'Letter' ? 'L' : name;
    return `\\${negative ? 'P' : 'p'}{${category}}`;
  }
  const set = `[:${negative ? '^' : ''}${posix}:]`;
  return inClass ? set : `[${set}]`;
}

/** Repeats an expression exactly `count` times by repetitions of at most `step`. */
function exactly(source: string, count: number, step: number): string {
  const rest = count % step;
  return `${source}{${step}}`.repeat(Math.floor(count / step)) + (rest > 0 ? `${source}{${rest}}` : '');
}

/** Repeats an expression up to `count` times by repetitions of at most `step`. */
function optional(source: string, count: number, step: number, lazy: string): string {
  const rest = count % step;
  return (
    `${source}{0,${step}}${lazy}`.repeat(Math.floor(count / step)) + (rest > 0 ? `${source}{0,${rest}}${lazy}` : '')
  );
}
