import { Tagging, type TagProblem, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/sts';
import type { AwsError } from '@emu/wire';
import { invalidParameterValue } from './errors.ts';

/** Tags of a session, and the keys of transitive ones. */
export interface SessionTags {
  tags: Record<string, string>;
  transitiveTagKeys: string[];
}

const form = tagsAsList('Key', 'Value');

/** Messages of STS for invalid tags. The model checks lengths, characters and number. */
function refusal({ code }: TagProblem): AwsError | undefined {
  if (code === 'duplicate')
    return invalidParameterValue('Duplicate tag keys found. Please note that Tag keys are case insensitive.');
  // The rules for session tags reserve the prefix. The message is IAM's for role tags.
  if (code === 'reserved') return invalidParameterValue('System tags cannot be added/updated by requester');
  return undefined;
}

/**
 * Tags of sessions.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html#id_session-tags_know
 */
export const sessionTagging = new Tagging<Tag[]>({ form, ignoresCase: true, refuse: refusal });

/**
 * Validates tags from a token by the constraints of the model. Other checks are shared with tags in requests.
 * @param malformed error for tags that violate the constraints
 */
export function checkTokenTags(tags: readonly Tag[], malformed: AwsError): void {
  const refuse = (problem: TagProblem) => (refusal(problem) ? undefined : malformed);
  new Tagging<Tag[]>({ form, ignoresCase: true, refuse }).merge(undefined, tags);
}

const folded = (key: string): string => key.toLowerCase();

/**
 * Validates the tags of a request and adds the transitive tags of the caller's session.
 * @param inherited tags of the calling session; transitive ones cannot be changed
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
    throw invalidParameterValue('The specified transitive tag key must be included in the requested tags.');
  const handedDown = inherited.transitiveTagKeys ?? [];
  if (handedDown.some((key) => keys.has(folded(key))))
    throw invalidParameterValue(
      "One of the specified transitive tag keys can't be set because it conflicts with a transitive tag key from the calling session.",
    );
  const inheritedTags = handedDown.map((key): [string, string] => [key, inherited.tags?.[key] ?? '']);
  return {
    tags: Object.fromEntries([...inheritedTags, ...form.entries(checked)]),
    transitiveTagKeys: [...handedDown, ...transitiveTagKeys.map((key) => keys.get(folded(key)) ?? key)],
  };
}
