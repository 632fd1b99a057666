import { Tagging, type TagProblem, tagList } from '@emu/core';
import type { Tag } from '@emu/service-types/sts';
import type { AwsError } from '@emu/wire';
import { invalidParameter } from './errors.ts';

/** Tags of a session, and which of them go on to sessions made from it. */
export interface SessionTags {
  tags: Record<string, string>;
  transitiveTagKeys: string[];
}

const form = tagList('Key', 'Value');

/** Words of STS for tags that do not do; the model checks lengths, characters and how many there are. */
function refusal({ code }: TagProblem): AwsError | undefined {
  if (code === 'duplicate')
    return invalidParameter('Duplicate tag keys found. Please note that Tag keys are case insensitive.');
  // The prefix is reserved by the rules for session tags; the sentence is IAM's for tags of roles.
  if (code === 'reserved') return invalidParameter('System tags cannot be added/updated by requester');
  return undefined;
}

/** Tags of sessions. @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html#id_session-tags_know */
export const sessionTagging = new Tagging<Tag[]>({ form, ignoresCase: true, refuse: refusal });

/**
 * Checks tags that came in a token, where no model does; the rest is checked with those of requests.
 * @param malformed what is thrown for tags that no request could have
 */
export function checkTokenTags(tags: readonly Tag[], malformed: AwsError): void {
  const refuse = (problem: TagProblem) => (refusal(problem) ? undefined : malformed);
  new Tagging<Tag[]>({ form, ignoresCase: true, refuse }).merge(undefined, tags);
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
  const checked = sessionTagging.merge(undefined, tags);
  const keys = new Map(checked.map(({ Key }) => [folded(Key), Key]));
  if (!transitiveTagKeys.every((key) => keys.has(folded(key))))
    throw invalidParameter('The specified transitive tag key must be included in the requested tags.');
  const handedDown = inherited.transitiveTagKeys ?? [];
  if (handedDown.some((key) => keys.has(folded(key))))
    throw invalidParameter(
      "One of the specified transitive tag keys can't be set because it conflicts with a transitive tag key from the calling session.",
    );
  const inheritedTags = handedDown.map((key): [string, string] => [key, inherited.tags?.[key] ?? '']);
  return {
    tags: Object.fromEntries([...inheritedTags, ...form.entries(checked)]),
    transitiveTagKeys: [...handedDown, ...transitiveTagKeys.map((key) => keys.get(folded(key)) ?? key)],
  };
}
