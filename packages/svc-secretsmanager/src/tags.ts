import type { DeepReadonly } from '@emu/core';
import { invalidParameter, limitExceeded } from './errors.ts';
import type { Tag } from './generated/secretsmanager.ts';

const MAX_TAGS = 50;

/**
 * Tags with others added to them or in the place of those of the same keys.
 * @throws AwsError `InvalidParameterException`, `LimitExceededException`
 */
export function mergeTags(existing: readonly DeepReadonly<Tag>[], added: readonly Tag[]): Tag[] {
  const tags = new Map(existing.map(({ Key, Value }) => [Key, Value]));
  for (const { Key, Value } of added) {
    if (!Key) throw invalidParameter('Tag keys must not be empty.');
    if (/^aws:/i.test(Key)) throw invalidParameter('Tag keys beginning with aws: are reserved.');
    tags.set(Key, Value ?? '');
  }
  if (tags.size > MAX_TAGS) throw limitExceeded(`You can't have more than ${MAX_TAGS} tags on a secret.`);
  return [...tags].map(([Key, Value]) => ({ Key, Value }));
}
