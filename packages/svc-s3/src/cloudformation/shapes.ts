import { defined, type Properties } from '@emu/core/providers';

/**
 * Renames members at every depth.
 * @param names new names by old name
 */
export function renamed(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  // Dates and other non-plain objects stay unchanged.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return defined(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [names[name] ?? name, renamed(member, names)])),
  );
}

/** Inverts a table. */
export const inverse = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]));

/** Object filter of a configuration in a template. */
export interface Selection {
  Prefix?: string;
  TagFilters?: readonly Properties[];
  ObjectSizeGreaterThan?: number;
  ObjectSizeLessThan?: number;
}

/** Returns the filter for S3: one condition, or several in `And`. */
export function filterOf({ Prefix, TagFilters = [], ...sizes }: Selection): Properties | undefined {
  const conditions = defined({ Prefix, Tags: TagFilters.length ? TagFilters : undefined, ...sizes });
  const names = Object.keys(conditions);
  if (names.length === 0) return undefined;
  if (names.length > 1 || TagFilters.length > 1) return { And: conditions };
  return TagFilters.length ? { Tag: TagFilters[0] } : conditions;
}

/** Converts S3's filter to a template; empty if it selects all objects. */
export function selectionOf(filter: Properties | undefined): Selection {
  const { And, Tag, ...single } = (filter ?? {}) as { And?: Properties; Tag?: Properties } & Properties;
  const { Tags, ...conditions } = (And ?? { ...single, Tags: Tag && [Tag] }) as { Tags?: Properties[] } & Properties;
  return defined({ ...conditions, Prefix: conditions.Prefix || undefined, TagFilters: Tags }) as Selection;
}

/** Formats a time for templates, without milliseconds. */
export const dateText = (date: unknown): string | undefined =>
  date === undefined ? undefined : new Date(typeof date === 'number' ? date * 1000 : String(date)).toISOString();
