/** A deeply read-only value. */
export type DeepReadonly<T> = T extends
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | Uint8Array
  ? T
  : T extends (...args: never[]) => unknown
    ? T
    : T extends readonly (infer Element)[]
      ? readonly DeepReadonly<Element>[]
      : T extends ReadonlyMap<infer Key, infer Value>
        ? ReadonlyMap<Key, DeepReadonly<Value>>
        : T extends object
          ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
          : T;

/** The same value, deeply mutable. */
export type DeepMutable<T> = T extends
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | Uint8Array
  ? T
  : T extends readonly (infer Element)[]
    ? DeepMutable<Element>[]
    : T extends object
      ? { -readonly [Key in keyof T]: DeepMutable<T[Key]> }
      : T;

/** Copies plain data (objects, arrays, `Date`, `Uint8Array`); the copy shares nothing mutable with the original. */
export function copyOf<T>(value: T): DeepMutable<T> {
  return copyValue(value) as DeepMutable<T>;
}

function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyValue);
  if (value instanceof Date) return new Date(value);
  // A Buffer's own slice shares its memory.
  if (value instanceof Uint8Array) return Uint8Array.prototype.slice.call(value);
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = copyValue((value as Record<string, unknown>)[key]);
    // Assigning to __proto__ would change the prototype instead of adding a member.
    if (key === '__proto__')
      Object.defineProperty(out, key, { value: member, enumerable: true, writable: true, configurable: true });
    else out[key] = member;
  }
  return out;
}
