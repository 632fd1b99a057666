import { defineProvider, documentValue, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface BucketPolicyProperties {
  Bucket: string;
  PolicyDocument: unknown;
}

const GONE = ['NoSuchBucket', 'NoSuchBucketPolicy'];

const putPolicy = ({ Bucket, PolicyDocument }: BucketPolicyProperties, ctx: ProviderContext) =>
  ctx.call('s3', 'PutBucketPolicy', { Bucket, Policy: textOf(PolicyDocument) });

/** Returns the policies of one kind of bucket. */
function bucketPolicyOf(typeName: string): AnyResourceProvider {
  return defineProvider<BucketPolicyProperties>({
    typeName,
    model,
    handles: ['Bucket', 'PolicyDocument'],

    async create(properties, ctx) {
      await putPolicy(properties, ctx);
      return { identifier: properties.Bucket };
    },

    async read(Bucket, ctx) {
      const found = await unless(ctx.call('s3', 'GetBucketPolicy', { Bucket }), ...GONE);
      if (!found) return undefined;
      return { properties: { Bucket, PolicyDocument: documentValue(String(found.Policy)) }, attributes: {} };
    },

    async update(_bucket, _previous, desired, ctx) {
      await putPolicy(desired, ctx);
    },

    async delete(Bucket, _properties, ctx) {
      await unless(ctx.call('s3', 'DeleteBucketPolicy', { Bucket }), ...GONE);
    },
  });
}

/**
 * Policies of buckets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-bucketpolicy.html
 */
export const bucketPolicy: AnyResourceProvider = bucketPolicyOf('AWS::S3::BucketPolicy');

/** Policies of directory buckets. */
export const directoryBucketPolicy: AnyResourceProvider = bucketPolicyOf('AWS::S3Express::BucketPolicy');
