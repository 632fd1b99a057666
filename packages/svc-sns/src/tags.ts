import { awsError } from '@emu/wire';
import { invalidParameter } from './errors.ts';
import type { Tag } from './generated/sns.ts';

const MAX_TAGS = 50;

/**
 * Tags of a request by key.
 * @throws AwsError `InvalidParameter` where a key comes twice
 */
export function tagsOf(tags: readonly Tag[] = []): Record<string, string> {
  const found = new Map<string, string>();
  for (const { Key, Value } of tags) {
    if (found.has(Key)) throw invalidParameter('Duplicated keys are not allowed.');
    if (/^aws:/i.test(Key)) throw invalidParameter('System tags cannot be added/updated by requester');
    found.set(Key, Value);
  }
  return Object.fromEntries(found);
}

/**
 * Puts tags over those a topic has.
 * @throws AwsError `TagLimitExceeded` where there would be more than 50
 */
export function addTags(
  current: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const tags = { ...current, ...added };
  if (Object.keys(tags).length > MAX_TAGS)
    throw awsError('TagLimitExceededException', 'Could not complete request: tag quota of per resource exceeded');
  return tags;
}
