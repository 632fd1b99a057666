import type { ContextValue } from './types.ts';

/** Tags for the conditions of a permission. */
export interface ConditionTags {
  /** Tags of the resource; undefined for an unknown resource. */
  resource?: Readonly<Record<string, string>> | undefined;
  /** Tags that the request sets. */
  request?: Readonly<Record<string, string>> | undefined;
  /** Tag keys in the request, if it does not set tags. */
  keys?: readonly string[] | undefined;
}

const RESOURCE_TAG = 'aws:resourcetag/';
const REQUEST_TAG = 'aws:requesttag/';

/** Returns the tag of a key in lower case: tag keys in condition keys ignore case. */
function tagOf(tags: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  for (const [key, value] of Object.entries(tags ?? {})) if (key.toLowerCase() === name) return value;
  return undefined;
}

/**
 * Returns the value of `aws:ResourceTag/…`, `aws:RequestTag/…` or `aws:TagKeys`; undefined for any other condition key.
 * @param key in lower case
 */
export function tagCondition(key: string, { resource, request, keys }: ConditionTags): ContextValue | undefined {
  if (key.startsWith(RESOURCE_TAG)) return tagOf(resource, key.slice(RESOURCE_TAG.length));
  if (key.startsWith(REQUEST_TAG)) return tagOf(request, key.slice(REQUEST_TAG.length));
  if (key === 'aws:tagkeys') return keys ?? (request && Object.keys(request));
  return undefined;
}
