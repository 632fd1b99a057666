import type { SignatureRules } from '@emu/core/service';
import { type HeaderValues, headerOf, queryParameter } from '@emu/wire';
import { withPresignedHeaders } from './presigned-headers.ts';

/**
 * Rules for signatures of S3's requests.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
export const S3_SIGNATURES: SignatureRules = {
  declaresPayload: true,
  coversOwnHeaders: true,
  ahead: 15 * 60_000,
  // Sessions of directory buckets use their own header.
  sessionToken: 'X-Amz-S3session-Token',
  // Bucket policies decide about public access.
  anonymous: true,
  presignedHeaders: withPresignedHeaders,
  otherAccessKey: accessKeyOfV2,
  load: async () => {
    const [{ authError }, { readSignatureV2 }] = await Promise.all([
      import('../signatures/errors.ts'),
      import('../signatures/signature-v2.ts'),
    ]);
    return { error: authError, otherSignature: readSignatureV2 };
  },
};

/** Returns the access key of a version 2 signature, in the `Authorization` header or the query. */
function accessKeyOfV2(headers: HeaderValues, query: string): string | undefined {
  const authorization = headerOf(headers, 'authorization');
  if (authorization !== undefined) return /^AWS ([^:\s]+):/.exec(authorization)?.[1];
  return query.includes('AWSAccessKeyId=') ? queryParameter(query, 'AWSAccessKeyId') : undefined;
}
