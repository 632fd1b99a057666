import { compilePath, lookUp, PathSyntaxError } from '@emu/core/json-path';
import { type DeepReadonly, readAtMost, type WorkBudget, WorkLimitError } from '@emu/core/service';
import { isObject, piecesOf, textOf } from '@emu/wire';
import type { Json, JsonObject } from '../documents/content.ts';
import { StepFailure } from './failures.ts';

/** Maximum bytes of a stream in a response, which the step stores completely. */
const MAX_STREAM = 1024 * 1024;

/** Returns a value as shown in outputs: a list of strings. */
export const textsOf = (value: Json): string[] => (Array.isArray(value) ? value.map(textOf) : [textOf(value)]);

/**
 * Converts a service's response to JSON: times in ISO 8601, bytes and streams as text.
 * @throws StepFailure for a stream above the size limit
 */
export async function answerJson(value: unknown): Promise<Json | undefined> {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array || Symbol.asyncIterator in value) {
    const bytes = await readAtMost(piecesOf(value as Uint8Array), MAX_STREAM);
    if (!bytes) throw new StepFailure(`The response of the service has a body of more than ${MAX_STREAM} bytes`);
    return bytes.toString();
  }
  if (Array.isArray(value)) return Promise.all(value.map(async (item) => (await answerJson(item)) ?? null));
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const members = await Promise.all(entries.map(async ([key, item]) => [String(key), await answerJson(item)] as const));
  return Object.fromEntries(members.filter((member): member is [string, Json] => member[1] !== undefined));
}

/**
 * Evaluates a selector: returns one value for a definite path, otherwise the list of matches.
 * @param total counts the work of several selectors
 * @returns undefined if nothing matches, and for script expressions and invalid selectors
 * @throws StepFailure for a selector that visits too many values
 */
export function select(value: Json, selector: string, total?: WorkBudget): Json | undefined {
  if (selector === '$') return value;
  if (typeof value !== 'object' || value === null || selector.includes('(')) return undefined;
  try {
    const result = lookUp(compilePath(selector), value, total);
    return result.found ? result.value : undefined;
  } catch (error) {
    if (error instanceof PathSyntaxError) return undefined;
    if (error instanceof WorkLimitError) throw new StepFailure(`The selector ${selector} visits too many values`);
    throw error;
  }
}

/** Returns a member of a value by a path of names and indexes, for example `Instances[0].State`. */
export function memberAt(value: Json, path: string): Json | undefined {
  if (path === '') return value;
  return select(value, `$${path.startsWith('[') ? '' : '.'}${path}`);
}

/** Returns a value in the declared type of an output; undefined if it has another type. */
export function typed(value: Json | undefined, type: string): Json | undefined {
  if (value === undefined) return undefined;
  switch (type) {
    case 'String':
      return textOf(value);
    case 'StringList':
      return Array.isArray(value) ? value.map(textOf) : undefined;
    case 'Boolean':
      return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined;
    case 'Integer':
      return Number.isInteger(Number(value)) && typeof value !== 'object' ? Number(value) : undefined;
    case 'StringMap':
      return isObject(value) ? value : undefined;
    case 'MapList':
      return Array.isArray(value) ? value : undefined;
    default:
      return value;
  }
}

/** Returns a copy of an object without undefined members. */
export const compact = (value: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined));

/** Returns outputs as shown in responses. */
export const shownOutputs = (outputs: DeepReadonly<JsonObject> | undefined): Record<string, string[]> =>
  Object.fromEntries(Object.entries((outputs ?? {}) as JsonObject).map(([key, value]) => [key, textsOf(value)]));
