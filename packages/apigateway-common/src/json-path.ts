import { compilePath, type Json, lookUp, PathSyntaxError } from '@emu/core/json-path';
import { type WorkBudget, WorkLimitError } from '@emu/core/service';

/** Matches definite paths, with members and indexes only. */
const PLAIN = /^\$(?:\.[A-Za-z_][\w-]*|\[-?\d+\]|\['[^'\\]*'\]|\["[^"\\]*"\])*$/;
const STEP = /\.([A-Za-z_][\w-]*)|\[(-?\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;

/**
 * Evaluates a JSONPath: returns the value for a definite path, otherwise an array of matches.
 * @param total counts the work of several paths
 * @returns undefined if nothing matches, and for a path that is invalid or visits too many values
 * @throws WorkLimitError if all paths together exceed their limit
 */
export function findByPath(document: unknown, path: string, total?: WorkBudget): unknown {
  if (path === '$' || path === '') return document;
  if (PLAIN.test(path)) return step(document, path);
  if (typeof document !== 'object' || document === null) return undefined;
  try {
    const result = lookUp(compilePath(path), document as Json, total);
    return result.found ? result.value : undefined;
  } catch (error) {
    if (!(error instanceof PathSyntaxError || error instanceof WorkLimitError)) throw error;
    // Throws if the limit of all paths is exceeded.
    total?.step(0);
    return undefined;
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
