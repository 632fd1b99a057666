import type { InputOf, ListMultipartUploadsOutput, OutputOf, StorageClass } from '@emu/service-types/s3';
import { ownerOf } from '../access-control/owners.ts';
import { checksumMembers } from '../content/checksums.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { commonPrefixOf } from '../listing/entries.ts';
import { sortKeyOf } from '../listing/key-order.ts';
import type { Upload } from '../listing/upload-index.ts';
import { encoder } from '../listing/url-encoding.ts';
import { requireBucket } from '../lookup.ts';
import { requireUpload } from '../objects/multipart.ts';

/** Maximum entries per page. */
const MAX = 1000;

const storageMembers = ({ record }: Upload): Record<string, unknown> => ({
  StorageClass: record.settings.storageClass as StorageClass,
  ...(record.checksumAlgorithm !== undefined && {
    ChecksumAlgorithm: record.checksumAlgorithm,
    ChecksumType: record.checksumType,
  }),
});

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
export function ListParts(input: InputOf<'ListParts'>, ctx: S3Context): OutputOf<'ListParts'> {
  const bucket = requireBucket(ctx, input);
  const upload = requireUpload(bucket, input.Key, input.UploadId);
  const { MaxParts: given = MAX, PartNumberMarker: marker = 0 } = input;
  if (given < 0)
    throw invalidArgument('Argument max-parts must be an integer between 0 and 2147483647', 'max-parts', String(given));
  if (marker < 0)
    throw invalidArgument(
      'Argument part-number-marker must be an integer between 0 and 2147483647',
      'part-number-marker',
      String(marker),
    );
  const max = Math.min(given, MAX);
  const after = upload.parts().filter(({ number }) => number > marker);
  const page = after.slice(0, max);
  const owner = ownerOf(upload.record.settings.owner ?? bucket.accountId);
  return {
    Bucket: bucket.name,
    Key: input.Key,
    UploadId: upload.id,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number ?? 0,
    MaxParts: max,
    IsTruncated: max > 0 && after.length > max,
    Parts: page.map(({ number, etag, segment, checksum, uploadedAt }) => ({
      PartNumber: number,
      LastModified: new Date(uploadedAt),
      ETag: `"${etag}"`,
      Size: segment.size,
      ...(upload.record.checksumAlgorithm === undefined ? {} : checksumMembers(checksum.algorithm, checksum.value)),
    })),
    Initiator: initiatorOf(upload, bucket.accountId),
    Owner: owner,
    ...storageMembers(upload),
  };
}

/** Returns the initiator of an upload. Root users are identified by canonical id, others by ARN. */
function initiatorOf({ record }: Upload, accountId: string): { ID: string; DisplayName: string } {
  const owner = ownerOf(record.settings.owner ?? accountId);
  const root = record.initiator.endsWith(':root');
  return {
    ID: root ? owner.ID! : record.initiator,
    DisplayName: root ? owner.ID! : record.initiator.split('/').at(-1)!,
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
export function ListMultipartUploads(
  input: InputOf<'ListMultipartUploads'>,
  ctx: S3Context,
): OutputOf<'ListMultipartUploads'> {
  const bucket = requireBucket(ctx, input);
  const encode = encoder(input.EncodingType);
  const {
    KeyMarker: keyMarker = '',
    UploadIdMarker: idMarker = '',
    Delimiter: delimiter,
    MaxUploads: given = MAX,
  } = input;
  if (given < 0)
    throw invalidArgument(
      'Argument max-uploads must be an integer between 0 and 2147483647',
      'max-uploads',
      String(given),
    );
  const prefix = input.Prefix ?? '';
  const max = Math.min(given, MAX);
  const output: ListMultipartUploadsOutput = {
    Bucket: bucket.name,
    KeyMarker: encode(keyMarker),
    UploadIdMarker: keyMarker === '' ? '' : idMarker,
    NextKeyMarker: '',
    NextUploadIdMarker: '',
    ...(input.Prefix && { Prefix: encode(prefix) }),
    ...(delimiter && { Delimiter: encode(delimiter) }),
    ...(input.EncodingType && { EncodingType: input.EncodingType }),
    MaxUploads: max,
    IsTruncated: false,
  };
  const uploads: Upload[] = [];
  const prefixes: string[] = [];
  for (const upload of afterMarker(bucket.uploads.sorted(), keyMarker, idMarker)) {
    const { key } = upload.record;
    if (!key.startsWith(prefix)) continue;
    const common = commonPrefixOf(key, prefix, delimiter);
    if (common !== undefined && (common === prefixes.at(-1) || (keyMarker !== '' && keyMarker.startsWith(common))))
      continue;
    if (uploads.length + prefixes.length >= max) {
      output.IsTruncated = max > 0;
      break;
    }
    if (common === undefined) {
      uploads.push(upload);
      output.NextKeyMarker = encode(key);
      output.NextUploadIdMarker = upload.id;
    } else {
      prefixes.push(common);
      output.NextKeyMarker = encode(common);
      output.NextUploadIdMarker = '';
    }
  }
  output.Uploads = uploads.map((upload) => ({
    UploadId: upload.id,
    Key: encode(upload.record.key),
    Initiated: new Date(upload.record.initiatedAt),
    Owner: ownerOf(upload.record.settings.owner ?? bucket.accountId),
    Initiator: initiatorOf(upload, bucket.accountId),
    ...storageMembers(upload),
  }));
  output.CommonPrefixes = prefixes.map((common) => ({ Prefix: encode(common) }));
  return output;
}

/**
 * Yields uploads after a key, or after one upload of it.
 * @throws AwsError `InvalidArgument` for an id that is not an upload of the key
 */
function afterMarker(sorted: readonly Upload[], keyMarker: string, idMarker: string): readonly Upload[] {
  if (keyMarker === '') return sorted;
  if (idMarker !== '') {
    const at = sorted.findIndex(({ id, record }) => id === idMarker && record.key === keyMarker);
    if (at >= 0) return sorted.slice(at + 1);
    throw invalidArgument('Invalid uploadId marker', 'upload-id-marker', idMarker);
  }
  const marker = sortKeyOf(keyMarker);
  return sorted.filter(({ record }) => sortKeyOf(record.key) > marker);
}
