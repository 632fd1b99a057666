import { isPublicPolicy } from '@emu/core';
import type {
  DeleteBucketOwnershipControlsRequest,
  DeleteBucketPolicyRequest,
  DeletePublicAccessBlockRequest,
  GetBucketOwnershipControlsOutput,
  GetBucketOwnershipControlsRequest,
  GetBucketPolicyOutput,
  GetBucketPolicyRequest,
  GetBucketPolicyStatusOutput,
  GetBucketPolicyStatusRequest,
  GetPublicAccessBlockOutput,
  GetPublicAccessBlockRequest,
  PutBucketOwnershipControlsRequest,
  PutBucketPolicyRequest,
  PutPublicAccessBlockRequest,
} from '@emu/service-types/s3';
import { awsError } from '@emu/wire';
import { checkBucketPolicy } from '../access-control/bucket-policy.ts';
import { publicAccess } from '../access-control/public-access.ts';
import { deleteSetting, getSetting, oneOf, putSetting } from '../buckets/documents.ts';
import { requireBucket, type S3Context } from '../buckets/lookup.ts';
import { accessDenied, malformedXml } from '../errors.ts';
import { bucketArn } from '../resources.ts';

const NO_POLICY = ['NoSuchBucketPolicy', 'The bucket policy does not exist'] as const;

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketPolicy.html */
export async function PutBucketPolicy(input: PutBucketPolicyRequest, ctx: S3Context): Promise<Record<string, never>> {
  const bucket = requireBucket(ctx, input);
  await checkBucketPolicy(input.Policy, bucket, ctx);
  if (isPublicPolicy(input.Policy) && (await publicAccess(ctx, bucket, input)).BlockPublicPolicy)
    throw accessDenied(
      `User: ${ctx.principal.arn} is not authorized to perform: s3:PutBucketPolicy on resource: "${bucketArn(bucket)}" because public policies are prevented by the BlockPublicPolicy setting in S3 Block Public Access.`,
    );
  ctx.reply.status = 204;
  return putSetting(ctx, input, 'policy', input.Policy);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketPolicy.html */
export function GetBucketPolicy(input: GetBucketPolicyRequest, ctx: S3Context): GetBucketPolicyOutput {
  return { Policy: getSetting(ctx, input, 'policy', NO_POLICY) };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketPolicy.html */
export function DeleteBucketPolicy(input: DeleteBucketPolicyRequest, ctx: S3Context): Record<string, never> {
  return deleteSetting(ctx, input, 'policy');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketPolicyStatus.html */
export function GetBucketPolicyStatus(
  input: GetBucketPolicyStatusRequest,
  ctx: S3Context,
): GetBucketPolicyStatusOutput {
  return { PolicyStatus: { IsPublic: isPublicPolicy(getSetting(ctx, input, 'policy', NO_POLICY)) } };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutPublicAccessBlock.html */
export function PutPublicAccessBlock(input: PutPublicAccessBlockRequest, ctx: S3Context): Record<string, never> {
  const given = input.PublicAccessBlockConfiguration;
  if (Object.keys(given).length === 0) throw malformedXml();
  return putSetting(ctx, input, 'publicAccessBlock', {
    BlockPublicAcls: given.BlockPublicAcls ?? false,
    IgnorePublicAcls: given.IgnorePublicAcls ?? false,
    BlockPublicPolicy: given.BlockPublicPolicy ?? false,
    RestrictPublicBuckets: given.RestrictPublicBuckets ?? false,
  });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetPublicAccessBlock.html */
export function GetPublicAccessBlock(input: GetPublicAccessBlockRequest, ctx: S3Context): GetPublicAccessBlockOutput {
  return {
    PublicAccessBlockConfiguration: getSetting(ctx, input, 'publicAccessBlock', [
      'NoSuchPublicAccessBlockConfiguration',
      'The public access block configuration was not found',
    ]),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeletePublicAccessBlock.html */
export function DeletePublicAccessBlock(input: DeletePublicAccessBlockRequest, ctx: S3Context): Record<string, never> {
  return deleteSetting(ctx, input, 'publicAccessBlock');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketOwnershipControls.html */
export function PutBucketOwnershipControls(
  input: PutBucketOwnershipControlsRequest,
  ctx: S3Context,
): Record<string, never> {
  const { Rules: rules } = input.OwnershipControls;
  if (rules.length !== 1) throw malformedXml();
  const ownership = rules[0]!.ObjectOwnership;
  oneOf(ownership, ['BucketOwnerPreferred', 'ObjectWriter', 'BucketOwnerEnforced']);
  const bucket = requireBucket(ctx, input);
  const grants = bucket.record.acl?.grants ?? [];
  if (ownership === 'BucketOwnerEnforced' && grants.some(({ grantee }) => grantee.type !== 'CanonicalUser'))
    throw awsError(
      'InvalidBucketAclWithObjectOwnership',
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
      { status: 400 },
    );
  return putSetting(ctx, input, 'ownership', ownership);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketOwnershipControls.html */
export function GetBucketOwnershipControls(
  input: GetBucketOwnershipControlsRequest,
  ctx: S3Context,
): GetBucketOwnershipControlsOutput {
  const ownership = getSetting(ctx, input, 'ownership', [
    'OwnershipControlsNotFoundError',
    'The bucket ownership controls were not found',
  ]);
  return { OwnershipControls: { Rules: [{ ObjectOwnership: ownership }] } };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketOwnershipControls.html */
export function DeleteBucketOwnershipControls(
  input: DeleteBucketOwnershipControlsRequest,
  ctx: S3Context,
): Record<string, never> {
  return deleteSetting(ctx, input, 'ownership');
}
