import type { S3Context } from '../buckets/lookup.ts';
import { missingHeader } from '../errors.ts';

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
