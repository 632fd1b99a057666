import { isObject, parseJson } from '@emu/wire';
import { fromJson, type Value, walk } from '../engine/values.ts';
import type { Fields } from './fields.ts';

/** Maximum number of discovered fields. */
const MAX_FIELDS = 200;
/** Minimum characters of that many fields, such as `"":0,`. */
const MIN_LENGTH = MAX_FIELDS * 4;

/** Numbers beyond JavaScript's precision, between other tokens. */
const LONG_NUMBER = /([:[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g;

/** Parses a JSON object; undefined for other text. Numbers beyond JavaScript's precision stay text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const parsed = LONG_NUMBER.test(text) ? (parse(text.replace(LONG_NUMBER, '$1"$2"')) ?? parse(text)) : parse(text);
  return isObject(parsed) ? parsed : undefined;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Fields of a JSON event: leaves by path, of which the first 200 are discovered. */
export class JsonFields implements Fields {
  private flat: Map<string, Value> | undefined;

  /** @param length characters of the source text */
  constructor(
    private readonly object: Readonly<Record<string, unknown>>,
    private readonly length: number,
  ) {}

  get(name: string, segments: readonly string[]): Value {
    // An event field whose name begins with @ gets a second @.
    const own = name.startsWith('@');
    if (own && !name.startsWith('@@')) return undefined;
    if (this.length >= MIN_LENGTH) return this.flattened().get(own ? name.slice(1) : name);
    const value = walk(this.object, own ? [segments[0]!.slice(1), ...segments.slice(1)] : segments);
    return typeof value === 'object' ? undefined : value;
  }

  *entries(): Iterable<readonly [string, Value]> {
    for (const [name, value] of this.flattened()) yield [name.startsWith('@') ? `@${name}` : name, value];
  }

  private flattened(): Map<string, Value> {
    this.flat ??= flatten(this.object, '', new Map());
    return this.flat;
  }
}

function flatten(container: object, prefix: string, into: Map<string, Value>): Map<string, Value> {
  for (const [key, value] of Object.entries(container)) {
    if (into.size >= MAX_FIELDS) break;
    if (typeof value === 'object' && value !== null) flatten(value as object, `${prefix}${key}.`, into);
    else if (value !== null) into.set(prefix + key, fromJson(value));
  }
  return into;
}
