import { awsError } from '@emu/wire';
import type { Tag } from './generated/s3control.ts';

const invalidTag = (message: string): Error => awsError('InvalidTag', message, { status: 400 });

/** What a tag may consist of. */
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
/** Tags that a resource may have. */
const MOST = 50;

/**
 * Checks tags of buckets and of S3 Control's resources.
 * @throws AwsError `InvalidTag`, `TooManyTags`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_Tag.html
 */
export function checkTags(tags: readonly Tag[]): Tag[] {
  if (tags.length > MOST) throw tooManyTags();
  const keys = new Set<string>();
  for (const { Key: key, Value: value } of tags) {
    if (key.startsWith('aws:'))
      throw invalidTag(
        'User-defined tag keys can\'t start with "aws:". This prefix is reserved for system tags. Remove "aws:" from your tag keys and try again.',
      );
    if (keys.has(key))
      throw invalidTag('There are duplicate tag keys in your request. Remove the duplicate tag keys and try again.');
    keys.add(key);
    if (key.length === 0 || key.length > 128 || value.length > 256 || !ALLOWED.test(key) || !ALLOWED.test(value))
      throw invalidTag(
        "This request contains a tag key or value that isn't valid. Valid characters include the following: [a-zA-Z+-=._:/]. Tag keys can contain up to 128 characters. Tag values can contain up to 256 characters.",
      );
  }
  return tags.map(({ Key, Value }) => ({ Key, Value }));
}

const tooManyTags = (): Error =>
  awsError('TooManyTags', 'The number of tags exceeds the limit of 50 tags.', { status: 400 });

/** Tags with others put in, in the places of those with their keys. @throws AwsError `TooManyTags` */
export function mergeTags(present: readonly Tag[], added: readonly Tag[]): Tag[] {
  const merged = new Map(present.map(({ Key, Value }) => [Key, Value]));
  for (const { Key, Value } of added) merged.set(Key, Value);
  if (merged.size > MOST) throw tooManyTags();
  return [...merged].map(([Key, Value]) => ({ Key, Value }));
}
