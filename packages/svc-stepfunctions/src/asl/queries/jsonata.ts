import { Program, ProgramLimitError } from '@emu/core/programs';
import { isObject } from '@emu/wire';
import type { Environment } from '../environment.ts';
import { dataLimitExceeded, queryFailure } from '../failure.ts';
import type { Json, JsonObject } from '../json.ts';
import {
  type CompiledQuery,
  compileQuery,
  evaluate,
  problemOf,
  type QueryOutcome,
  type QueryValues,
} from './engine.ts';
import { sizeWithin } from './size.ts';

const EXPRESSION = /^\{%([\s\S]*)%\}$/;

/** Maximum milliseconds of an expression; AWS does not document its limit. */
const MAX_TIME = 5000;
/** Maximum work of an expression in this thread: a few milliseconds. */
const MAX_WORK = 5000;

const queries = new Program(() => import('./program.ts'), MAX_TIME);

/** Returns the expression in text of the form `{% … %}`; undefined for other text. */
export const expressionIn = (text: string): string | undefined => EXPRESSION.exec(text)?.[1]?.trim();

/**
 * Returns the syntax tree of an expression.
 * @throws Error for invalid syntax
 */
export const parseQuery = (source: string): unknown => compileQuery(source).expression.ast();

const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Returns the values that an expression reads. */
function valuesFor({ plan }: CompiledQuery, env: Environment): QueryValues {
  const { input, context, result, errorOutput } = env;
  const states: JsonObject = { input, context };
  if (result !== undefined) states.result = result;
  if (errorOutput !== undefined) states.errorOutput = errorOutput;
  const variables = Object.entries(env.variables).filter(([name]) => plan.variables.has(name));
  const members = Object.entries(states).filter(([name]) => plan.states === undefined || plan.states.has(name));
  return { variables: Object.fromEntries(variables), states: Object.fromEntries(members) };
}

/** Whether the work of an expression is known to be small. */
function isCheap({ plan: { work } }: CompiledQuery, values: QueryValues): boolean {
  if (work === undefined) return false;
  const size = sizeWithin(values, MAX_WORK);
  return size !== undefined && work(size) <= MAX_WORK;
}

/** Evaluates an expression: in this thread if its work is known to be small, and in a process otherwise. */
async function outcomeOf(source: string, env: Environment): Promise<QueryOutcome> {
  let query: CompiledQuery;
  try {
    query = compileQuery(source);
  } catch (error) {
    return { problem: problemOf(error) };
  }
  const values = valuesFor(query, env);
  const { ids, time, owner } = env;
  if (isCheap(query, values)) return evaluate(query, values, { ids, time });
  const isRandom = query.plan.variables.has('uuid') || query.plan.variables.has('random');
  const seed = isRandom ? ids.uuid() : '';
  const running = queries.run({ source, time, seed, values: JSON.stringify(values) }, owner);
  try {
    return await env.wait(running);
  } catch (error) {
    if (!(error instanceof ProgramLimitError)) throw error;
    return {
      problem:
        error.limit === 'time'
          ? `D1012: Evaluation timeout after ${MAX_TIME} milliseconds. Check for infinite loop`
          : 'The expression needs too much memory.',
    };
  }
}

/**
 * Evaluates a JSONata expression.
 * @param field its location, for failure messages
 * @param type required type of the result
 * @throws StateFailure `States.QueryEvaluationError`, or `States.DataLimitExceeded` for a result above 256 KiB
 */
export async function evaluateQuery(source: string, field: string, env: Environment, type?: string): Promise<Json> {
  const start = `The JSONata expression '${source}' specified for the field '${field}'`;
  const outcome = await outcomeOf(source, env);
  if ('problem' in outcome) throw queryFailure(`${start} threw an error during evaluation. ${outcome.problem}`, field);
  if ('missing' in outcome)
    switch (outcome.missing) {
      case 'value':
        throw queryFailure(`${start} returned nothing (undefined).`, field);
      case 'JSON value':
        throw queryFailure(`${start} returned an unsupported result type.`, field);
      case 'space':
        throw dataLimitExceeded(env.state);
    }
  const value = JSON.parse(outcome.json) as Json;
  if (type !== undefined && typeOf(value) !== type)
    throw queryFailure(
      `${start} returned an unexpected result type. Expected '${type}', but was '${typeOf(value)}' for value: ${outcome.json}`,
      field,
    );
  return value;
}

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
