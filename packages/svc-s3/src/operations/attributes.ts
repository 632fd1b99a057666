import type {
  GetObjectAttributesParts,
  GetObjectAttributesRequest,
  InputOf,
  OutputOf,
  StorageClass,
} from '@emu/service-types/s3';
import { checksumMembers } from '../content/checksums.ts';
import { checkReadable } from '../content/encryption.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, missingHeader } from '../errors.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { requireBucket, requireVersion } from '../lookup.ts';
import { versionMember } from '../objects/versions.ts';

const KNOWN = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'];
/** Maximum number of parts per page. */
const MAX_PARTS = 1000;

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAttributes.html */
export function GetObjectAttributes(
  input: InputOf<'GetObjectAttributes'>,
  ctx: S3Context,
): OutputOf<'GetObjectAttributes'> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId);
  checkReadable(version.encryption, input);
  const wanted = input.ObjectAttributes.map((name) => name.trim()).filter((name) => name !== '');
  if (wanted.length === 0) throw missingHeader('x-amz-object-attributes');
  if (wanted.some((name) => !KNOWN.includes(name)))
    throw invalidArgument('Invalid attribute name specified.', 'x-amz-object-attributes', wanted.join(','));
  const { checksum } = version;
  return {
    LastModified: new Date(version.lastModified),
    ...versionMember(bucket, version),
    ...(wanted.includes('ETag') && { ETag: version.etag }),
    ...(wanted.includes('Checksum') &&
      checksum && {
        Checksum: {
          ...checksumMembers(checksum.algorithm, checksum.value.split('-')[0]!),
          ChecksumType: checksum.type,
        },
      }),
    ...(wanted.includes('ObjectParts') && version.parts && { ObjectParts: partsOf(input, version) }),
    ...(wanted.includes('StorageClass') && { StorageClass: version.storageClass as StorageClass }),
    ...(wanted.includes('ObjectSize') && { ObjectSize: version.size }),
  };
}

/** Returns a page of parts. Parts are only listed if each has a checksum. */
function partsOf(input: GetObjectAttributesRequest, { parts = [], checksum }: ObjectVersion): GetObjectAttributesParts {
  const total = { TotalPartsCount: parts.length };
  if (parts.some((part) => part.checksum === undefined) || !checksum) return total;
  const { PartNumberMarker: marker = 0, MaxParts: given = MAX_PARTS } = input;
  const max = Math.min(given, MAX_PARTS);
  const after = parts.filter(({ number }) => number > marker);
  const page = after.slice(0, max);
  return {
    ...total,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number ?? 0,
    MaxParts: max,
    IsTruncated: after.length > max,
    Parts: page.map(({ number, size, checksum: value }) => ({
      PartNumber: number,
      Size: size,
      ...checksumMembers(checksum.algorithm, value!),
    })),
  };
}
