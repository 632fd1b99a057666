import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { translatePattern } from './java-regex.ts';
import type { ServiceModel } from './model.ts';

/** Estimated steps up to which a match runs in this thread without a time limit. */
const FREE_STEPS = 1e7;
/** Time limit of a more expensive match in milliseconds. A match that exceeds it fails. */
const TIME_LIMIT = 100;
/** Limits of the cache of accepted values per pattern: number and length. */
const REMEMBERED = 256;
const REMEMBERED_LENGTH = 256;

const context = createContext(Object.assign(Object.create(null) as object, { regex: /./, text: '' }));
const script = new Script('regex.test(text)');

/** Runs a match that may backtrack excessively. */
function matchWithin(regex: RegExp, text: string): boolean {
  context.regex = regex;
  context.text = text;
  try {
    // On a busy machine the time may pass while the thread is not scheduled; the match is then retried.
    for (let timeout = TIME_LIMIT; ; timeout *= 2) {
      const before = threadTime();
      try {
        return script.runInContext(context, { timeout }) as boolean;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      }
      if (threadTime() - before >= TIME_LIMIT * 0.9) return false;
    }
  } finally {
    context.text = '';
  }
}

/** Returns the CPU time of this thread in milliseconds; of the whole process if unavailable. */
function threadTime(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/**
 * Returns the exponent of a match's steps in the length of the input: the number of unbounded quantifiers, or Infinity
 * if one repeats a group that can match in several ways.
 */
function backtrackingExponent(source: string): number {
  let power = 0;
  let exponential = false;
  /** Whether each open group contains a quantifier or an alternative. */
  const ambiguous: boolean[] = [false];
  let closed = false;
  let inClass = false;
  for (let index = 0; index < source.length; index++) {
    const char = source[index]!;
    const wasGroup = closed;
    closed = false;
    if (char === '\\') index++;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') {
      ambiguous.push(false);
      // The `?` of `(?:` and similar is not a quantifier.
      if (source[index + 1] === '?') index++;
    } else if (char === ')') {
      const inner = ambiguous.pop()!;
      ambiguous[ambiguous.length - 1] ||= inner;
      closed = inner;
    } else if (char === '|') ambiguous[ambiguous.length - 1] = true;
    else if (char === '*' || char === '+' || char === '?' || char === '{') {
      const bounds = char === '{' ? /^\{(\d+)(,(\d*))?\}/.exec(source.slice(index)) : null;
      const unbounded = char === '*' || char === '+' || (bounds?.[2] !== undefined && Number(bounds[3] || 1e9) > 16);
      const fixed = bounds !== null && bounds[2] === undefined;
      if (unbounded) {
        power++;
        if (wasGroup) exponential = true;
      }
      if (!fixed) ambiguous[ambiguous.length - 1] = true;
    }
  }
  return exponential ? Number.POSITIVE_INFINITY : power;
}

/** A model's pattern, matched against whole values like Java's `Pattern.matches`. */
export class Pattern {
  private readonly regex: RegExp;
  private readonly growth: number;
  private readonly accepted = new Set<string>();

  /** @throws SyntaxError for an invalid or untranslatable regular expression */
  constructor(pattern: string) {
    const source = translatePattern(pattern);
    this.regex = new RegExp(`^(?:${source.body})$`, source.flags);
    this.growth = backtrackingExponent(source.body);
  }

  /** Whether the whole text matches. Runs for a fraction of a second at most. */
  matches(text: string): boolean {
    const { length } = text;
    const steps = this.growth === Number.POSITIVE_INFINITY ? 2 ** length : length ** this.growth;
    if (steps <= FREE_STEPS) return this.regex.test(text);
    if (this.accepted.has(text)) return true;
    if (!matchWithin(this.regex, text)) return false;
    if (length <= REMEMBERED_LENGTH) {
      if (this.accepted.size >= REMEMBERED) this.accepted.clear();
      this.accepted.add(text);
    }
    return true;
  }
}

/** Returns the patterns of a model that cannot be translated, with reasons. Tests of services expect none. */
export function unsupportedPatterns(model: ServiceModel): string[] {
  const reasons: string[] = [];
  for (const [name, shape] of Object.entries(model.shapes)) {
    if (shape.pattern === undefined) continue;
    try {
      new Pattern(shape.pattern);
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message}`);
    }
  }
  return reasons;
}
