import type { RecordedValue } from './records.ts';

/** Deepest level of a value. Protocols refuse deeper ones. */
const MAX_DEPTH = 1000;
/** Names of the objects for values that JSON lacks. */
const RESERVED = new Set(['$bytes', '$time', '$number', '$literal']);

/** A body of which only the first bytes are known. */
export class CutBody {
  /**
   * @param bytes its first bytes
   * @param length its whole length in bytes
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly length: number,
  ) {}
}

/**
 * Converts a decoded value to JSON of a recording. Undefined members are left out.
 * @throws RangeError for a value that is nested too deeply
 */
export function toJson(value: unknown, depth = 0): RecordedValue {
  if (depth > MAX_DEPTH) throw new RangeError(`a value is nested deeper than ${MAX_DEPTH} levels`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : { $number: String(value) };
    case 'bigint': {
      const number = Number(value);
      return BigInt(number) === value ? number : { $number: String(value) };
    }
    case 'object':
      return value === null ? null : objectToJson(value, depth);
    default:
      return null;
  }
}

function objectToJson(value: object, depth: number): RecordedValue {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : { $time: value.toISOString() };
  if (value instanceof Uint8Array) return { $bytes: base64(value) };
  if (value instanceof CutBody) return { $bytes: base64(value.bytes), $length: value.length };
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  // Unlike assignment, this makes `__proto__` an own property.
  const out = Object.fromEntries(entries.map(([name, item]) => [name, toJson(item, depth + 1)]));
  return entries.some(([name]) => RESERVED.has(name)) ? { $literal: out } : out;
}

/**
 * Converts JSON of a recording to a decoded value: blobs become `Uint8Array`, or `CutBody` with a `$length`, timestamps
 * `Date`.
 * @throws TypeError for an invalid reserved object
 */
export function fromJson(json: RecordedValue): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return (json as readonly RecordedValue[]).map(fromJson);
  const object = json as { readonly [name: string]: RecordedValue };
  if (Object.hasOwn(object, '$bytes')) {
    const bytes = Buffer.from(textIn(object, '$bytes'), 'base64');
    if (object.$length === undefined) return new Uint8Array(bytes);
    if (!Number.isSafeInteger(object.$length)) throw new TypeError('$length is not a number of bytes');
    return new CutBody(new Uint8Array(bytes), object.$length as number);
  }
  if (Object.hasOwn(object, '$time')) {
    const time = new Date(textIn(object, '$time'));
    if (Number.isNaN(time.getTime())) throw new TypeError('$time is not a time');
    return time;
  }
  if (Object.hasOwn(object, '$number')) {
    const text = textIn(object, '$number');
    return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
  }
  const members = Object.hasOwn(object, '$literal') ? object.$literal : object;
  if (typeof members !== 'object' || members === null) throw new TypeError('$literal is not an object');
  return Object.fromEntries(Object.entries(members).map(([name, item]) => [name, fromJson(item)]));
}

function textIn(object: { readonly [name: string]: RecordedValue }, name: string): string {
  const text = object[name];
  if (typeof text !== 'string') throw new TypeError(`${name} is not a string`);
  return text;
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
