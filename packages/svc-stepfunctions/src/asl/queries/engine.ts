import { LinearRegex, type RegexMatch } from '@emu/core/regex';
import { exceedsBytes } from '@emu/core/service';
import { isObject } from '@emu/wire';
import jsonata from 'jsonata';
import { hashOf, partitionOf, rangeOf, seededRandom } from '../intrinsics.ts';
import type { Json, JsonObject } from '../json.ts';
import { type Plan, planOf } from './plan.ts';

/** Values that an expression reads. */
export interface QueryValues {
  readonly variables: Readonly<JsonObject>;
  /** Members of `$states`. */
  readonly states: Readonly<JsonObject>;
}

/** Sources of an expression besides its values. */
export interface QuerySources {
  readonly ids: { uuid(): string; random(): number };
  /** `$millis()` and `$now()`, in epoch milliseconds. */
  readonly time: number;
}

/** Outcome of an expression: JSON, or why it has none. */
export type QueryOutcome =
  | { readonly json: string }
  | { readonly problem: string }
  | { readonly missing: 'value' | 'JSON value' | 'space' };

/** An expression, ready to be evaluated. */
export interface CompiledQuery {
  readonly expression: jsonata.Expression;
  readonly plan: Plan;
}

const compiled = new Map<string, CompiledQuery>();
const MAX_COMPILED = 10_000;
/** Maximum bytes of a result, which becomes part of a payload of that size at most. */
const MAX_BYTES = 256 * 1024;

/** The engine of JSONata's regular expressions, in linear time. */
class QueryRegex {
  lastIndex = 0;
  private readonly regex: LinearRegex;
  private text: string | undefined;
  private matches: Iterator<RegexMatch> = [][Symbol.iterator]();

  /** @throws RegexError */
  constructor({ source, ignoreCase, multiline }: RegExp) {
    this.regex = new LinearRegex(source, { ignoreCase, multiline });
  }

  /** Returns the next match as JavaScript does with the flag `g`. */
  exec(text: string): RegexMatch | null {
    if (this.lastIndex === 0 || text !== this.text) {
      this.text = text;
      this.matches = this.regex.matchAll(text);
    }
    let next = this.matches.next();
    while (!next.done && next.value.index < this.lastIndex) next = this.matches.next();
    this.lastIndex = next.done ? 0 : next.value.index + next.value[0].length;
    return next.done ? null : next.value;
  }
}

/**
 * Compiles an expression.
 * @throws Error for invalid syntax
 */
export function compileQuery(source: string): CompiledQuery {
  const known = compiled.get(source);
  if (known) return known;
  const expression = jsonata(source, { RegexEngine: QueryRegex as unknown as RegExpConstructor });
  const query = { expression, plan: planOf(expression.ast()) };
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(source, query);
  return query;
}

/** Formats `$now()` with JSONata's own function. */
const nowFormat = jsonata('$fromMillis($time, $picture, $timezone)');

/** Returns the bindings with AWS's own functions; `$eval` is disabled. */
const bindings = ({ variables, states }: QueryValues, { ids, time }: QuerySources): Record<string, unknown> => ({
  ...variables,
  states,
  eval: undefined,
  uuid: () => ids.uuid(),
  random: (seed?: number) => (seed === undefined ? ids.random() : seededRandom(seed)),
  millis: () => time,
  now: (picture?: string, timezone?: string) => nowFormat.evaluate({}, { time, picture, timezone }),
  partition: (items: Json[], size: number) => partitionOf(items, size),
  range: (first: number, last: number, step: number) => rangeOf(first, last, step),
  hash: (text: string, algorithm: string) => hashOf(text, algorithm),
  parse: (text: string) => JSON.parse(text) as Json,
});

/** Returns the code and message of an error of JSONata. */
export const problemOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? String(message) : `${code}: ${message}`;
};

const isFunction = (value: unknown): boolean =>
  typeof value === 'function' || (isObject(value) && ('_jsonata_lambda' in value || '_jsonata_function' in value));

/** Evaluates an expression in this thread. */
export async function evaluate(
  { expression }: CompiledQuery,
  values: QueryValues,
  sources: QuerySources,
): Promise<QueryOutcome> {
  let json: string | undefined;
  try {
    const value: unknown = await expression.evaluate({}, bindings(values, sources));
    if (value === undefined) return { missing: 'value' };
    json = isFunction(value) ? undefined : JSON.stringify(value);
  } catch (error) {
    return { problem: problemOf(error) };
  }
  if (json === undefined) return { missing: 'JSON value' };
  // Fast path: a character has at most three bytes.
  const isLarge = exceedsBytes(json, MAX_BYTES);
  return isLarge ? { missing: 'space' } : { json };
}
