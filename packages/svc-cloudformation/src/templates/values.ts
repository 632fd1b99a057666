import { isObject } from '@emu/wire';

/** A JSON object of a template. */
export type JsonObject = Record<string, unknown>;

/** Whether two JSON values are equal, ignoring the order of members. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length && keys.every((key) => key in other && sameJson(one[key], other[key]))
  );
}

/** Sets a member, even with the name `__proto__`. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
