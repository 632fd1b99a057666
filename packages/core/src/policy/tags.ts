import type { ContextValue } from './types.ts';

/** Tags that a permission's conditions may ask for. */
export interface ConditionTags {
  /** Those of the resource; undefined where it does not exist. */
  resource?: Readonly<Record<string, string>> | undefined;
  /** Those that the request sets. */
  request?: Readonly<Record<string, string>> | undefined;
  /** Names the request gives, where it is not by setting tags. */
  keys?: readonly string[] | undefined;
}

const RESOURCE_TAG = 'aws:resourcetag/';
const REQUEST_TAG = 'aws:requesttag/';

/** The tag of a name in lower case: names of tags in condition keys do not regard case. */
function tagOf(tags: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  for (const [key, value] of Object.entries(tags ?? {})) if (key.toLowerCase() === name) return value;
  return undefined;
}

/**
 * The value of `aws:ResourceTag/…`, `aws:RequestTag/…` or `aws:TagKeys`; undefined for any other condition key.
 * @param key in lower case
 */
export function tagCondition(key: string, { resource, request, keys }: ConditionTags): ContextValue | undefined {
  if (key.startsWith(RESOURCE_TAG)) return tagOf(resource, key.slice(RESOURCE_TAG.length));
  if (key.startsWith(REQUEST_TAG)) return tagOf(request, key.slice(REQUEST_TAG.length));
  if (key === 'aws:tagkeys') return keys ?? (request && Object.keys(request));
  return undefined;
}
