import type { DeepReadonly } from '@emu/core';
import { invalid, limitExceeded } from './errors.ts';
import type { Tag } from './generated/events.ts';

const MAX_TAGS = 50;

/**
 * Tags with others added to them or in the place of those of the same keys.
 * @throws AwsError `ValidationException`, `LimitExceededException`
 */
export function mergeTags(existing: readonly DeepReadonly<Tag>[], added: readonly Tag[]): Tag[] {
  const tags = new Map(existing.map(({ Key, Value }) => [Key, Value]));
  for (const { Key, Value } of added) {
    if (/^aws:/i.test(Key)) throw invalid('Tag keys beginning with aws: are reserved.');
    tags.set(Key, Value);
  }
  if (tags.size > MAX_TAGS) throw limitExceeded();
  return [...tags].map(([Key, Value]) => ({ Key, Value }));
}
