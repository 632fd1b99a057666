import { isPublicPolicy } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/s3';
import { checkBucketPolicy } from '../access-control/bucket-policy.ts';
import { publicAccess } from '../access-control/public-access.ts';
import { deleteSetting, getSetting, oneOf, putSetting } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { accessDenied, malformedXml, s3Error } from '../errors.ts';
import { requireBucket } from '../lookup.ts';
import { bucketArn } from '../resources.ts';

const NO_POLICY = ['NoSuchBucketPolicy', 'The bucket policy does not exist'] as const;

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketPolicy.html */
export async function PutBucketPolicy(
  input: InputOf<'PutBucketPolicy'>,
  ctx: S3Context,
): Promise<OutputOf<'PutBucketPolicy'>> {
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
export function GetBucketPolicy(input: InputOf<'GetBucketPolicy'>, ctx: S3Context): OutputOf<'GetBucketPolicy'> {
  return { Policy: getSetting(ctx, input, 'policy', NO_POLICY) };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketPolicy.html */
export function DeleteBucketPolicy(
  input: InputOf<'DeleteBucketPolicy'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketPolicy'> {
  return deleteSetting(ctx, input, 'policy');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketPolicyStatus.html */
export function GetBucketPolicyStatus(
  input: InputOf<'GetBucketPolicyStatus'>,
  ctx: S3Context,
): OutputOf<'GetBucketPolicyStatus'> {
  return { PolicyStatus: { IsPublic: isPublicPolicy(getSetting(ctx, input, 'policy', NO_POLICY)) } };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutPublicAccessBlock.html */
export function PutPublicAccessBlock(
  input: InputOf<'PutPublicAccessBlock'>,
  ctx: S3Context,
): OutputOf<'PutPublicAccessBlock'> {
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
export function GetPublicAccessBlock(
  input: InputOf<'GetPublicAccessBlock'>,
  ctx: S3Context,
): OutputOf<'GetPublicAccessBlock'> {
  return {
    PublicAccessBlockConfiguration: getSetting(ctx, input, 'publicAccessBlock', [
      'NoSuchPublicAccessBlockConfiguration',
      'The public access block configuration was not found',
    ]),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeletePublicAccessBlock.html */
export function DeletePublicAccessBlock(
  input: InputOf<'DeletePublicAccessBlock'>,
  ctx: S3Context,
): OutputOf<'DeletePublicAccessBlock'> {
  return deleteSetting(ctx, input, 'publicAccessBlock');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketOwnershipControls.html */
export function PutBucketOwnershipControls(
  input: InputOf<'PutBucketOwnershipControls'>,
  ctx: S3Context,
): OutputOf<'PutBucketOwnershipControls'> {
  const { Rules: rules } = input.OwnershipControls;
  if (rules.length !== 1) throw malformedXml();
  const ownership = rules[0]!.ObjectOwnership;
  oneOf(ownership, ['BucketOwnerPreferred', 'ObjectWriter', 'BucketOwnerEnforced']);
  const bucket = requireBucket(ctx, input);
  const grants = bucket.record.acl?.grants ?? [];
  if (ownership === 'BucketOwnerEnforced' && grants.some(({ grantee }) => grantee.type !== 'CanonicalUser'))
    throw s3Error(
      'InvalidBucketAclWithObjectOwnership',
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
      { status: 400 },
    );
  return putSetting(ctx, input, 'ownership', ownership);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketOwnershipControls.html */
export function GetBucketOwnershipControls(
  input: InputOf<'GetBucketOwnershipControls'>,
  ctx: S3Context,
): OutputOf<'GetBucketOwnershipControls'> {
  const ownership = getSetting(ctx, input, 'ownership', [
    'OwnershipControlsNotFoundError',
    'The bucket ownership controls were not found',
  ]);
  return { OwnershipControls: { Rules: [{ ObjectOwnership: ownership }] } };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketOwnershipControls.html */
export function DeleteBucketOwnershipControls(
  input: InputOf<'DeleteBucketOwnershipControls'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketOwnershipControls'> {
  return deleteSetting(ctx, input, 'ownership');
}
