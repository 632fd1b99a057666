import { compilePath, insertAt } from '@emu/core/json-path';
import { textOf } from '@emu/wire';
import type { QueryLanguage, State } from '../asl/definition.ts';
import { type Environment, follow, notInInput, valueAt } from '../asl/environment.ts';
import { queryFailure, runtimeFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { evaluateQuery, expressionIn, fillQueries } from '../asl/queries/jsonata.ts';
import { evaluateText, fillTemplate } from '../asl/template.ts';
import { parseTimestamp } from '../asl/timestamps.ts';
import { limit } from './run.ts';

/** Applies InputPath or OutputPath; null yields an empty object. */
export const select = (path: string | null | undefined, env: Environment): Json => {
  if (path === undefined) return env.input;
  return path === null ? {} : valueAt(path, env);
};

/**
 * Returns the output of a JSONPath state: its input with the result inserted.
 * @throws StateFailure
 */
export function place(path: string | null | undefined, input: Json, result: Json): Json {
  if (path === undefined) return result;
  if (path === null) return input;
  const placed = insertAt(compilePath(path), input, result);
  if (placed !== undefined) return placed;
  throw new ResultPathFailure(path, input);
}

/** The result cannot be inserted at ResultPath. */
class ResultPathFailure extends Error {
  constructor(
    readonly path: string,
    readonly input: Json,
  ) {
    super(`Unable to apply ReferencePath ${path} to input ${JSON.stringify(input)}`);
  }
}

/** Whether an error is a `ResultPathFailure`. */
export const isResultPathFailure = (error: unknown): error is Error => error instanceof ResultPathFailure;

/**
 * Evaluates a template in the state's language.
 * @param field its name, for failure messages
 * @throws StateFailure
 */
export const fill = async (template: Json, field: string, language: QueryLanguage, env: Environment): Promise<Json> =>
  limit(language === 'JSONata' ? await fillQueries(template, field, env) : fillTemplate(template, env), field);

/** Evaluates a field that may be a JSONata expression. */
export async function value(given: Json, field: string, env: Environment, type?: string): Promise<Json> {
  const source = typeof given === 'string' ? expressionIn(given) : undefined;
  return source === undefined ? given : evaluateQuery(source, field, env, type);
}

/** Returns `TimeoutSeconds` or `HeartbeatSeconds`, given as number, path or expression; undefined if missing. */
export async function seconds(
  state: State,
  field: 'TimeoutSeconds' | 'HeartbeatSeconds',
  env: Environment,
): Promise<number | undefined> {
  const path = state[`${field}Path`];
  const given = path === undefined ? state[field] : valueAt(path, env);
  if (given === undefined) return undefined;
  const found = await value(given, field, env);
  if (typeof found === 'number' && Number.isInteger(found) && found > 0) return found;
  if (path === undefined)
    throw queryFailure(`The ${field} field must be a positive integer but was: ${JSON.stringify(found)}`, field);
  throw runtimeFailure(
    `The ${field}Path field refers to value "${textOf(found)}" which is not a valid integer: ${path}`,
  );
}

/**
 * Returns the integer at a field's path.
 * @throws StateFailure
 */
export function integerAt(path: string, field: string, env: Environment): number {
  const found = valueAt(path, env);
  // AWS also accepts numbers as text.
  const number = typeof found === 'string' && /^-?\d+$/.test(found) ? Number(found) : found;
  if (typeof number === 'number' && Number.isInteger(number)) return number;
  throw runtimeFailure(`The ${field} field refers to value "${textOf(found)}" which is not a valid integer: ${path}`);
}

/**
 * Returns the number at a field's path.
 * @throws StateFailure
 */
export function numberAt(path: string, field: string, env: Environment): number {
  const found = valueAt(path, env);
  const number = typeof found === 'string' && /^-?\d+(?:\.\d+)?$/.test(found) ? Number(found) : found;
  if (typeof number === 'number') return number;
  throw runtimeFailure(`The ${field} field refers to value "${textOf(found)}" which is not a valid float: ${path}`);
}

/** Evaluates Error or Cause of a Fail state. */
export async function failureText(
  state: State,
  field: 'Error' | 'Cause',
  env: Environment,
): Promise<string | undefined> {
  const path = state[`${field}Path`];
  if (path === undefined) {
    const given = state[field];
    return given === undefined ? undefined : ((await value(given, field, env, 'string')) as string);
  }
  const found = path.startsWith('States.') ? evaluateText(path, `${field}Path`, env) : textAt(path, field, env);
  if (typeof found === 'string') return found;
  throw runtimeFailure(`The ${field}Path field refers to value "${textOf(found)}" which is not a string: ${path}`);
}

function textAt(path: string, field: string, env: Environment): Json {
  const found = follow(path, env);
  if (found.found) return found.value;
  throw notInInput(path, `${field}Path`, env);
}

/** AWS's maximum wait in seconds: the largest 32-bit signed integer. */
const MAX_WAIT = 2_147_483_647;

/**
 * Returns the end of a Wait state in epoch milliseconds.
 * @throws StateFailure
 */
export async function waitEnd(state: State, env: Environment, now: number): Promise<number> {
  const end = await rawWaitEnd(state, env, now);
  if (end - now > MAX_WAIT * 1000) throw runtimeFailure('Wait state delay is too long.');
  return end;
}

async function rawWaitEnd(state: State, env: Environment, now: number): Promise<number> {
  if (state.SecondsPath !== undefined) return now + waitSeconds(state.SecondsPath, env) * 1000;
  if (state.TimestampPath !== undefined) {
    const path = state.TimestampPath;
    const found = valueAt(path, env);
    const time = typeof found === 'string' ? parseTimestamp(found) : undefined;
    if (time !== undefined) return time;
    throw runtimeFailure(
      `The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: ${path} == ${textOf(found)}`,
    );
  }
  if (state.Timestamp !== undefined) {
    const found = await value(state.Timestamp, 'Timestamp', env, 'string');
    const time = parseTimestamp(found as string);
    if (time !== undefined) return time;
    throw queryFailure(
      `The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ${textOf(found)}`,
      'Timestamp',
    );
  }
  const found = await value(state.Seconds!, 'Seconds', env, 'number');
  if (!Number.isInteger(found) || (found as number) < 0)
    throw queryFailure(`The Seconds field must be a non-negative integer but was: ${textOf(found)}`, 'Seconds');
  return now + (found as number) * 1000;
}

function waitSeconds(path: string, env: Environment): number {
  const found = follow(path, env);
  if (!found.found) throw runtimeFailure(`The SecondsPath parameter does not reference an input value: ${path}`);
  if (typeof found.value !== 'number' || !Number.isInteger(found.value))
    throw runtimeFailure(
      `The SecondsPath parameter cannot be parsed as a long value: ${path} == ${textOf(found.value)}`,
    );
  if (found.value < 0)
    throw runtimeFailure(`The SecondsPath parameter references a negative value: ${path} == ${found.value}`);
  return found.value;
}

/** Evaluates Assign; undefined if the state has none. */
export async function assigned(
  template: JsonObject | undefined,
  language: QueryLanguage,
  env: Environment,
): Promise<JsonObject | undefined> {
  return template === undefined ? undefined : ((await fill(template, 'Assign', language, env)) as JsonObject);
}
