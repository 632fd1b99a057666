import { invalidParameter } from './errors.ts';
import type { Tag } from './generated/sts.ts';

/** Tags of a session, and which of them go on to sessions made from it. */
export interface SessionTags {
  tags: Record<string, string>;
  transitiveTagKeys: string[];
}

const KEY = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u;
const VALUE = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u;

/** Whether tags that came in a token are such as the tag parameters of a request may be. */
export function areValidTags(tags: readonly Tag[]): boolean {
  return tags.length <= 50 && tags.every((tag) => KEY.test(tag.Key) && VALUE.test(tag.Value));
}

const folded = (key: string): string => key.toLowerCase();

/**
 * Checks the tags a caller passes and adds those that the caller's own session hands down.
 * @param inherited tags of the calling session; its transitive ones cannot be set anew
 * @throws AwsError `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html#id_session-tags_know
 */
export function sessionTags(
  tags: readonly Tag[],
  transitiveTagKeys: readonly string[],
  inherited: { readonly tags?: Readonly<Record<string, string>>; readonly transitiveTagKeys?: readonly string[] } = {},
): SessionTags {
  const keys = new Map(tags.map((tag) => [folded(tag.Key), tag.Key]));
  if (keys.size < tags.length)
    throw invalidParameter('Duplicate tag keys found. Please note that Tag keys are case insensitive.');
  // The prefix is reserved by the rules for session tags; the sentence is IAM's for tags of roles.
  if (tags.some((tag) => folded(tag.Key).startsWith('aws:')))
    throw invalidParameter('System tags cannot be added/updated by requester');
  if (!transitiveTagKeys.every((key) => keys.has(folded(key))))
    throw invalidParameter('The specified transitive tag key must be included in the requested tags.');
  const handedDown = inherited.transitiveTagKeys ?? [];
  if (handedDown.some((key) => keys.has(folded(key))))
    throw invalidParameter(
      "One of the specified transitive tag keys can't be set because it conflicts with a transitive tag key from the calling session.",
    );
  const inheritedTags = handedDown.map((key): [string, string] => [key, inherited.tags?.[key] ?? '']);
  return {
    tags: Object.fromEntries([...inheritedTags, ...tags.map((tag): [string, string] => [tag.Key, tag.Value])]),
    transitiveTagKeys: [...handedDown, ...transitiveTagKeys.map((key) => keys.get(folded(key)) ?? key)],
  };
}
