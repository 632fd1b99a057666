import type { AwsError } from '@emu/wire';
import type { DeepReadonly } from '../collections/readonly.ts';
import { Pattern } from '../policy/wildcards.ts';

type Scalar = string | number | boolean;

/** Value of a record that a filter compares; one of several values must match. */
export type Filtered = Scalar | readonly (Scalar | undefined)[] | undefined;

/** A filter: a member of the record, or a function of it. */
export type FilterOn<Item, Context, Status> =
  | (keyof Item & string)
  | ((record: DeepReadonly<Item>, ctx: Context, state: Status) => Filtered);

/** The filters of a resource by name. */
export type Filters<Item, Context, Status> = { readonly [Name in string]: FilterOn<Item, Context, Status> };

/** A filter of a request, e.g. of EC2's `Filters`. */
export interface RequestedFilter {
  readonly Name?: string | undefined;
  readonly Values?: readonly string[] | undefined;
}

/** Filter rules of a service. */
export interface FilterRules {
  /** Input member with the filters; a list may have another. */
  readonly member: string;
  /** Maximum number of values of one filter. */
  readonly mostValues?: number;
  /** Returns the error for an unknown filter. */
  unknown(name: string): AwsError;
  /** Returns the error for a filter with too many values. */
  tooMany?(name: string): AwsError;
}

/** Filter rules of a resource. */
export interface FilterSource<Item, Context, Status> {
  readonly filters: Filters<Item, Context, Status>;
  /** Returns the tags of a record, for `tag:<key>` and `tag-key`; undefined for a resource without tags. */
  readonly tags: ((record: DeepReadonly<Item>) => readonly (readonly [key: string, value: string])[]) | undefined;
}

type Test<Item, Context, Status> = (record: DeepReadonly<Item>, ctx: Context, state: Status) => boolean;

const SYNTAX = { variables: false, wildcards: true, escapes: true };
const NO_VARIABLES = (): undefined => undefined;

/** Whether a text matches one of the values, which may have the wildcards `*` and `?`, escaped by `\`. */
function matcher(values: readonly string[]): (text: string) => boolean {
  const exact = new Set(values.filter((value) => !/[*?\\]/.test(value)));
  const patterns = values.filter((value) => /[*?\\]/.test(value)).map((value) => new Pattern(value, SYNTAX));
  return (text) => exact.has(text) || patterns.some((pattern) => pattern.matches(text, NO_VARIABLES));
}

function matchesAny(filtered: Filtered, matches: (text: string) => boolean): boolean {
  if (filtered === undefined) return false;
  if (typeof filtered === 'object') return filtered.some((one) => one !== undefined && matches(String(one)));
  return matches(String(filtered));
}

/**
 * Compiles the filters of a request: a record must match one value of each.
 * @returns undefined for a request without filters
 * @throws AwsError of the rules
 */
export function compileFilters<Item, Context, Status>(
  requested: readonly RequestedFilter[] | undefined,
  { filters, tags }: FilterSource<Item, Context, Status>,
  { mostValues = Number.POSITIVE_INFINITY, unknown, tooMany = unknown }: FilterRules,
): Test<Item, Context, Status> | undefined {
  if (!requested?.length) return undefined;
  const tests = requested.map(({ Name: name = '', Values: values = [] }): Test<Item, Context, Status> => {
    const matches = matcher(values);
    if (values.length > mostValues) throw tooMany(name);
    if (Object.hasOwn(filters, name)) {
      const filter = filters[name]!;
      if (typeof filter === 'function') return (record, ctx, state) => matchesAny(filter(record, ctx, state), matches);
      return (record) => matchesAny((record as { readonly [Member in string]?: Filtered })[filter], matches);
    }
    if (!tags) throw unknown(name);
    if (name === 'tag-key') return (record) => tags(record).some(([key]) => matches(key));
    if (!name.startsWith('tag:')) throw unknown(name);
    const wanted = name.slice('tag:'.length);
    return (record) => tags(record).some(([key, value]) => key === wanted && matches(value));
  });
  return (record, ctx, state) => tests.every((test) => test(record, ctx, state));
}

/** Returns the filter name of a member, e.g. `cidr-block` for `CidrBlock`. */
export const filterName = (member: string): string =>
  member.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();

/** Returns filters on members, each named by its member in kebab case. */
export const memberFilters = <const Members extends readonly string[]>(
  ...members: Members
): { readonly [name: string]: Members[number] } =>
  Object.fromEntries(members.map((member): [string, Members[number]] => [filterName(member), member]));
