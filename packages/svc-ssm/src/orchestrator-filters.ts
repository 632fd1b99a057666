import { invalid } from './errors.ts';

/** A filter of maintenance windows and of patches. */
export interface OrchestratorFilter {
  Key?: string | undefined;
  Values?: string[] | undefined;
}

/** Tests of an item against filter values, by key. */
export type FilterTests<Item> = Readonly<Record<string, (item: Item, values: readonly string[]) => boolean>>;

/**
 * Returns the predicate for filters: an item must match one value of each filter.
 * @throws AwsError `ValidationException` for an unknown key
 */
export function passesAll<Item>(
  filters: readonly OrchestratorFilter[] | undefined,
  tests: FilterTests<Item>,
): (item: Item) => boolean {
  const chosen = (filters ?? []).map(({ Key = '', Values = [] }) => {
    if (!Object.hasOwn(tests, Key))
      throw invalid(`The filter key ${Key} is not valid. Valid keys: ${Object.keys(tests).join(', ')}.`);
    return (item: Item) => tests[Key]!(item, Values);
  });
  return (item) => chosen.every((test) => test(item));
}
