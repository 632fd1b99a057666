import { checkS3Policy } from '@emu/core';

/**
 * Checks a bucket policy's grammar, and that its resources are of the bucket.
 * @throws AwsError `MalformedPolicy`, `PolicyTooLarge`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html
 */
export function checkBucketPolicy(text: string, bucket: string): void {
  checkS3Policy(text, (resource) => {
    const match = /^arn:[\w-]+:s3(?:express)?:[\w-]*:\d*:(.+)$/.exec(resource);
    const name = match?.[1]?.split('/')[0];
    return name !== undefined && matches(name, bucket);
  });
}

/** Whether a name with wildcards may stand for the bucket. */
function matches(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  // A star may be followed by anything: what comes before it decides as far as S3 checks here.
  return name.startsWith(pattern.slice(0, pattern.search(/[*?]/)));
}
