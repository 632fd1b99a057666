import { hash } from 'node:crypto';
import type { Handlers, HttpDetails } from '@emu/core/service';
import type { S3Operations } from '@emu/service-types/s3';
import type { S3Context } from '../context.ts';
import { invalidRequest, missingHeader } from '../errors.ts';
import { requireBucket } from '../lookup.ts';
import type { S3State } from '../state.ts';
import { checkedMd5, wrongMd5 } from './body.ts';
import { type ChecksumMembers, checksumOf, givenChecksum, MEMBER_OF_HEADER, verifyChecksum } from './checksums.ts';

/** Headers with a digest or checksum of a document, or the announcement of a checksum. */
const DIGEST = /^(content-md5|x-amz-trailer|x-amz-checksum-(?!algorithm$|mode$|type$).*)$/;

/**
 * Requires a digest of a request's document, as S3 does for some documents.
 * @throws AwsError `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
export function requireDigest({ http }: S3Context): void {
  if (!http) return;
  for (const name in http.headers) if (DIGEST.test(name)) return;
  throw missingHeader('Content-MD5 OR x-amz-checksum-*');
}

/** Digest members of a document request. */
interface DocumentInput {
  Bucket: string;
  ExpectedBucketOwner?: string | undefined;
  ContentMD5?: string | undefined;
  ChecksumAlgorithm?: string | undefined;
}

type S3Handlers = Handlers<S3Operations, S3State>;
type AnyHandler = (input: unknown, ctx: S3Context) => unknown;

/** Returns the handler, called after the document's digests are verified. */
const verifying =
  (handler: AnyHandler): AnyHandler =>
  (input, ctx) => {
    const { http } = ctx;
    // Internal calls have no body bytes.
    if (!http) return handler(input, ctx);
    const document = input as DocumentInput;
    requireBucket(ctx, document);
    const checked = checkDocument(document, http);
    return checked ? checked.then(() => handler(input, ctx)) : handler(input, ctx);
  };

/**
 * Returns handler modules in which those of `names` verify the digests of the request's document: `Content-MD5`,
 * checksums, and the presence of an announced checksum. They additionally throw `InvalidDigest`, `BadDigest` and
 * `InvalidRequest`.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
export function verifyingDigests(names: readonly (keyof S3Operations)[], modules: readonly S3Handlers[]): S3Handlers[] {
  const verified = new Set<string>(names);
  return modules.map(
    (handlers) =>
      Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [
          name,
          verified.has(name) ? verifying(handler as AnyHandler) : handler,
        ]),
      ) as S3Handlers,
  );
}

/** @throws AwsError see `verifyingDigests` */
function checkDocument(
  input: DocumentInput,
  { headers, body = new Uint8Array() }: HttpDetails,
): Promise<void> | undefined {
  if (input.ContentMD5 !== undefined) {
    const expected = checkedMd5(input.ContentMD5);
    const computed = hash('md5', body);
    if (computed !== expected) throw wrongMd5(expected, computed);
  }
  const given = givenChecksum(membersOf(headers), headers);
  if (!given) {
    if (input.ChecksumAlgorithm !== undefined)
      throw invalidRequest(
        'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
      );
    return undefined;
  }
  const computed = checksumOf(given.algorithm, body);
  if (typeof computed !== 'string') return computed.then((value) => verifyChecksum(given, value, headers));
  verifyChecksum(given, computed, headers);
  return undefined;
}

/** Checksums in headers that inputs of document operations do not contain. */
function membersOf(headers: HttpDetails['headers']): ChecksumMembers {
  // Trailers have been merged into the headers and are listed in the trailer header.
  if (headers['x-amz-trailer'] !== undefined) return {};
  const found: ChecksumMembers = {};
  for (const [header, member] of MEMBER_OF_HEADER) {
    const value = headers[header];
    if (value !== undefined) found[member] = String(value);
  }
  return found;
}
