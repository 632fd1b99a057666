import { issueSession } from '@emu/core/service';
import type { InputOf, OutputOf, RenameObjectRequest } from '@emu/service-types/s3';
import { encryptionMembers, encryptionOf } from '../content/encryption.ts';
import type { S3Context } from '../context.ts';
import { onlyForDirectories } from '../directory-buckets/restrictions.ts';
import { invalidArgument, invalidRequest, noSuchKey, preconditionFailed } from '../errors.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { checkKey, requireBucket, stateOf } from '../lookup.ts';
import { checkReadConditions, checkWriteConditions } from '../objects/conditions.ts';
import { writeVersion } from '../objects/versions.ts';
import { paging } from '../paging.ts';
import { bucketArn } from '../resources.ts';

/** Duration of a session in seconds. */
const SESSION_DURATION = 300;
/** Directory buckets per page. */
const MAX_BUCKETS = 1000;

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateSession.html */
export async function CreateSession(
  input: InputOf<'CreateSession'>,
  ctx: S3Context,
): Promise<OutputOf<'CreateSession'>> {
  const bucket = requireBucket(ctx, input);
  onlyForDirectories(bucket);
  const mode = input.SessionMode ?? 'ReadWrite';
  if (mode !== 'ReadOnly' && mode !== 'ReadWrite')
    throw invalidArgument('The session mode is invalid.', 'x-amz-create-session-mode', mode);
  const encryption = await encryptionOf(ctx, bucket, input);
  const { accessKeyId: _key, ...principal } = ctx.principal;
  const credential = issueSession(ctx, principal, SESSION_DURATION, { name: bucket.name });
  stateOf(ctx, bucket).directorySessions.add(
    credential.accessKeyId,
    { bucket: bucket.name, mode, expiresAt: credential.expiresAt },
    ctx.clock.now(),
  );
  const { ServerSideEncryption, SSEKMSKeyId, BucketKeyEnabled } = encryptionMembers(encryption);
  return {
    Credentials: {
      AccessKeyId: credential.accessKeyId,
      SecretAccessKey: credential.secretAccessKey,
      SessionToken: credential.sessionToken,
      Expiration: new Date(credential.expiresAt),
    },
    ServerSideEncryption,
    SSEKMSKeyId,
    BucketKeyEnabled,
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListDirectoryBuckets.html */
export function ListDirectoryBuckets(
  input: InputOf<'ListDirectoryBuckets'>,
  ctx: S3Context,
): OutputOf<'ListDirectoryBuckets'> {
  const { MaxDirectoryBuckets: max = MAX_BUCKETS } = input;
  if (!(max >= 0 && max <= MAX_BUCKETS))
    throw invalidArgument(
      `Argument max-directory-buckets must be an integer between 0 and ${MAX_BUCKETS}`,
      'max-directory-buckets',
      String(max),
    );
  const found = ctx.state.buckets().filter(({ record, region }) => record.directory && region === ctx.region);
  return paging
    .page('ListDirectoryBuckets', input, found, ({ name }) => name, { maxLimit: max })
    .list((bucket) => ({
      Name: bucket.name,
      CreationDate: new Date(bucket.record.createdAt),
      BucketRegion: bucket.region,
      BucketArn: bucketArn(bucket),
    }));
}

/** Returns the key in `x-amz-rename-source`, optionally prefixed with the bucket, which must be the same. */
function sourceKey(header: string, bucket: string): string {
  try {
    const path = decodeURIComponent(header).replace(/^\//, '');
    return path.startsWith(`${bucket}/`) ? path.slice(bucket.length + 1) : path;
  } catch {
    throw invalidArgument('Invalid rename source object key', 'x-amz-rename-source', header);
  }
}

/**
 * Renames an object atomically, whatever its size; an existing object is replaced.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_RenameObject.html
 */
export function RenameObject(input: InputOf<'RenameObject'>, ctx: S3Context): OutputOf<'RenameObject'> {
  const bucket = requireBucket(ctx, input);
  onlyForDirectories(bucket);
  checkKey(input.Key);
  const from = sourceKey(input.RenameSource, bucket.name);
  checkKey(from);
  if (from === input.Key) throw invalidRequest('The source and the destination of a rename must differ.');
  const state = stateOf(ctx, bucket);
  state.renames.once('RenameObject', input, () => {
    const source = bucket.objects.current(from);
    if (!source) throw noSuchKey(from);
    checkSource(input, source, ctx.clock.now());
    checkDestination(input, bucket.objects.current(input.Key));
    const { etag, size, content, parts, checksum } = source;
    writeVersion(ctx, bucket, source, { key: input.Key, etag, size, content, parts, checksum });
    state.removeVersion(bucket, source);
  });
  return {};
}

/** @throws AwsError `PreconditionFailed` */
function checkSource(input: RenameObjectRequest, source: ObjectVersion, now: number): void {
  if (input.SourceIfNoneMatch === '*') throw preconditionFailed('x-amz-rename-source-if-none-match');
  if (input.SourceIfNoneMatch?.replaceAll('"', '') === source.etag)
    throw preconditionFailed('x-amz-rename-source-if-none-match');
  if (input.SourceIfModifiedSince && source.lastModified <= input.SourceIfModifiedSince.getTime())
    throw preconditionFailed('x-amz-rename-source-if-modified-since');
  const { SourceIfMatch: IfMatch, SourceIfUnmodifiedSince: IfUnmodifiedSince } = input;
  checkReadConditions({ IfMatch, IfUnmodifiedSince }, source, now);
}

/** @throws AwsError `PreconditionFailed`, `NoSuchKey` */
function checkDestination(input: RenameObjectRequest, current: ObjectVersion | undefined): void {
  const { DestinationIfMatch: IfMatch, DestinationIfNoneMatch: IfNoneMatch } = input;
  checkWriteConditions({ IfMatch, IfNoneMatch }, input.Key, current);
  if (!current) return;
  if (input.DestinationIfModifiedSince && current.lastModified <= input.DestinationIfModifiedSince.getTime())
    throw preconditionFailed('If-Modified-Since');
  if (input.DestinationIfUnmodifiedSince && current.lastModified > input.DestinationIfUnmodifiedSince.getTime())
    throw preconditionFailed('If-Unmodified-Since');
}
