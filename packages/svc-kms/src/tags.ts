import type { DeepReadonly } from '@emu/core';
import { kmsError } from './errors.ts';
import type { Tag } from './generated/kms.ts';

const MAX_TAGS = 50;

/**
 * A key's tags with others added to them or in the place of those of the same keys.
 * @throws AwsError `TagException`
 */
export function mergeTags(existing: readonly DeepReadonly<Tag>[], added: readonly Tag[]): Tag[] {
  const tags = new Map(existing.map(({ TagKey, TagValue }) => [TagKey, TagValue]));
  if (new Set(added.map(({ TagKey }) => TagKey)).size < added.length)
    throw kmsError('TagException', 'Duplicate tag keys');
  for (const { TagKey, TagValue } of added) {
    if (/^aws:/i.test(TagKey)) throw kmsError('TagException', 'Tags beginning with aws: are reserved');
    tags.set(TagKey, TagValue);
  }
  if (tags.size > MAX_TAGS) throw kmsError('TagException', 'Too many tags');
  return [...tags].map(([TagKey, TagValue]) => ({ TagKey, TagValue }));
}
