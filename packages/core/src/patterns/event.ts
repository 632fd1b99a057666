import { isObject } from '@emu/wire';
import { MAX_NESTING } from './json-tokens.ts';

type JsonObject = Record<string, unknown>;

/** An event prepared for matching; created once for all patterns. */
export interface PatternEvent {
  /** The event, with nested objects for names that contain dots. */
  readonly root: unknown;
}

/**
 * Prepares a JSON value for matching. A name with dots is treated as a path, as event-ruler flattens events.
 * @param value result of `JSON.parse`; not changed, and must not be changed during matching
 * @returns undefined for a value that is not an object or has more than 1000 levels: no pattern matches it
 */
export function patternEvent(value: unknown): PatternEvent | undefined {
  if (!isObject(value)) return undefined;
  let dotted = false;
  let level: object[] = [value];
  for (let depth = 1; level.length; depth++) {
    if (depth > MAX_NESTING) return undefined;
    const next: object[] = [];
    for (const container of level)
      for (const name in container) {
        if (!dotted && name.includes('.')) dotted = true;
        const child = (container as JsonObject)[name];
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    level = next;
  }
  return { root: dotted ? withoutDots(value) : value };
}

/** Parses a text and prepares it like {@link patternEvent}; undefined for invalid JSON, too. */
export function parsePatternEvent(json: string): PatternEvent | undefined {
  try {
    return patternEvent(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function withoutDots(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDots);
  if (!isObject(value)) return value;
  const out = Object.create(null) as JsonObject;
  for (const [name, child] of Object.entries(value)) {
    const segments = name.split('.');
    const inner = segments.slice(1).reduceRight<unknown>((nested, segment) => {
      const holder = Object.create(null) as JsonObject;
      holder[segment] = nested;
      return holder;
    }, withoutDots(child));
    out[segments[0]!] = merge(out[segments[0]!], inner);
  }
  return out;
}

/** Merges two values of one path: objects by member, others as a list of both. */
function merge(first: unknown, second: unknown): unknown {
  if (first === undefined) return second;
  if (!isObject(first) || !isObject(second)) return [first, second];
  const out: JsonObject = Object.assign(Object.create(null), first);
  for (const [name, child] of Object.entries(second)) out[name] = merge(out[name], child);
  return out;
}
