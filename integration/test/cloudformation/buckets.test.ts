import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { describeTypes, type Env, typeCase } from './support.ts';

const VERSIONED = { VersioningConfiguration: { Status: 'Enabled' } };

async function targets(env: Env) {
  const queue = (await env.make('AWS::SQS::Queue')).id;
  const policy = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 's3.amazonaws.com' }, Action: 'sqs:*', Resource: '*' }],
  };
  await env.make('AWS::SQS::QueuePolicy', { Queues: [queue], PolicyDocument: policy });
  const { Attributes } = await env.call('sqs', 'GetQueueAttributes', { QueueUrl: queue, AttributeNames: ['QueueArn'] });
  const logs = await env.make('AWS::S3::Bucket');
  await env.make('AWS::S3::BucketPolicy', {
    Bucket: logs.id,
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'logging.s3.amazonaws.com' },
          Action: 's3:PutObject',
          Resource: `${logs.attributes.Arn}/*`,
        },
      ],
    },
  });
  const copy = await env.make('AWS::S3::Bucket', VERSIONED);
  return {
    queue: (Attributes as unknown as { QueueArn: string }).QueueArn,
    logs: logs.id,
    logsArn: logs.attributes.Arn,
    copy: copy.attributes.Arn,
  };
}

const read = (bucket: string, Action: string) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::000000000000:root' },
      Action,
      Resource: `arn:aws:s3:::${bucket}/*`,
    },
  ],
});
const buckets = async (env: Env) =>
  [(await env.make('AWS::S3::Bucket')).id, (await env.make('AWS::S3::Bucket')).id] as const;

describeTypes(
  [s3, sqs, kms, events, iam],
  [
    typeCase({
      type: 'AWS::S3::Bucket',
      needs: targets,
      least: () => VERSIONED,
      most: ({ queue, logs, logsArn, copy }) => ({
        AbacStatus: 'Enabled',
        AccelerateConfiguration: { AccelerationStatus: 'Enabled' },
        AccessControl: 'PublicRead',
        MetricsConfigurations: [
          { Id: 'all' },
          {
            Id: 'point',
            AccessPointArn: 'arn:aws:s3:us-east-1:123456789012:accesspoint/one',
            TagFilters: [{ Key: 'k', Value: 'v' }],
          },
          { Id: 'some', Prefix: 'p', TagFilters: [{ Key: 'k', Value: 'v' }] },
        ],
        AnalyticsConfigurations: [
          {
            Id: 'a',
            Prefix: 'p',
            TagFilters: [{ Key: 'k', Value: 'v' }],
            StorageClassAnalysis: {
              DataExport: { OutputSchemaVersion: 'V_1', Destination: { BucketArn: logsArn, Format: 'CSV' } },
            },
          },
        ],
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } },
          ],
        },
        CorsConfiguration: {
          CorsRules: [
            { Id: 'c', AllowedMethods: ['GET'], AllowedOrigins: ['*'], ExposedHeaders: ['etag'], MaxAge: 10 },
          ],
        },
        IntelligentTieringConfigurations: [
          {
            Id: 't',
            Prefix: 'p',
            Status: 'Enabled',
            TagFilters: [{ Key: 'k', Value: 'v' }],
            Tierings: [
              { AccessTier: 'ARCHIVE_ACCESS', Days: 90 },
              { AccessTier: 'DEEP_ARCHIVE_ACCESS', Days: 180 },
            ],
          },
          { Id: 'u', Status: 'Disabled', Tierings: [{ AccessTier: 'DEEP_ARCHIVE_ACCESS', Days: 200 }] },
        ],
        InventoryConfigurations: [
          {
            Id: 'i',
            Enabled: true,
            Prefix: 'p',
            IncludedObjectVersions: 'All',
            OptionalFields: ['Size'],
            ScheduleFrequency: 'Daily',
            Destination: { BucketArn: logsArn, Format: 'CSV', Prefix: 'out' },
          },
        ],
        LifecycleConfiguration: {
          Rules: [
            {
              Id: 'l',
              Status: 'Enabled',
              Prefix: 'p',
              TagFilters: [{ Key: 'k', Value: 'v' }],
              ExpirationInDays: 90,
              Transitions: [{ StorageClass: 'GLACIER', TransitionInDays: 30 }],
              NoncurrentVersionExpiration: { NoncurrentDays: 60 },
              NoncurrentVersionTransitions: [{ StorageClass: 'STANDARD_IA', TransitionInDays: 30 }],
            },
            { Id: 'm', Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 3 } },
            { Id: 'n', Status: 'Disabled', ExpirationDate: '2030-01-01T00:00:00.000Z', ObjectSizeGreaterThan: 10 },
          ],
        },
        LoggingConfiguration: { DestinationBucketName: logs, LogFilePrefix: 'p/' },
        NotificationConfiguration: {
          EventBridgeConfiguration: { EventBridgeEnabled: true },
          QueueConfigurations: [
            {
              Event: 's3:ObjectCreated:*',
              Queue: queue,
              Filter: { S3Key: { Rules: [{ Name: 'Prefix', Value: 'in/' }] } },
            },
          ],
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'ObjectWriter' }] },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: false,
          BlockPublicPolicy: true,
          IgnorePublicAcls: false,
          RestrictPublicBuckets: true,
        },
        ReplicationConfiguration: {
          Role: 'arn:aws:iam::000000000000:role/replication',
          Rules: [
            {
              Id: 'r',
              Status: 'Enabled',
              Priority: 1,
              Filter: { And: { Prefix: 'p', TagFilters: [{ Key: 'k', Value: 'v' }] } },
              DeleteMarkerReplication: { Status: 'Disabled' },
              Destination: { Bucket: copy, StorageClass: 'STANDARD_IA' },
            },
          ],
        },
        Tags: [{ Key: 'a', Value: '1' }],
        WebsiteConfiguration: {
          IndexDocument: 'index.html',
          ErrorDocument: 'error.html',
          RoutingRules: [
            { RoutingRuleCondition: { KeyPrefixEquals: 'a/' }, RedirectRule: { ReplaceKeyPrefixWith: 'b/' } },
          ],
        },
      }),
      other: () => ({ BucketName: 'named' }),
      unread: { AccessControl: 'returned as grants' },
      kept: { AccelerateConfiguration: 'can only be suspended' },
      untried: { ObjectLockConfiguration: 'has a case of its own', ObjectLockEnabled: 'has a case of its own' },
    }),
    typeCase({
      type: 'AWS::S3::BucketPolicy',
      needs: buckets,
      least: ([one]) => ({ Bucket: one, PolicyDocument: read(one, 's3:GetObject') }),
      most: ([one]) => ({ PolicyDocument: read(one, 's3:PutObject') }),
      other: ([, two]) => ({ Bucket: two, PolicyDocument: read(two, 's3:GetObject') }),
    }),
  ],
);
