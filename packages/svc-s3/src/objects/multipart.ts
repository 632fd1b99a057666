import { createHash } from 'node:crypto';
import type { CompletedPart } from '@emu/service-types/s3';
import type { AwsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import {
  algorithmNamed,
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  type ChecksumMembers,
  type ChecksumType,
  checkedValue,
  createHasher,
} from '../content/checksums.ts';
import { combineChecksums, isLinear } from '../content/crc-combine.ts';
import { invalidArgument, invalidRequest, malformedXml, s3Error } from '../errors.ts';
import type { Upload, UploadPart } from '../listing/upload-index.ts';
import type { StoredChecksum, StoredPart } from '../records.ts';

/** Minimum bytes of all parts except the last. */
const MIN_PART = 5 * 1024 ** 2;
/** Maximum object size in bytes. */
const MAX_OBJECT = 50 * 1024 ** 4;

const noSuchUpload = (uploadId: string): AwsError =>
  s3Error(
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    { members: { UploadId: uploadId } },
  );

/**
 * Returns the upload of a key.
 * @throws AwsError `NoSuchUpload`
 */
export function requireUpload(bucket: Bucket, key: string, uploadId: string): Upload {
  const upload = bucket.uploads.get(uploadId);
  if (!upload || upload.record.key !== key) throw noSuchUpload(uploadId);
  return upload;
}

/** @throws AwsError `InvalidArgument` */
export function checkPartNumber(number: number): void {
  if (!(number >= 1 && number <= 10_000))
    throw invalidArgument(
      'Part number must be an integer between 1 and 10000, inclusive',
      'partNumber',
      String(number),
    );
}

/** Algorithms without full-object checksums for multipart uploads. */
const COMPOSITE_ONLY: ReadonlySet<ChecksumAlgorithm> = new Set(['SHA1', 'SHA256']);

/**
 * Returns the checksum settings of a new upload.
 * @throws AwsError `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
export function uploadChecksum(
  algorithm: string | undefined,
  type: string | undefined,
): { checksumAlgorithm?: ChecksumAlgorithm; checksumType?: ChecksumType } {
  if (algorithm === undefined) {
    if (type !== undefined)
      throw invalidRequest('The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.');
    return {};
  }
  const checksumAlgorithm = algorithmNamed(algorithm);
  if (type !== undefined && type !== 'COMPOSITE' && type !== 'FULL_OBJECT')
    throw invalidRequest('Value for x-amz-checksum-type header is invalid.');
  if (type === 'COMPOSITE' && checksumAlgorithm === 'CRC64NVME') throw incompatible('COMPOSITE', checksumAlgorithm);
  if (type === 'FULL_OBJECT' && (COMPOSITE_ONLY.has(checksumAlgorithm) || !isLinear(checksumAlgorithm)))
    throw incompatible('FULL_OBJECT', checksumAlgorithm);
  return { checksumAlgorithm, checksumType: type ?? (checksumAlgorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE') };
}

const incompatible = (type: string, algorithm: string): AwsError =>
  invalidRequest(`The ${type} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`);

/** Returns the ETag of a multipart object: the MD5 of its parts' MD5s, and their number. */
export function multipartEtag(parts: readonly UploadPart[]): string {
  const md5 = createHash('md5');
  for (const part of parts) md5.update(Buffer.from(part.md5, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

/**
 * Returns the parts named by a completion.
 * @throws AwsError `MalformedXML`, `InvalidPart`, `InvalidPartOrder`, `EntityTooSmall`, `InvalidRequest`, `BadDigest`
 */
export function selectParts(upload: Upload, named: readonly CompletedPart[]): UploadPart[] {
  if (named.length === 0) throw invalidRequest('You must specify at least one part');
  const selected: UploadPart[] = [];
  let previous = 0;
  for (const part of named) {
    const { PartNumber: number, ETag: etag } = part;
    if (number === undefined || etag === undefined) throw malformedXml();
    checkPartNumber(number);
    if (number <= previous)
      throw s3Error(
        'InvalidPartOrder',
        'The list of parts was not in ascending order. Parts must be ordered by part number.',
        { status: 400, members: { UploadId: upload.id } },
      );
    previous = number;
    const stored = upload.part(number);
    const tag = etag.replaceAll('"', '');
    if (!stored || stored.etag !== tag) throw invalidPart(upload, number, tag);
    checkPartChecksum(upload, part, stored, tag);
    selected.push(stored);
  }
  for (const part of selected.slice(0, -1))
    if (part.segment.size < MIN_PART)
      throw s3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
        status: 400,
        members: {
          ETag: part.etag,
          MinSizeAllowed: String(MIN_PART),
          PartNumber: String(part.number),
          ProposedSize: String(part.segment.size),
        },
      });
  return selected;
}

const invalidPart = (upload: Upload, number: number, etag: string): AwsError =>
  s3Error(
    'InvalidPart',
    "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
    { status: 400, members: { ETag: etag, PartNumber: String(number), UploadId: upload.id } },
  );

function checkPartChecksum(upload: Upload, named: CompletedPart, stored: UploadPart, etag: string): void {
  const { checksumAlgorithm: algorithm, checksumType: type } = upload.record;
  const given = CHECKSUM_ALGORITHMS.filter((name) => named[`Checksum${name}`] !== undefined);
  if (algorithm === undefined) {
    if (given.length > 0) throw invalidPart(upload, stored.number, etag);
    return;
  }
  for (const name of given) {
    if (name !== algorithm)
      throw s3Error(
        'BadDigest',
        `The ${name.toLowerCase()} you specified for part ${stored.number} did not match what we received.`,
        { status: 400 },
      );
    if (named[`Checksum${name}`] !== stored.checksum.value) throw invalidPart(upload, stored.number, etag);
  }
  if (type === 'COMPOSITE' && given.length === 0)
    throw invalidRequest(
      `The upload was created using a ${algorithm.toLowerCase()} checksum. The complete request must include the checksum for each part. It was missing for part ${stored.number} in the request.`,
    );
}

/** Expectations of a completion about the whole object. */
export type CompletionInput = ChecksumMembers & {
  ChecksumType?: string | undefined;
  MpuObjectSize?: number | undefined;
};

/** @throws AwsError `InvalidRequest` if the completion's checksum type differs from the upload's */
export function checkCompletionType({ record: { checksumType } }: Upload, given: string | undefined): void {
  if (given !== undefined && given !== checksumType)
    throw invalidRequest(
      `The upload was created using the ${checksumType ?? 'null'} checksum mode. The complete request must use the same checksum mode.`,
    );
}

/**
 * Computes the checksum of the whole object and compares it with the caller's.
 * @throws AwsError `InvalidRequest`, `BadDigest`, `EntityTooLarge`
 */
export async function objectChecksum(
  upload: Upload,
  input: CompletionInput,
  parts: readonly UploadPart[],
): Promise<StoredChecksum> {
  const { checksumAlgorithm, checksumType } = upload.record;
  const size = parts.reduce((sum, part) => sum + part.segment.size, 0);
  if (size > MAX_OBJECT)
    throw s3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', { status: 400 });
  if (input.MpuObjectSize !== undefined && input.MpuObjectSize !== size)
    throw invalidRequest(
      `The provided 'x-amz-mp-object-size' header value ${input.MpuObjectSize} does not match what was computed: ${size}`,
    );
  const algorithm = checksumAlgorithm ?? 'CRC64NVME';
  const type = checksumType ?? 'FULL_OBJECT';
  const value = type === 'COMPOSITE' ? await composite(algorithm, parts) : fullObject(algorithm, parts);
  const given = CHECKSUM_ALGORITHMS.find((name) => input[`Checksum${name}`] !== undefined);
  if (given) {
    const expected = input[`Checksum${given}`]!;
    if (type === 'FULL_OBJECT') checkedValue(given, expected);
    const computed = type === 'COMPOSITE' && !expected.includes('-') ? value.split('-')[0] : value;
    if (given !== algorithm || expected !== computed)
      throw s3Error('BadDigest', `The ${given.toLowerCase()} you specified did not match the calculated checksum.`, {
        status: 400,
      });
  }
  return { algorithm, value, type };
}

async function composite(algorithm: ChecksumAlgorithm, parts: readonly UploadPart[]): Promise<string> {
  const hasher = await createHasher(algorithm);
  for (const part of parts) hasher.update(Buffer.from(part.checksum.value, 'base64'));
  return `${await hasher.digest()}-${parts.length}`;
}

function fullObject(algorithm: ChecksumAlgorithm, parts: readonly UploadPart[]): string {
  if (!isLinear(algorithm)) throw new Error(`${algorithm} of a whole does not follow from its parts`);
  return combineChecksums(
    algorithm,
    parts.map(({ checksum, segment }) => ({ value: checksum.value, size: segment.size })),
  );
}

/** Returns the part records of the object. */
export function storedPartsOf(parts: readonly UploadPart[], withChecksums: boolean): StoredPart[] {
  return parts.map(({ number, segment, checksum }) => ({
    number,
    size: segment.size,
    ...(withChecksums && { checksum: checksum.value }),
  }));
}
