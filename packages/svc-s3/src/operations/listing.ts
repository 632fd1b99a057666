import type {
  InputOf,
  ListObjectVersionsOutput,
  ObjectStorageClass,
  OutputOf,
  Object as S3Object,
} from '@emu/service-types/s3';
import { ownerOf } from '../access-control/owners.ts';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import { checkDirectoryListing } from '../directory-buckets/restrictions.ts';
import { invalidArgument } from '../errors.ts';
import { type ListingQuery, walk } from '../listing/entries.ts';
import type { ObjectEntry, ObjectVersion } from '../listing/object-index.ts';
import { encoder } from '../listing/url-encoding.ts';
import { requireBucket } from '../lookup.ts';
import { paging } from '../paging.ts';

/** Maximum entries per page. */
const MAX_KEYS = 1000;
/** List whose pages are continued by tokens; other lists use markers. */
const V2 = 'ListObjectsV2';

/**
 * Returns the maximum entries of a page.
 * @throws AwsError `InvalidArgument`
 */
function pageSize(given: number | undefined, argument: string): number {
  if (given === undefined) return MAX_KEYS;
  if (given < 0)
    throw invalidArgument('Argument maxKeys must be an integer between 0 and 2147483647', argument, String(given));
  return Math.min(given, MAX_KEYS);
}

interface Page {
  readonly entries: ObjectEntry[];
  readonly commonPrefixes: string[];
  readonly truncated: boolean;
  /** Last key or common prefix of the page. */
  readonly last: string | undefined;
}

const isCurrent = (entry: ObjectEntry): boolean => !entry.versions[0]!.deleteMarker;

function pageOf(bucket: Bucket, query: ListingQuery): Page {
  const entries: ObjectEntry[] = [];
  const commonPrefixes: string[] = [];
  let last: string | undefined;
  if (query.max === 0) return { entries, commonPrefixes, truncated: false, last };
  for (const listed of walk(bucket.objects, query, isCurrent)) {
    if (entries.length + commonPrefixes.length === query.max) return { entries, commonPrefixes, truncated: true, last };
    if ('entry' in listed) {
      entries.push(listed.entry);
      last = listed.entry.key;
    } else {
      commonPrefixes.push(listed.commonPrefix);
      last = listed.commonPrefix;
    }
  }
  return { entries, commonPrefixes, truncated: false, last };
}

function describe(bucket: Bucket, version: ObjectVersion, encode: (text: string) => string, owner: boolean): S3Object {
  return {
    Key: encode(version.key),
    LastModified: new Date(version.lastModified),
    ETag: `"${version.etag}"`,
    ...(version.checksum && { ChecksumAlgorithm: [version.checksum.algorithm], ChecksumType: version.checksum.type }),
    Size: version.size,
    StorageClass: version.storageClass as ObjectStorageClass,
    ...(owner && { Owner: ownerOf(version.owner ?? bucket.accountId) }),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjects.html */
export function listObjects(input: InputOf<'ListObjects'>, ctx: S3Context): OutputOf<'ListObjects'> {
  const bucket = requireBucket(ctx, input);
  const encode = encoder(input.EncodingType);
  const max = pageSize(input.MaxKeys, 'max-keys');
  const prefix = input.Prefix ?? '';
  const page = pageOf(bucket, { prefix, delimiter: input.Delimiter, max, after: input.Marker });
  return {
    Name: bucket.name,
    Prefix: encode(prefix),
    Marker: encode(input.Marker ?? ''),
    MaxKeys: max,
    ...(input.Delimiter && { Delimiter: encode(input.Delimiter) }),
    ...(input.EncodingType && { EncodingType: input.EncodingType }),
    IsTruncated: page.truncated,
    ...(page.truncated && input.Delimiter && { NextMarker: encode(page.last!) }),
    Contents: page.entries.map(({ versions }) => describe(bucket, versions[0]!, encode, true)),
    CommonPrefixes: page.commonPrefixes.map((common) => ({ Prefix: encode(common) })),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export function listObjectsV2(input: InputOf<'ListObjectsV2'>, ctx: S3Context): OutputOf<'ListObjectsV2'> {
  const bucket = requireBucket(ctx, input);
  if (bucket.record.directory) checkDirectoryListing(input);
  const encode = encoder(input.EncodingType);
  const max = pageSize(input.MaxKeys, 'max-keys');
  const prefix = input.Prefix ?? '';
  if (input.ContinuationToken === '')
    throw invalidArgument('The continuation token provided is incorrect', 'continuation-token');
  const after = paging.after(V2, input) ?? input.StartAfter;
  const page = pageOf(bucket, {
    prefix,
    delimiter: input.Delimiter,
    max,
    after,
    // An exclusive start key may be below a prefix that is still to be listed, but not the end of a previous page.
    intoPrefix: input.ContinuationToken === undefined,
  });
  return {
    Name: bucket.name,
    Prefix: encode(prefix),
    MaxKeys: max,
    KeyCount: page.entries.length + page.commonPrefixes.length,
    ...paging.next(V2, input, page.truncated ? page.last : undefined),
    ...(input.Delimiter && { Delimiter: encode(input.Delimiter) }),
    ...(input.EncodingType && { EncodingType: input.EncodingType }),
    // With a continuation token, start-after is ignored.
    ...(input.StartAfter !== undefined &&
      input.ContinuationToken === undefined && { StartAfter: encode(input.StartAfter) }),
    ...(input.ContinuationToken !== undefined && { ContinuationToken: input.ContinuationToken }),
    Contents: page.entries.map(({ versions }) => describe(bucket, versions[0]!, encode, input.FetchOwner === true)),
    CommonPrefixes: page.commonPrefixes.map((common) => ({ Prefix: encode(common) })),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html */
export function ListObjectVersions(
  input: InputOf<'ListObjectVersions'>,
  ctx: S3Context,
): OutputOf<'ListObjectVersions'> {
  const bucket = requireBucket(ctx, input);
  const encode = encoder(input.EncodingType);
  const max = pageSize(input.MaxKeys, 'max-keys');
  const prefix = input.Prefix ?? '';
  const { KeyMarker: keyMarker, VersionIdMarker: versionMarker } = input;
  if (versionMarker !== undefined && versionMarker !== '' && !keyMarker)
    throw invalidArgument(
      'A version-id marker cannot be specified without a key marker.',
      'version-id-marker',
      versionMarker,
    );
  const output: ListObjectVersionsOutput &
    Required<Pick<ListObjectVersionsOutput, 'Versions' | 'DeleteMarkers' | 'CommonPrefixes'>> = {
    Name: bucket.name,
    Prefix: encode(prefix),
    KeyMarker: encode(keyMarker ?? ''),
    VersionIdMarker: versionMarker ?? '',
    MaxKeys: max,
    ...(input.Delimiter && { Delimiter: encode(input.Delimiter) }),
    ...(input.EncodingType && { EncodingType: input.EncodingType }),
    IsTruncated: false,
    Versions: [],
    DeleteMarkers: [],
    CommonPrefixes: [],
  };
  if (max === 0) return output;
  const resume = versionMarker ? keyMarker : undefined;
  let count = 0;
  let last: { key: string; versionId?: string } | undefined;
  const full = (): boolean => {
    if (count < max) return false;
    output.IsTruncated = true;
    output.NextKeyMarker = encode(last!.key);
    if (last!.versionId !== undefined) output.NextVersionIdMarker = last!.versionId;
    return true;
  };
  const query = { prefix, delimiter: input.Delimiter, after: keyMarker };
  for (const listed of walk(bucket.objects, query, () => true, resume)) {
    if ('commonPrefix' in listed) {
      if (full()) return output;
      output.CommonPrefixes.push({ Prefix: encode(listed.commonPrefix) });
      last = { key: listed.commonPrefix };
      count++;
      continue;
    }
    const { key, versions } = listed.entry;
    const seen = key === resume ? versions.findIndex(({ versionId }) => versionId === versionMarker) + 1 : 0;
    for (let at = seen; at < versions.length; at++) {
      if (full()) return output;
      const version = versions[at]!;
      addVersion(output, bucket, version, at === 0, encode);
      last = { key, versionId: version.versionId };
      count++;
    }
  }
  return output;
}

function addVersion(
  output: Required<Pick<ListObjectVersionsOutput, 'Versions' | 'DeleteMarkers'>>,
  bucket: Bucket,
  version: ObjectVersion,
  isLatest: boolean,
  encode: (text: string) => string,
): void {
  const common = { VersionId: version.versionId, IsLatest: isLatest };
  if (version.deleteMarker)
    output.DeleteMarkers!.push({
      Key: encode(version.key),
      LastModified: new Date(version.lastModified),
      Owner: ownerOf(version.owner ?? bucket.accountId),
      ...common,
    });
  else
    output.Versions!.push({
      ...describe(bucket, version, encode, true),
      StorageClass: version.storageClass as 'STANDARD',
      ...common,
    });
}
