import * as S3 from '@aws-sdk/client-s3';
import { describeServiceContract } from '@emu/gateway/testing';
import { type ServiceModel, unsupportedPatterns } from '@emu/wire';
import { expect, it } from 'vitest';
import model from '../model/s3.json' with { type: 'json' };
import { manifest } from '../src/manifest.ts';

it('supports all patterns in its model', () => {
  expect(unsupportedPatterns(model as unknown as ServiceModel)).toEqual([]);
});

describeServiceContract<string>({
  manifest,
  scope: 'account',
  async act(config) {
    // Names are globally unique.
    const Bucket = `contract-${config.credentials.accessKeyId}`;
    const s3 = new S3.S3Client(config);
    await s3.send(
      new S3.CreateBucketCommand({
        Bucket,
        ...(config.region !== 'us-east-1' && {
          CreateBucketConfiguration: { LocationConstraint: config.region as 'eu-west-1' },
        }),
      }),
    );
    await new S3.S3Client({ ...config, disableS3ExpressSessionAuth: true }).send(
      new S3.CreateBucketCommand({
        Bucket: `${Bucket}--use1-az4--x-s3`,
        CreateBucketConfiguration: {
          Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
          Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
        },
      }),
    );
    await s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    await s3.send(new S3.PutBucketTaggingCommand({ Bucket, Tagging: { TagSet: [{ Key: 'a', Value: '1' }] } }));
    const Rules = [
      { ID: 'r', Status: 'Enabled' as const, Filter: {}, Expiration: { Date: new Date('2040-01-01T00:00:00Z') } },
    ];
    await s3.send(new S3.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'one', Metadata: { m: '1' } }));
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'two', Tagging: 'x=y' }));
    await s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'gone' }));
    const { UploadId } = await s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'big' }));
    await s3.send(new S3.UploadPartCommand({ Bucket, Key: 'big', UploadId, PartNumber: 1, Body: 'part' }));
    return Bucket;
  },
  async observe(config, Bucket) {
    const s3 = new S3.S3Client(config);
    const { Buckets = [] } = await s3.send(new S3.ListBucketsCommand({}));
    if (Buckets.length === 0) return undefined;
    const versions = await s3.send(new S3.ListObjectVersionsCommand({ Bucket }));
    const object = await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'k' }));
    const { Uploads = [] } = await s3.send(new S3.ListMultipartUploadsCommand({ Bucket }));
    const { Parts } = await s3.send(new S3.ListPartsCommand({ Bucket, Key: 'big', UploadId: Uploads[0]?.UploadId }));
    return {
      names: Buckets.map(({ Name }) => Name),
      versions: [versions.Versions, versions.DeleteMarkers],
      body: await object.Body!.transformToString(),
      expiration: object.Expiration,
      tags: (await s3.send(new S3.GetBucketTaggingCommand({ Bucket }))).TagSet,
      rules: (await s3.send(new S3.GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules,
      parts: Parts,
    };
  },
});
