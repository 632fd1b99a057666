import type { SignatureRules } from '@emu/core/service';
import { type HeaderValues, headerOf, queryParameter } from '@emu/wire';
import { withPresignedHeaders } from './presigned-headers.ts';

/** How S3's requests are signed. @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html */
export const S3_SIGNATURES: SignatureRules = {
  declaresPayload: true,
  coversOwnHeaders: true,
  ahead: 15 * 60_000,
  // Sessions of directory buckets have a header of their own.
  sessionToken: 'X-Amz-S3session-Token',
  // Whether the public may use a bucket is up to its policies.
  anonymous: true,
  presignedHeaders: withPresignedHeaders,
  otherAccessKey: accessKeyOfV2,
  load: async () => {
    const [{ authError }, { readSignatureV2 }] = await Promise.all([
      import('./errors.ts'),
      import('./signature-v2.ts'),
    ]);
    return { error: authError, otherSignature: readSignatureV2 };
  },
};

/** Returns the access key of a signature of version 2, in the `Authorization` header or the query. */
function accessKeyOfV2(headers: HeaderValues, query: string): string | undefined {
  const authorization = headerOf(headers, 'authorization');
  if (authorization !== undefined) return /^AWS ([^:\s]+):/.exec(authorization)?.[1];
  return query.includes('AWSAccessKeyId=') ? queryParameter(query, 'AWSAccessKeyId') : undefined;
}
