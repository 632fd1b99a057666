import { hash } from 'node:crypto';
import type { Handlers, HttpDetails } from '@emu/core/service';
import type { S3Operations } from '@emu/service-types/s3';
import { requireBucket } from '../buckets/lookup.ts';
import type { S3Context } from '../context.ts';
import { invalidRequest, missingHeader } from '../errors.ts';
import type { S3State } from '../state.ts';
import { checkedMd5, wrongMd5 } from './body.ts';
import { type ChecksumMembers, checksumOf, givenChecksum, MEMBER_OF_HEADER, verifyChecksum } from './checksums.ts';

/** Headers that say what a document's bytes are: a digest, a checksum, or that a checksum follows it. */
const DIGEST = /^(content-md5|x-amz-trailer|x-amz-checksum-(?!algorithm$|mode$|type$).*)$/;

/**
 * Checks that a request says what its document's bytes are, as S3 asks it to for some documents.
 * @throws AwsError `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
export function requireDigest({ http }: S3Context): void {
  if (!http) return;
  for (const name in http.headers) if (DIGEST.test(name)) return;
  throw missingHeader('Content-MD5 OR x-amz-checksum-*');
}

/** The members of a request that say what its document's bytes are. */
interface DocumentInput {
  Bucket: string;
  ExpectedBucketOwner?: string | undefined;
  ContentMD5?: string | undefined;
  ChecksumAlgorithm?: string | undefined;
}

type S3Handlers = Handlers<S3Operations, S3State>;
type AnyHandler = (input: unknown, ctx: S3Context) => unknown;

/** The handler, called after the digests of the request's document are verified. */
const verifying =
  (handler: AnyHandler): AnyHandler =>
  (input, ctx) => {
    const { http } = ctx;
    // A call within emu has no bytes.
    if (!http) return handler(input, ctx);
    const document = input as DocumentInput;
    requireBucket(ctx, document);
    const checked = checkDocument(document, http);
    return checked ? checked.then(() => handler(input, ctx)) : handler(input, ctx);
  };

/**
 * Returns the modules of handlers with those of `names` verifying the digests that a request gives of the document in its
 * body: `Content-MD5`, a checksum, and the presence of an announced checksum. They throw `InvalidDigest`, `BadDigest` and
 * `InvalidRequest` in addition.
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

/** The checksums in headers, of which the inputs of documents have no members. */
function membersOf(headers: HttpDetails['headers']): ChecksumMembers {
  // What follows the body is among the headers by now, and announced as a trailer.
  if (headers['x-amz-trailer'] !== undefined) return {};
  const found: ChecksumMembers = {};
  for (const [header, member] of MEMBER_OF_HEADER) {
    const value = headers[header];
    if (value !== undefined) found[member] = String(value);
  }
  return found;
}
