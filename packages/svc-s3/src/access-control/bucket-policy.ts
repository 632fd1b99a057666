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
 * Checks a bucket policy's grammar, that its resources are of the bucket and have its actions, and that the users and
 * roles of the bucket's account that it names exist.
 * @throws AwsError `MalformedPolicy`, `PolicyTooLarge`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html
 */
export async function checkBucketPolicy(text: string, bucket: Bucket, ctx: S3Context): Promise<void> {
  const policy = checkS3Policy(text, { covers: (resource) => covers(resource, bucket.name), kindOf });
  const directory = await ctx.handle.capability(identityDirectory);
  if ((await unknownPrincipal(policy, bucket.accountId, directory)) !== undefined) throw invalidS3Principal();
}

/** The path of a bucket or its objects: what comes behind the account in the ARN of a resource. */
const PATH = /^arn:[\w-]+:(?:s3:[\w-]*:\d*:|s3express:[\w-]*:\d*:bucket\/)(.+)$/;

function covers(resource: string, bucket: string): boolean {
  const name = PATH.exec(resource)?.[1]?.split('/')[0];
  return name !== undefined && matches(name, bucket);
}

/** Whether a name with wildcards may stand for the bucket. */
function matches(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  // A star may be followed by anything: what comes before it decides as far as S3 checks here.
  return name.startsWith(pattern.slice(0, pattern.search(/[*?]/)));
}

/** What a resource stands for: a wildcard in the bucket's name stands for the slash behind it, too. */
function kindOf(resource: string): S3ResourceKind {
  const path = PATH.exec(resource)?.[1] ?? '';
  if (path.split('/')[0]!.includes('*')) return 'both';
  return path.includes('/') ? 'object' : 'bucket';
}
