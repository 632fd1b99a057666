/** A difference between two values; undefined for a missing value. */
export interface Difference {
  /** Member names and keys; `[]` for a list element. */
  path: string[];
  before: unknown;
  after: unknown;
}

/**
 * Returns the differences of two JSON values, down to scalars. Common list elements are no difference, wherever they
 * are; the others are compared in order.
 */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  compare(before, after, [], found);
  return found;
}

function compare(before: unknown, after: unknown, path: string[], into: Difference[]): void {
  if (before === after) return;
  if (!isNested(before) && !isNested(after)) {
    into.push({ path, before, after });
    return;
  }
  if (Array.isArray(before ?? after) && Array.isArray(after ?? before)) {
    if (before !== undefined && after !== undefined && JSON.stringify(before) === JSON.stringify(after)) return;
    compareLists(before as unknown[] | undefined, after as unknown[] | undefined, path, into);
    return;
  }
  if ((before !== undefined && !isNested(before)) || (after !== undefined && !isNested(after))) {
    into.push({ path, before, after });
    return;
  }
  const [old, now] = [before ?? {}, after ?? {}] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  // An empty value differs from a missing one, and an empty list from an empty object.
  if (!keys.size && (before === undefined || after === undefined || Array.isArray(before) !== Array.isArray(after)))
    into.push({ path, before, after });
  for (const key of keys) compare(old[key], now[key], [...path, key], into);
}

function compareLists(
  before: unknown[] | undefined,
  after: unknown[] | undefined,
  path: string[],
  into: Difference[],
): void {
  if (before === undefined || after === undefined) if (!(before ?? after)!.length) into.push({ path, before, after });
  const old = (before ?? []).map((element) => JSON.stringify(element));
  const added: unknown[] = [];
  for (const element of after ?? []) {
    const index = old.indexOf(JSON.stringify(element));
    if (index < 0) added.push(element);
    else old.splice(index, 1);
  }
  const gone = old.map((text) => JSON.parse(text ?? 'null') as unknown);
  // The same elements in another order.
  if (!gone.length && !added.length) into.push({ path: [...path, 'order'], before, after });
  for (let index = 0; index < Math.max(gone.length, added.length); index++)
    compare(gone[index], added[index], [...path, '[]'], into);
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
