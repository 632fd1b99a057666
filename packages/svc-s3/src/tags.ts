import type { DeepReadonly } from '@emu/core';
import { awsError } from '@emu/wire';
import { invalidArgument } from './errors.ts';
import type { Tag } from './generated/s3.ts';

const invalidTag = (message: string, members: Record<string, string> = {}): Error =>
  awsError('InvalidTag', message, { status: 400, members });

/** What a tag may consist of. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html */
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** What tags are of: S3 has other words for the same rule. */
export type TaggedKind = 'object' | 'bucket' | 'new bucket';

/** What S3 says of tags that begin with `aws:`. */
const RESERVED: Record<TaggedKind, (key: string) => Error> = {
  object: (TagKey) => invalidTag('Your TagKey cannot be prefixed with aws:', { TagKey }),
  bucket: (TagKey) => invalidTag('System tags cannot be added/updated by requester', { TagKey }),
  'new bucket': () =>
    invalidTag(
      'User-defined tag keys can\'t start with "aws:". This prefix is reserved for system tags. Remove "aws:" from your tag keys and try again.',
    ),
};
const MAX_OBJECT_TAGS = 10;
const MAX_BUCKET_TAGS = 50;

/**
 * Checks a set of tags: at most 10 of an object, 50 of a bucket.
 * @throws AwsError `InvalidTag`, `BadRequest` for too many
 */
export function checkTags(tags: readonly Tag[], kind: TaggedKind): Tag[] {
  const most = kind === 'object' ? MAX_OBJECT_TAGS : MAX_BUCKET_TAGS;
  if (tags.length > most) {
    const message =
      kind === 'object' ? 'Object tags cannot be greater than 10' : `Bucket tag count cannot be greater than ${most}`;
    throw awsError('BadRequest', message, { status: 400 });
  }
  const seen = new Set<string>();
  for (const { Key: key, Value: value } of tags) {
    if (seen.has(key)) throw invalidTag('Cannot provide multiple Tags with the same key', { TagKey: key });
    seen.add(key);
    if (key.length === 0 || key.length > 128 || !ALLOWED.test(key))
      throw invalidTag('The TagKey you have provided is invalid', { TagKey: key });
    if (value.length > 256 || !ALLOWED.test(value))
      throw invalidTag('The TagValue you have provided is invalid', { TagKey: key, TagValue: value });
    if (key.startsWith('aws:')) throw RESERVED[kind](key);
  }
  return tags.map(({ Key, Value }) => ({ Key, Value }));
}

/** Whether something has all tags that a filter asks for. */
export function hasTags(tags: readonly DeepReadonly<Tag>[] | undefined, wanted: readonly DeepReadonly<Tag>[]): boolean {
  return wanted.every(({ Key, Value }) => tags?.some((tag) => tag.Key === Key && tag.Value === Value));
}

/** Reads `x-amz-tagging`: tags as a query string. @throws AwsError `InvalidArgument`, `InvalidTag`, `BadRequest` */
export function parseTagging(header: string | undefined): Tag[] | undefined {
  if (header === undefined || header === '') return undefined;
  const tags: Tag[] = [];
  for (const pair of header.split('&')) {
    if (pair === '') continue;
    const [name, value, rest] = pair.split('=');
    if (!name || rest !== undefined)
      throw invalidArgument(
        "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
        'x-amz-tagging',
        header,
      );
    tags.push({ Key: decode(name, header), Value: decode(value ?? '', header) });
  }
  if (new Set(tags.map(({ Key }) => Key)).size < tags.length)
    throw invalidArgument(
      "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
      'x-amz-tagging',
      header,
    );
  return checkTags(tags, 'object');
}

function decode(text: string, header: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidArgument(
      "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
      'x-amz-tagging',
      header,
    );
  }
}
