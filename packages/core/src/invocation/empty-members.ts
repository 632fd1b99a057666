import { isObject } from '@emu/wire';

/**
 * Returns an input without those of the named members whose values are empty; the input itself if all have values.
 * @param members paths, e.g. `Targets[].Input`
 */
export function withoutEmpty(input: unknown, members: readonly string[]): unknown {
  return members.reduce((value, member) => without(value, member.split('.')), input);
}

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const isList = name.endsWith('[]');
  const key = isList ? name.slice(0, -2) : name;
  const member = value[key];
  if (member === undefined) return value;
  if (rest.length === 0) {
    if (!isEmpty(member)) return value;
    const { [key]: _, ...others } = value;
    return others;
  }
  if (!isList) return replaced(value, key, member, without(member, rest));
  if (!Array.isArray(member)) return value;
  const elements = member.map((element) => without(element, rest));
  return elements.some((element, index) => element !== member[index]) ? { ...value, [key]: elements } : value;
}

const replaced = (value: object, key: string, before: unknown, after: unknown): object =>
  before === after ? value : { ...value, [key]: after };

/** Whether a value is an empty text, list or object, or contains only such values. */
function isEmpty(value: unknown): boolean {
  if (value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isEmpty);
}
