import { type DeepReadonly, Tagging, type TagProblem, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/s3';
import type { AwsError } from '@emu/wire';
import { invalidArgument, s3Error } from './errors.ts';

const invalidTag = (message: string, members: Record<string, string> = {}): AwsError =>
  s3Error('InvalidTag', message, { status: 400, members });

/** Kind of tagged resource: S3's messages differ by kind. */
export type TaggedKind = 'object' | 'bucket' | 'new bucket';

/** S3's message for tags with the prefix `aws:`. */
const RESERVED: Record<TaggedKind, (key: string) => AwsError> = {
  object: (TagKey) => invalidTag('Your TagKey cannot be prefixed with aws:', { TagKey }),
  bucket: (TagKey) => invalidTag('System tags cannot be added/updated by requester', { TagKey }),
  'new bucket': () =>
    invalidTag(
      'User-defined tag keys can\'t start with "aws:". This prefix is reserved for system tags. Remove "aws:" from your tag keys and try again.',
    ),
};
const MAX_OBJECT_TAGS = 10;
const MAX_BUCKET_TAGS = 50;

/** Returns S3's messages for invalid tags. */
function refusal(kind: TaggedKind, problem: TagProblem): AwsError | undefined {
  if (problem.code === 'too-many')
    return s3Error(
      'BadRequest',
      kind === 'object'
        ? `Object tags cannot be greater than ${MAX_OBJECT_TAGS}`
        : `Bucket tag count cannot be greater than ${MAX_BUCKET_TAGS}`,
      { status: 400 },
    );
  const { code, key: TagKey } = problem;
  // As recorded: for a new bucket, S3 fails with an internal error.
  if (code === 'duplicate' && kind === 'new bucket')
    return s3Error('InternalError', 'We encountered an internal error. Please try again.', { status: 500 });
  if (code === 'duplicate') return invalidTag('Cannot provide multiple Tags with the same key', { TagKey });
  // S3 reserves the prefix in lower case only.
  if (code === 'reserved') return TagKey.startsWith('aws:') ? RESERVED[kind](TagKey) : undefined;
  const TagValue = 'value' in problem ? problem.value : undefined;
  return TagValue === undefined
    ? invalidTag('The TagKey you have provided is invalid', { TagKey })
    : invalidTag('The TagValue you have provided is invalid', { TagKey, TagValue });
}

const taggings: Readonly<Record<TaggedKind, Tagging<Tag[]>>> = {
  object: makeTagging('object'),
  bucket: makeTagging('bucket'),
  'new bucket': makeTagging('new bucket'),
};

function makeTagging(kind: TaggedKind, refuse?: (problem: TagProblem) => AwsError | undefined): Tagging<Tag[]> {
  return new Tagging({
    form: tagsAsList('Key', 'Value'),
    most: kind === 'object' ? MAX_OBJECT_TAGS : MAX_BUCKET_TAGS,
    refuse: (problem) => refuse?.(problem) ?? refusal(kind, problem),
  });
}

/**
 * Returns the tags of buckets and objects: `InvalidTag` for invalid ones, `BadRequest` for too many.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html
 */
export const taggingOf = (kind: TaggedKind): Tagging<Tag[]> => taggings[kind];

/** Whether a resource has all tags of a filter. */
export function hasTags(tags: readonly DeepReadonly<Tag>[] | undefined, wanted: readonly DeepReadonly<Tag>[]): boolean {
  return wanted.every(({ Key, Value }) => tags?.some((tag) => tag.Key === Key && tag.Value === Value));
}

/**
 * Parses `x-amz-tagging`, a query string.
 * @throws AwsError `InvalidArgument`, `InvalidTag`, `BadRequest`
 */
export function parseTagging(header: string | undefined): Tag[] | undefined {
  if (header === undefined || header === '') return undefined;
  const tags: Tag[] = [];
  for (const pair of header.split('&')) {
    if (pair === '') continue;
    const [name, value, rest] = pair.split('=');
    if (!name || rest !== undefined) throw malformedHeader(header);
    tags.push({ Key: decode(name, header), Value: decode(value ?? '', header) });
  }
  const refuse = ({ code }: TagProblem) => (code === 'duplicate' ? malformedHeader(header) : undefined);
  return makeTagging('object', refuse).merge(undefined, tags);
}

const malformedHeader = (header: string): AwsError =>
  invalidArgument(
    "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
    'x-amz-tagging',
    header,
  );

function decode(text: string, header: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformedHeader(header);
  }
}
