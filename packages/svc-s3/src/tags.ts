import { awsError } from '@emu/wire';
import { invalidArgument } from './errors.ts';
import type { Tag } from './generated/s3.ts';

const invalidTag = (message: string, key?: string): Error =>
  awsError('InvalidTag', message, { status: 400, ...(key === undefined ? {} : { members: { TagKey: key } }) });

/** What a tag may consist of. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html */
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/**
 * Checks a set of tags.
 * @param most tags that are allowed: 10 on an object, 50 on a bucket
 * @throws AwsError `InvalidTag`, `BadRequest` for too many
 */
export function checkTags(tags: readonly Tag[], most: number): Tag[] {
  if (tags.length > most) {
    const message =
      most === 10 ? 'Object tags cannot be greater than 10' : `Bucket tag count cannot be greater than ${most}`;
    throw awsError('BadRequest', message, { status: 400 });
  }
  const seen = new Set<string>();
  for (const { Key: key, Value: value } of tags) {
    if (seen.has(key)) throw invalidTag('Cannot provide multiple Tags with the same key', key);
    seen.add(key);
    if (key.length === 0 || key.length > 128 || !ALLOWED.test(key))
      throw invalidTag('The TagKey you have provided is invalid', key);
    if (value.length > 256 || !ALLOWED.test(value)) throw invalidTag('The TagValue you have provided is invalid', key);
    if (key.startsWith('aws:')) throw invalidTag('System tags cannot be added/updated by requester', key);
  }
  return tags.map(({ Key, Value }) => ({ Key, Value }));
}

/** Reads `x-amz-tagging`: tags as a query string. @throws AwsError `InvalidArgument`, `InvalidTag`, `BadRequest` */
export function parseTagging(header: string | undefined): Tag[] | undefined {
  if (header === undefined || header === '') return undefined;
  const tags: Tag[] = [];
  for (const pair of header.split('&')) {
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
  return checkTags(tags, 10);
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
