import { createTestEmulator, testProvider } from '@emu/gateway/testing';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';
import { describeTypes, type Env, typeCase } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];

const streamOf = async (env: Env) =>
  (await env.make('AWS::Kinesis::Stream', { StreamModeDetails: { StreamMode: 'ON_DEMAND' } })).attributes.Arn!;

const policy = (resource: string, action: string) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: '111122223333' }, Action: action, Resource: resource }],
});

const bucketOf = async (env: Env) => (await env.make('AWS::S3::Bucket')).attributes.Arn!;

describeTypes(
  [firehose, iam, kinesis, kms, lambda, s3, sts],
  [
    typeCase({
      type: 'AWS::Kinesis::Stream',
      needs: async (env) => (await env.make('AWS::KMS::Key')).id,
      least: () => ({ ShardCount: 1 }),
      most: (KeyId) => ({
        DesiredShardLevelMetrics: ['IncomingBytes'],
        MaxRecordSizeInKiB: 2048,
        RetentionPeriodHours: 48,
        ShardCount: 2,
        StreamEncryption: { EncryptionType: 'KMS', KeyId },
        Tags: TAGS,
      }),
      other: () => ({ Name: 'named', StreamModeDetails: { StreamMode: 'PROVISIONED' } }),
      untried: { WarmThroughputMiBps: 'only of streams on demand' },
    }),
    typeCase({
      type: 'AWS::Kinesis::StreamConsumer',
      needs: streamOf,
      least: (StreamARN) => ({ ConsumerName: 'one', StreamARN }),
      other: () => ({ ConsumerName: 'two', Tags: TAGS }),
    }),
    typeCase({
      type: 'AWS::Kinesis::ResourcePolicy',
      needs: async (env) => [await streamOf(env), await streamOf(env)] as const,
      least: ([one]) => ({ ResourceArn: one, ResourcePolicy: policy(one, 'kinesis:PutRecord') }),
      most: ([one]) => ({ ResourcePolicy: policy(one, 'kinesis:PutRecords') }),
      other: ([, two]) => ({ ResourceArn: two, ResourcePolicy: policy(two, 'kinesis:PutRecord') }),
    }),
    typeCase({
      type: 'AWS::KinesisFirehose::DeliveryStream',
      needs: async (env) => ({
        bucket: await bucketOf(env),
        role: (
          await env.make('AWS::IAM::Role', {
            AssumeRolePolicyDocument: {
              Version: '2012-10-17',
              Statement: [
                { Effect: 'Allow', Principal: { Service: 'firehose.amazonaws.com' }, Action: 'sts:AssumeRole' },
              ],
            },
          })
        ).attributes.Arn!,
        stream: await streamOf(env),
      }),
      least: ({ bucket, role }) => ({ ExtendedS3DestinationConfiguration: { BucketARN: bucket, RoleARN: role } }),
      most: ({ bucket, role }) => ({
        ExtendedS3DestinationConfiguration: {
          BucketARN: bucket,
          RoleARN: role,
          BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 60 },
          CompressionFormat: 'GZIP',
        },
        DeliveryStreamEncryptionConfigurationInput: { KeyType: 'AWS_OWNED_CMK' },
        Tags: TAGS,
      }),
      other: () => ({
        DeliveryStreamName: 'named',
        DeliveryStreamType: 'DirectPut',
        DirectPutSourceConfiguration: { ThroughputHintInMBs: 2 },
      }),
      untried: {
        ...Object.fromEntries(
          [
            'AmazonOpenSearchServerless',
            'Amazonopensearchservice',
            'Elasticsearch',
            'HttpEndpoint',
            'Iceberg',
            'Redshift',
            'S3',
            'Snowflake',
            'Splunk',
          ].map((kind) => [`${kind}DestinationConfiguration`, 'one destination at a time; see below']),
        ),
        KinesisStreamSourceConfiguration: 'of another type of stream',
      },
    }),
  ],
);

const BUCKET = { BucketARN: 'arn:aws:s3:::records', RoleARN: 'arn:aws:iam::123456789012:role/delivery' };

// Each with its updatable properties, which are returned again.
test.each([
  [
    'HttpEndpoint',
    { EndpointConfiguration: { Url: 'https://example.com/in' }, S3Configuration: BUCKET },
    { BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 60 }, RetryOptions: { DurationInSeconds: 10 } },
  ],
  [
    'Splunk',
    {
      HECEndpoint: 'https://example.com:8088',
      HECEndpointType: 'Raw',
      HECToken: 'a-token',
      S3Configuration: BUCKET,
    },
    { HECAcknowledgmentTimeoutInSeconds: 300 },
  ],
  [
    'Iceberg',
    {
      CatalogConfiguration: { CatalogArn: 'arn:aws:glue:us-east-1:123456789012:catalog' },
      RoleARN: BUCKET.RoleARN,
      S3Configuration: BUCKET,
      s3BackupMode: 'AllData',
    },
    { BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 60 } },
  ],
])('delivery streams to %s are created, updated and read', async (kind, first, more) => {
  await using emulator = await createTestEmulator({ manifests: [firehose, iam, s3, sts] });
  const { provider, ctx } = await testProvider(emulator, 'AWS::KinesisFirehose::DeliveryStream');
  const name = `${kind}DestinationConfiguration`;
  const before = { [name]: first };
  const after = { [name]: { ...first, ...more } };
  const told = async (applied: object) =>
    ((await provider.read(identifier, ctx, applied as never))!.properties as Record<string, object>)[name];
  const { identifier } = await provider.create(before, ctx);
  // Secrets are not returned.
  const { HECToken: _, ...rest } = first as Record<string, unknown>;
  expect(await told(before)).toMatchObject(rest);
  await provider.update!(identifier, before, after, ctx);
  expect(await told(after)).toMatchObject({ ...rest, ...more });
  await provider.delete(identifier, after, ctx);
  expect(await provider.read(identifier, ctx)).toBeUndefined();
});
