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
 * Converts a time to the form of responses.
 * @param time epoch milliseconds
 */
export const wholeSeconds = (time: number): Date => new Date(Math.floor(time / 1000) * 1000);
