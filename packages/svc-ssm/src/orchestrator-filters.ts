import { invalidRequest } from './errors.ts';

/** A filter of maintenance windows and of patches. */
export interface OrchestratorFilter {
  Key?: string | undefined;
  Values?: string[] | undefined;
}

/** How an item answers to the values of a key. */
export type FilterTests<Item> = Readonly<Record<string, (item: Item, values: readonly string[]) => boolean>>;

/**
 * What filters let pass: items that one value of each filter fits.
 * @throws AwsError `ValidationException` for a key that has no test
 */
export function passesAll<Item>(
  filters: readonly OrchestratorFilter[] | undefined,
  tests: FilterTests<Item>,
): (item: Item) => boolean {
  const chosen = (filters ?? []).map(({ Key = '', Values = [] }) => {
    if (!Object.hasOwn(tests, Key))
      throw invalidRequest(`The filter key ${Key} is not valid. Valid keys: ${Object.keys(tests).join(', ')}.`);
    return (item: Item) => tests[Key]!(item, Values);
  });
  return (item) => chosen.every((test) => test(item));
}
