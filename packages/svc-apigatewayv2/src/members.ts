/** The members of an input that are there, of those named. */
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

/** A point in time as answers have it. @param time epoch milliseconds */
export const wholeSeconds = (time: number): Date => new Date(Math.floor(time / 1000) * 1000);
