import { LinearRegex, type RegexMatch } from '@emu/core/regex';
import { isObject } from '@emu/wire';
import jsonata from 'jsonata';
import type { Environment } from './environment.ts';
import { queryFailure } from './failure.ts';
import { hashOf, partitionOf, rangeOf } from './intrinsics.ts';
import type { Json, JsonObject } from './json.ts';

const EXPRESSION = /^\{%([\s\S]*)%\}$/;
const compiled = new Map<string, jsonata.Expression>();
const MAX_COMPILED = 10_000;

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

/** Returns the expression in text of the form `{% … %}`; undefined for other text. */
export const expressionIn = (text: string): string | undefined => EXPRESSION.exec(text)?.[1]?.trim();

const problem = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? String(message) : `${code}: ${message}`;
};

/**
 * Compiles an expression for the validation of a definition.
 * @throws Error for invalid syntax
 */
export function compileQuery(source: string): jsonata.Expression {
  const known = compiled.get(source);
  if (known) return known;
  const expression = jsonata(source, { RegexEngine: QueryRegex as unknown as RegExpConstructor });
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(source, expression);
  return expression;
}

const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Returns the bindings with AWS's own functions; `$eval` is disabled. */
function bindings({ ids, variables, input, context, result, errorOutput }: Environment): Record<string, unknown> {
  const states: JsonObject = { input, context };
  if (result !== undefined) states.result = result;
  if (errorOutput !== undefined) states.errorOutput = errorOutput;
  return {
    ...variables,
    states,
    eval: undefined,
    uuid: () => ids.uuid(),
    random: () => ids.random(),
    partition: (items: Json[], size: number) => partitionOf(items, size),
    range: (first: number, last: number, step: number) => rangeOf(first, last, step),
    hash: (text: string, algorithm: string) => hashOf(text, algorithm),
    parse: (text: string) => JSON.parse(text) as Json,
  };
}

/**
 * Evaluates a JSONata expression.
 * @param field its location, for failure messages
 * @param type required type of the result
 * @throws StateFailure `States.QueryEvaluationError`
 */
export async function evaluateQuery(source: string, field: string, env: Environment, type?: string): Promise<Json> {
  const start = `The JSONata expression '${source}' specified for the field '${field}'`;
  let value: unknown;
  try {
    value = await compileQuery(source).evaluate({}, bindings(env));
  } catch (error) {
    throw queryFailure(`${start} threw an error during evaluation. ${problem(error)}`, field);
  }
  if (value === undefined) throw queryFailure(`${start} returned nothing (undefined).`, field);
  const text = typeof value === 'function' || isFunction(value) ? undefined : JSON.stringify(value);
  if (text === undefined) throw queryFailure(`${start} returned an unsupported result type.`, field);
  const json = JSON.parse(text) as Json;
  if (type !== undefined && typeOf(json) !== type)
    throw queryFailure(
      `${start} returned an unexpected result type. Expected '${type}', but was '${typeOf(json)}' for value: ${text}`,
      field,
    );
  return json;
}

const isFunction = (value: unknown): boolean =>
  isObject(value) && ('_jsonata_lambda' in value || '_jsonata_function' in value);

/**
 * Replaces texts of the form `{% … %}` in a template by their results.
 * @throws StateFailure
 */
export async function fillQueries(template: Json, field: string, env: Environment): Promise<Json> {
  if (typeof template === 'string') {
    const source = expressionIn(template);
    return source === undefined ? template : evaluateQuery(source, field, env);
  }
  if (Array.isArray(template)) {
    const items: Json[] = [];
    for (const [index, item] of template.entries()) items.push(await fillQueries(item, `${field}[${index}]`, env));
    return items;
  }
  if (!isObject(template)) return template;
  const filled: JsonObject = {};
  for (const [key, value] of Object.entries(template)) filled[key] = await fillQueries(value, `${field}/${key}`, env);
  return filled;
}
