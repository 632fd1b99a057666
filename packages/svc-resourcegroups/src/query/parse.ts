import type { DeepReadonly } from '@emu/core/service';
import type { ResourceQuery } from '@emu/service-types/resourcegroups';
import { isObject, parseJson } from '@emu/wire';
import { invalidQuery } from '../errors.ts';

/** A tag filter of a query: a key, and alternative values; an empty list matches any value. */
export interface TagFilter {
  readonly key: string;
  readonly values: readonly string[];
}

/** A parsed query. */
export interface Query {
  /** CloudFormation types; undefined for all. */
  readonly types: ReadonlySet<string> | undefined;
  readonly by: { readonly tags: readonly TagFilter[] } | { readonly stack: string };
}

const ALL = 'AWS::AllSupported';
const TYPE = /^AWS::[a-zA-Z0-9]+::[a-zA-Z0-9]+$/;
const STACK = /^arn:aws[a-z-]*:cloudformation:[a-z0-9-]+:\d{12}:stack\/[^/]+\/.+$/;

/**
 * Parses a query.
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_ResourceQuery.html
 */
export function parseQuery({ Type, Query }: DeepReadonly<ResourceQuery>): Query {
  const query = objectIn(Query);
  const types = typesIn(query.ResourceTypeFilters);
  const member = Type === 'TAG_FILTERS_1_0' ? 'TagFilters' : 'StackIdentifier';
  for (const name of Object.keys(query))
    if (name !== 'ResourceTypeFilters' && name !== member) throw invalidQuery(`${name} is not a member of ${Type}.`);
  if (Type === 'TAG_FILTERS_1_0') return { types, by: { tags: tagsIn(query.TagFilters) } };
  const { StackIdentifier: stack } = query;
  if (typeof stack !== 'string' || !STACK.test(stack))
    throw invalidQuery('StackIdentifier must be the ARN of a stack.');
  return { types, by: { stack } };
}

function objectIn(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw invalidQuery('The query is not JSON.');
  }
  if (!isObject(value)) throw invalidQuery('The query is not a JSON object.');
  return value;
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

function typesIn(filters: unknown): ReadonlySet<string> | undefined {
  if (!areTexts(filters) || !filters.length) throw invalidQuery('ResourceTypeFilters must be a list of types.');
  for (const type of filters)
    if (type !== ALL && !TYPE.test(type)) throw invalidQuery(`The resource type ${type} is not valid.`);
  if (!filters.includes(ALL)) return new Set(filters);
  if (filters.length > 1) throw invalidQuery(`${ALL} cannot be combined with other resource types.`);
  return undefined;
}

function tagsIn(filters: unknown = []): TagFilter[] {
  if (!Array.isArray(filters)) throw invalidQuery('TagFilters must be a list.');
  return filters.map((filter: unknown) => {
    const { Key: key, Values: values = [] } = (filter ?? {}) as Record<string, unknown>;
    if (typeof key !== 'string' || key === '') throw invalidQuery('Each tag filter must have a key.');
    if (!areTexts(values)) throw invalidQuery('The values of a tag filter must be texts.');
    return { key, values };
  });
}
