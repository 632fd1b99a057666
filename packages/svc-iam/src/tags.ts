import type { DeepReadonly } from '@emu/core';
import { invalidInput, limitExceeded } from './errors.ts';
import type { Tag } from './generated/iam.ts';
import { type Page, type PageRequest, paginate } from './paging.ts';

const MAX_TAGS = 50;

type Tags = readonly DeepReadonly<Tag>[];

/**
 * Tags with others added to them, or in the place of those of the same keys. IAM does not tell keys apart by case.
 * @throws AwsError `InvalidInput`, `LimitExceeded`
 */
export function mergeTags(existing: Tags, added: Tags = []): Tag[] {
  const tags = new Map(existing.map((tag) => [tag.Key.toLowerCase(), { ...tag }]));
  const keys = new Set(added.map(({ Key }) => Key.toLowerCase()));
  if (keys.size < added.length)
    throw invalidInput('Duplicate tag keys found. Please note that Tag keys are case insensitive.');
  for (const { Key, Value } of added) {
    if (/^aws:/i.test(Key)) throw invalidInput('System tags cannot be added/updated by requester');
    tags.set(Key.toLowerCase(), { Key, Value });
  }
  if (tags.size > MAX_TAGS) throw limitExceeded('The number of tags has reached the maximum limit.');
  return [...tags.values()];
}

/** Tags without those of some keys. */
export function removeTags(existing: Tags, keys: readonly string[]): Tag[] {
  const removed = new Set(keys.map((key) => key.toLowerCase()));
  return existing.filter(({ Key }) => !removed.has(Key.toLowerCase())).map((tag) => ({ ...tag }));
}

/** The `Tags` member of an answer, which IAM leaves out where there are none. */
export const tagsMember = (tags: Tags): { Tags?: Tag[] } =>
  tags.length ? { Tags: tags.map((tag) => ({ ...tag })) } : {};

/** One page of tags. */
export function pageOfTags(tags: Tags, input: PageRequest): { Tags: Tag[] } & Page<Tag>['page'] {
  const { items, page } = paginate(tags, ({ Key }) => Key.toLowerCase(), input);
  return { Tags: items.map((tag) => ({ ...tag })), ...page };
}
