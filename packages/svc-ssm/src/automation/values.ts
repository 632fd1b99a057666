import { type DeepReadonly, readAtMost } from '@emu/core';
import { isObject, piecesOf } from '@emu/wire';
import { JSONPath } from 'jsonpath-plus';
import type { Json, JsonObject } from '../documents/content.ts';
import { StepFailure } from './failures.ts';

/** Bytes of a stream in an answer, which a step keeps whole. */
const MOST_STREAM = 1024 * 1024;

/** A value as text: itself, or JSON. */
export const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A value as outputs are shown: a list of texts. */
export const textsOf = (value: Json): string[] => (Array.isArray(value) ? value.map(textOf) : [textOf(value)]);

/**
 * An answer of a service as JSON: times in ISO 8601, bytes and streams as text.
 * @throws StepFailure where a stream is longer than a step may keep
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
    const bytes = await readAtMost(piecesOf(value as Uint8Array), MOST_STREAM);
    if (!bytes) throw new StepFailure(`The response of the service has a body of more than ${MOST_STREAM} bytes`);
    return bytes.toString();
  }
  if (Array.isArray(value)) return Promise.all(value.map(async (item) => (await answerJson(item)) ?? null));
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const members = await Promise.all(entries.map(async ([key, item]) => [String(key), await answerJson(item)] as const));
  return Object.fromEntries(members.filter((member): member is [string, Json] => member[1] !== undefined));
}

/** Paths that may name several values. */
const INDEFINITE = /\.\.|\*|\[\?|\[[^\]]*[,:]/;

/**
 * What a selector finds: the value itself where its path names one, else the list of those found.
 * @returns undefined where it finds nothing, and for what would have to be evaluated as a script
 */
export function select(value: Json, selector: string): Json | undefined {
  if (selector === '$') return value;
  if (typeof value !== 'object' || value === null || selector.includes('(')) return undefined;
  try {
    const found = JSONPath({ path: selector, json: value, wrap: true, eval: false }) as Json[];
    return INDEFINITE.test(selector) ? found : found[0];
  } catch {
    return undefined;
  }
}

/** A member of a value by a path of names and indexes, e.g. `Instances[0].State`. */
export function memberAt(value: Json, path: string): Json | undefined {
  if (path === '') return value;
  return select(value, `$${path.startsWith('[') ? '' : '.'}${path}`);
}

/** A value in the type that an output declares; undefined where it is not of it. */
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

/** A text as JSON, or as itself. */
export function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** An object without what is undefined. */
export const compact = (value: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined));

/** Outputs as answers have them. */
export const shownOutputs = (outputs: DeepReadonly<JsonObject> | undefined): Record<string, string[]> =>
  Object.fromEntries(Object.entries((outputs ?? {}) as JsonObject).map(([key, value]) => [key, textsOf(value)]));
