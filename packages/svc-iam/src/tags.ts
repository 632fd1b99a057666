import { type DeepReadonly, Tagging, type TagProblem, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/iam';
import type { AwsError } from '@emu/wire';
import { invalidInput, limitExceeded } from './errors.ts';
import { type PagedInput, type PagedLike, paging } from './paging.ts';

type Tags = readonly DeepReadonly<Tag>[];

/** Returns IAM's error for invalid tags; the model checks lengths and characters. */
function refusal({ code }: TagProblem): AwsError | undefined {
  switch (code) {
    case 'duplicate':
      return invalidInput('Duplicate tag keys found. Please note that Tag keys are case insensitive.');
    case 'reserved':
      return invalidInput('System tags cannot be added/updated by requester');
    case 'too-many':
      return limitExceeded('The number of tags has reached the maximum limit.');
    default:
      return undefined;
  }
}

/**
 * Tags of IAM's resources; keys are case-insensitive.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_tags.html
 */
export const tagging = new Tagging<Tag[]>({ form: tagsAsList('Key', 'Value'), ignoresCase: true, refuse: refusal });

/** Returns the `Tags` member of a response, which IAM omits if there are none. */
export const tagsMember = (tags: Tags): { Tags?: Tag[] } =>
  tags.length ? { Tags: tags.map((tag) => ({ ...tag })) } : {};

/** Returns one page of tags. */
export function pageOfTags(operation: PagedLike<`List${string}Tags`>, tags: Tags, input: PagedInput) {
  return paging.page(operation, input, tags, ({ Key }) => Key.toLowerCase()).list((tag) => ({ ...tag }));
}
