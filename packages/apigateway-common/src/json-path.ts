import { compilePath, type Json, lookUp, PathSyntaxError } from '@emu/core/json-path';
import { WorkLimitError } from '@emu/core/service';

/** Matches definite paths, with members and indexes only. */
const PLAIN = /^\$(?:\.[A-Za-z_][\w-]*|\[-?\d+\]|\['[^'\\]*'\]|\["[^"\\]*"\])*$/;
const STEP = /\.([A-Za-z_][\w-]*)|\[(-?\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;

/**
 * Evaluates a JSONPath: returns the value for a definite path, otherwise an array of matches.
 * @returns undefined if nothing matches, and for a path that is invalid or visits too many values
 */
export function findByPath(document: unknown, path: string): unknown {
  if (path === '$' || path === '') return document;
  if (PLAIN.test(path)) return step(document, path);
  if (typeof document !== 'object' || document === null) return undefined;
  try {
    const result = lookUp(compilePath(path), document as Json);
    return result.found ? result.value : undefined;
  } catch (error) {
    if (error instanceof PathSyntaxError || error instanceof WorkLimitError) return undefined;
    throw error;
  }
}

function step(document: unknown, path: string): unknown {
  let value = document;
  for (const [, name, index, quoted, double] of path.matchAll(STEP)) {
    if (typeof value !== 'object' || value === null) return undefined;
    let key = name ?? index ?? quoted ?? double ?? '';
    if (index !== undefined) {
      if (!Array.isArray(value)) return undefined;
      // Negative indexes count from the end.
      if (index.startsWith('-')) key = String(value.length + Number(index));
    }
    if (!Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
