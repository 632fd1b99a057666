import { Tagging, type TagProblem, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/s3control';
import type { AwsError } from '@emu/wire';
import { s3controlError } from './errors.ts';

const invalidTag = (message: string): AwsError => s3controlError('InvalidTag', message, { status: 400 });

/** Returns S3 Control's messages for invalid tags; undefined for too many, whose code differs by resource. */
function refusal(problem: TagProblem): AwsError | undefined {
  switch (problem.code) {
    case 'too-many':
      return undefined;
    case 'reserved':
      // S3 reserves the prefix in lower case only.
      return problem.key.startsWith('aws:')
        ? invalidTag(
            'User-defined tag keys can\'t start with "aws:". This prefix is reserved for system tags. Remove "aws:" from your tag keys and try again.',
          )
        : undefined;
    case 'duplicate':
      return invalidTag('There are duplicate tag keys in your request. Remove the duplicate tag keys and try again.');
    default:
      return invalidTag(
        "This request contains a tag key or value that isn't valid. Valid characters include the following: [a-zA-Z+-=._:/]. Tag keys can contain up to 128 characters. Tag values can contain up to 256 characters.",
      );
  }
}

const taggingWith = (tooMany: Parameters<typeof s3controlError>[0]): Tagging<Tag[]> =>
  new Tagging({
    form: tagsAsList('Key', 'Value'),
    refuse: (problem) =>
      problem.code === 'too-many'
        ? s3controlError(tooMany, 'The number of tags exceeds the limit of 50 tags.', { status: 400 })
        : refusal(problem),
  });

/**
 * Tags of buckets and S3 Control's resources: `InvalidTag`, `TooManyTags`.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_Tag.html
 */
export const tagging = taggingWith('TooManyTags');

/** Tags of an S3 Batch Operations job: `InvalidTag`, `TooManyTagsException`. */
export const jobTagging = taggingWith('TooManyTagsException');
