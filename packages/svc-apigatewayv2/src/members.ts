import { isBlank } from '@emu/core/service';

/** Returns the named members of an input that are present. */
export function given<Input, Name extends keyof Input>(
  input: Input,
  names: readonly Name[],
): { [Member in Name]?: Exclude<Input[Member], undefined> } {
  const found: { [Member in Name]?: Exclude<Input[Member], undefined> } = {};
  for (const name of names) {
    const value = input[name];
    if (value !== undefined) found[name] = value as Exclude<Input[Name], undefined>;
  }
  return found;
}

/**
 * Returns undefined for each named optional member whose value is empty: a request with it creates a resource without
 * the member, and removes the member from an existing one.
 */
export function cleared<Input, Name extends keyof Input>(
  input: Input,
  names: readonly Name[],
): { [Member in Name]?: undefined } {
  return Object.fromEntries(names.filter((name) => isBlank(input[name])).map((name) => [name, undefined])) as {
    [Member in Name]?: undefined;
  };
}

/**
 * Converts a time to the form of responses.
 * @param time epoch milliseconds
 */
export const wholeSeconds = (time: number): Date => new Date(Math.floor(time / 1000) * 1000);
