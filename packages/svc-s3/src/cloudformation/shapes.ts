import { defined, type Properties } from '@emu/core/providers';

/** Renames members at every depth. @param names new names by the old ones */
export function renamed(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  // Dates and other values that are no plain objects stay as they are.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return defined(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [names[name] ?? name, renamed(member, names)])),
  );
}

/** The same table the other way round. */
export const inverse = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]));

/** What objects a configuration is for, as templates write it. */
export interface Selection {
  Prefix?: string;
  TagFilters?: readonly Properties[];
  ObjectSizeGreaterThan?: number;
  ObjectSizeLessThan?: number;
}

/** The same as S3 takes it: one condition, or several under `And`. */
export function filterOf({ Prefix, TagFilters = [], ...sizes }: Selection): Properties | undefined {
  const conditions = defined({ Prefix, Tags: TagFilters.length ? TagFilters : undefined, ...sizes });
  const names = Object.keys(conditions);
  if (names.length === 0) return undefined;
  if (names.length > 1 || TagFilters.length > 1) return { And: conditions };
  return TagFilters.length ? { Tag: TagFilters[0] } : conditions;
}

/** A selection from the filter that S3 tells; nothing for one that takes every object. */
export function selectionOf(filter: Properties | undefined): Selection {
  const { And, Tag, ...single } = (filter ?? {}) as { And?: Properties; Tag?: Properties } & Properties;
  const { Tags, ...conditions } = (And ?? { ...single, Tags: Tag && [Tag] }) as { Tags?: Properties[] } & Properties;
  return defined({ ...conditions, Prefix: conditions.Prefix || undefined, TagFilters: Tags }) as Selection;
}

/** Time as templates write it, without the milliseconds. */
export const dateText = (date: unknown): string | undefined =>
  date === undefined ? undefined : new Date(typeof date === 'number' ? date * 1000 : String(date)).toISOString();
