import {
  checkS3Policy,
  identityDirectory,
  invalidS3Principal,
  type S3ResourceKind,
  unknownPrincipal,
} from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';

/**
 * Validates a bucket policy: its grammar, and that its resources belong to the bucket and support its actions.
 * `OperationContext.wouldRefuse` checks that named users and roles of the bucket's account exist.
 * @throws AwsError `MalformedPolicy`, `PolicyTooLarge`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html
 */
export async function checkBucketPolicy(text: string, bucket: Bucket, ctx: S3Context): Promise<void> {
  const policy = checkS3Policy(text, { covers: (resource) => covers(resource, bucket.name), kindOf });
  const directory = await ctx.handle.capability(identityDirectory);
  if ((await unknownPrincipal(policy, bucket.accountId, directory)) !== undefined)
    ctx.wouldRefuse(invalidS3Principal());
}

/** Path of a bucket or its objects: the part after the account in a resource ARN. */
const PATH = /^arn:[\w-]+:(?:s3:[\w-]*:\d*:|s3express:[\w-]*:\d*:bucket\/)(.+)$/;

function covers(resource: string, bucket: string): boolean {
  const name = PATH.exec(resource)?.[1]?.split('/')[0];
  return name !== undefined && matches(name, bucket);
}

/** Whether a name with wildcards can match the bucket. */
function matches(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  // A star matches anything: S3 checks only the part before it.
  return name.startsWith(pattern.slice(0, pattern.search(/[*?]/)));
}

/** Returns the kind of a resource: a wildcard in the bucket's name also matches the slash after it. */
function kindOf(resource: string): S3ResourceKind {
  const path = PATH.exec(resource)?.[1] ?? '';
  if (path.split('/')[0]!.includes('*')) return 'both';
  return path.includes('/') ? 'object' : 'bucket';
}
