import { textOf } from '@emu/wire';

/**
 * Returns the attributes for properties of the same names.
 * @param names of the attributes
 */
export function attributeTexts(properties: object, names: readonly string[]): Record<string, string> {
  const given = Object.entries(properties).filter(([name, value]) => names.includes(name) && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

/**
 * Returns the attributes that an update sets. Removed properties are set to their defaults.
 * @param defaults of the attributes
 */
export function changedTexts(
  previous: object,
  desired: object,
  defaults: Readonly<Record<string, string>>,
): [name: string, value: string][] {
  const names = Object.keys(defaults);
  const before = attributeTexts(previous, names);
  const after = attributeTexts(desired, names);
  return names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? defaults[name]!]);
}
