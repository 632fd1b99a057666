import { JSONPath } from 'jsonpath-plus';

/** Matches definite paths, with members and indexes only. */
const PLAIN = /^\$(?:\.[A-Za-z_][\w-]*|\[-?\d+\]|\['[^'\\]*'\]|\["[^"\\]*"\])*$/;
const STEP = /\.([A-Za-z_][\w-]*)|\[(-?\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;

/**
 * Evaluates a JSONPath: returns the value for a definite path, otherwise an array of matches. Filters and scripts are
 * not evaluated and match nothing.
 * @returns undefined if nothing matches, and for an invalid path
 */
export function findByPath(document: unknown, path: string): unknown {
  if (path === '$' || path === '') return document;
  if (PLAIN.test(path)) return step(document, path);
  // Filters and scripts would need evaluation.
  if (/[(?]/.test(path)) return undefined;
  if (typeof document !== 'object' || document === null) return undefined;
  try {
    const found = JSONPath({ path, json: document, wrap: true, eval: false }) as unknown[];
    const indefinite = path.includes('*') || path.includes('..') || path.includes(':') || /\[[^\]]*,/.test(path);
    return indefinite ? found : found[0];
  } catch {
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
