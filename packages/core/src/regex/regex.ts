import { RE2JS } from 're2js';
import { type Alternative, RegexError, Translator } from './translate.ts';

/** How an expression is compiled. */
export interface RegexOptions {
  readonly ignoreCase?: boolean;
  /** Whether `.` matches line ends. */
  readonly dotAll?: boolean;
  /** Whether `^` and `$` match at line ends. */
  readonly multiline?: boolean;
  /** Usual maximum length of texts, in characters. Expressions too complex for texts of this length are rejected when compiled. */
  readonly longest?: number;
}

/** A match of a regular expression, in the shape of JavaScript's. */
export interface RegexMatch extends Iterable<string | undefined> {
  readonly index: number;
  /** The match, then its groups; undefined for a group that did not take part. */
  readonly [group: number]: string | undefined;
  readonly 0: string;
  readonly length: number;
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Limit of an expression's size times the length of its text. A unit takes up to 40 ns. */
const MAX_WORK = 100_000_000;
/** Limit for all matches in one text, in milliseconds: each is linear, but their number is too. */
const MAX_TIME = 1000;

/** An alternative with its look-aheads, or all alternatives if none has one. */
interface Branch {
  readonly regex: RE2JS;
  readonly lookAheads: readonly { readonly regex: RE2JS; readonly negative: boolean }[];
}

function flagsOf({ ignoreCase, dotAll, multiline }: RegexOptions): number {
  return (
    RE2JS.LOOKBEHINDS |
    (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
    (dotAll ? RE2JS.DOTALL : 0) |
    (multiline ? RE2JS.MULTILINE : 0)
  );
}

function compile(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    throw new RegexError(error instanceof Error ? error.message : String(error), true);
  }
}

/** Compiles alternatives: together unless one has a look-ahead. */
function branchesOf(alternatives: readonly Alternative[], flags: number): Branch[] {
  if (alternatives.every(({ lookAheads }) => lookAheads.length === 0))
    return [{ regex: compile(alternatives.map(({ source }) => source).join('|'), flags), lookAheads: [] }];
  return alternatives.map(({ source, lookAheads }) => ({
    regex: compile(source, flags),
    lookAheads: lookAheads.map((ahead) => ({
      regex: compile(`\\A(?:${ahead.source})`, flags),
      negative: ahead.negative,
    })),
  }));
}

const holds = ({ lookAheads }: Branch, text: string): boolean =>
  lookAheads.every(({ regex, negative }) => regex.test(text) !== negative);

const workOf = (branches: readonly Branch[], length: number): number =>
  branches.reduce((sum, { regex }) => sum + regex.programSize(), 0) * length;

const isWithinWork = (branches: readonly Branch[], length: number): boolean => workOf(branches, length) <= MAX_WORK;

/**
 * Throws for an expression and text that would block the process.
 * @throws RegexError
 */
function checkWork(branches: readonly Branch[], length: number): void {
  if (!isWithinWork(branches, length)) throw new RegexError('The regular expression is too complex for its text');
}

/**
 * A regular expression from a user that must match a whole text. It runs in linear time, in the syntax that Java and
 * JavaScript share. Look-aheads are supported at the start of alternatives, also of a group at the start; back references
 * and atomic groups are not; possessive quantifiers are where greedy ones mean the same.
 */
export class WholeRegex {
  private readonly branches: readonly Branch[];

  /** @throws RegexError */
  constructor(source: string, options: Omit<RegexOptions, 'longest'> = {}) {
    this.branches = branchesOf(new Translator(source, true, options.dotAll).translate().alternatives, flagsOf(options));
  }

  /**
   * Whether the whole text matches.
   * @throws RegexError if the text is too long for the expression
   */
  test(text: string): boolean {
    checkWork(this.branches, text.length);
    return this.branches.some((branch) => branch.regex.matches(text) && holds(branch, text));
  }

  /** Returns the units of work to test a text of this length; each takes up to 40 ns. */
  work(length: number): number {
    return workOf(this.branches, length);
  }

  /**
   * Returns why an expression cannot be used.
   * @returns undefined for a valid expression; empty for an invalid one; for one that is valid elsewhere a colon and the
   * reason, to be appended to AWS's message
   */
  static problem(source: string): string | undefined {
    try {
      new WholeRegex(source);
      return undefined;
    } catch (error) {
      if (!(error instanceof RegexError)) throw error;
      return error.invalid ? '' : `: ${error.message}`;
    }
  }
}

/** A regular expression from a user that is searched in texts, as `WholeRegex` otherwise. */
export class LinearRegex {
  private readonly branch: Branch;
  private readonly isChecked: boolean;

  /** @throws RegexError */
  constructor(source: string, options: RegexOptions = {}) {
    const { alternatives, capturesAhead } = new Translator(source, false, options.dotAll).translate();
    const branches = branchesOf(alternatives, flagsOf(options));
    if (branches.length > 1 || capturesAhead)
      throw new RegexError('Look-aheads inside of an expression are not supported in regular expressions');
    this.branch = branches[0]!;
    this.isChecked = options.longest !== undefined;
    if (options.longest !== undefined) checkWork(branches, options.longest);
  }

  /** Number of instructions of the compiled expression; its compilation takes up to 5 µs for each. */
  get size(): number {
    return this.branch.regex.programSize();
  }

  /** Returns the units of work to search a text of this length; each takes up to 40 ns. */
  work(length: number): number {
    return workOf([this.branch], length);
  }

  /** Whether a text is short enough for the expression. */
  fits(text: string): boolean {
    return this.isChecked || isWithinWork([this.branch], text.length);
  }

  /**
   * Whether the text contains a match.
   * @throws RegexError if the text is too long for the expression
   */
  test(text: string): boolean {
    if (!this.isChecked) checkWork([this.branch], text.length);
    return this.branch.regex.test(text) && holds(this.branch, text);
  }

  /**
   * Returns the first match.
   * @throws RegexError if the text is too long for the expression
   */
  exec(text: string): RegexMatch | null {
    // Without captures, the engine is much faster.
    return this.test(text) ? (this.branch.regex.exec(text) as RegexMatch | null) : null;
  }

  /**
   * Yields each match.
   * @throws RegexError if the text is too long for the expression, or has too many long matches
   */
  *matchAll(text: string): Generator<RegexMatch> {
    if (!this.test(text)) return;
    const matches = this.branch.regex.matchAll(text);
    for (let spent = 0; ; ) {
      const start = performance.now();
      const next = matches.next();
      spent += performance.now() - start;
      if (spent > MAX_TIME) throw new RegexError('The regular expression is too complex for its text');
      if (next.done) return;
      yield next.value as unknown as RegexMatch;
    }
  }

  /**
   * Replaces the first match.
   * @throws RegexError
   */
  replaceFirst(text: string, replacement: (match: RegexMatch) => string): string {
    const match = this.exec(text);
    if (!match) return text;
    return text.slice(0, match.index) + replacement(match) + text.slice(match.index + match[0].length);
  }

  /**
   * Replaces each match.
   * @throws RegexError
   */
  replaceAll(text: string, replacement: (match: RegexMatch) => string): string {
    return completed(this.replacing(text, replacement));
  }

  /**
   * Replaces each match like `replaceAll`, and can be interrupted at each `yield`.
   * @throws RegexError
   */
  *replacing(text: string, replacement: (match: RegexMatch) => string): Generator<undefined, string> {
    let out = '';
    let end = 0;
    let count = 0;
    for (const match of this.matchAll(text)) {
      out += text.slice(end, match.index) + replacement(match);
      end = match.index + match[0].length;
      if (++count % UNINTERRUPTED === 0) yield;
    }
    return out + text.slice(end);
  }

  /**
   * Splits a text at each match; an empty match at its start or end does not split.
   * @throws RegexError
   */
  split(text: string): string[] {
    return completed(this.splitting(text));
  }

  /**
   * Splits a text like `split`, and can be interrupted at each `yield`.
   * @throws RegexError
   */
  *splitting(text: string): Generator<undefined, string[]> {
    const parts: string[] = [];
    let end = 0;
    let count = 0;
    for (const match of this.matchAll(text)) {
      if (++count % UNINTERRUPTED === 0) yield;
      if (match[0] === '' && (match.index === 0 || match.index === text.length)) continue;
      parts.push(text.slice(end, match.index));
      end = match.index + match[0].length;
    }
    parts.push(text.slice(end));
    return parts;
  }
}

/** Matches between two points at which work can be interrupted. */
const UNINTERRUPTED = 64;

/** Returns the result of work without interrupting it. */
function completed<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Whether a text is a valid regular expression that runs in linear time. */
export function isRegex(source: string, options?: RegexOptions): boolean {
  try {
    new LinearRegex(source, options);
    return true;
  } catch (error) {
    if (error instanceof RegexError) return false;
    throw error;
  }
}

const REFERENCE = /\\(.)|\$(?:(\d+)|\{(\w+)\})/gs;

/**
 * Returns Java's replacement for matches: `$1` and `${name}` insert groups, a backslash escapes.
 * @returns a function that throws RegexError for a group that the expression lacks
 */
export const javaReplacement =
  (template: string) =>
  (match: RegexMatch): string =>
    template.replace(REFERENCE, (_, escaped?: string, number?: string, name?: string) => {
      if (escaped !== undefined) return escaped;
      if (name !== undefined) {
        if (match.groups === undefined || !(name in match.groups)) throw new RegexError(`No group with name <${name}>`);
        return match.groups[name] ?? '';
      }
      // As many digits as name a group belong to the reference.
      let digits = number!.length;
      while (digits > 1 && Number(number!.slice(0, digits)) >= match.length) digits--;
      const group = Number(number!.slice(0, digits));
      if (group >= match.length) throw new RegexError(`No group ${group}`);
      return (match[group] ?? '') + number!.slice(digits);
    });
