import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, arnOf, BUCKET, type FirehoseTest, FUNCTION, failureOf, ROLE, startFirehose } from './support.ts';

let t: FirehoseTest;
beforeAll(async () => {
  t = await startFirehose();
});
afterAll(() => t[Symbol.asyncDispose]());

const describeStream = async (DeliveryStreamName: string) =>
  (await t.firehose.describeDeliveryStream({ DeliveryStreamName })).DeliveryStreamDescription!;
const missing = `ResourceNotFoundException: Firehose missing under account ${ACCOUNT} not found.`;
const DestinationId = 'destinationId-000000000001';

describe('delivery streams', () => {
  test("are created with AWS's defaults, listed, and deleted", async () => {
    const { DeliveryStreamARN } = await t.firehose.createDeliveryStream({
      DeliveryStreamName: 'a-first',
      S3DestinationConfiguration: { RoleARN: ROLE, BucketARN: BUCKET },
    });
    expect(DeliveryStreamARN).toBe(arnOf('a-first'));
    const bucket = {
      RoleARN: ROLE,
      BucketARN: BUCKET,
      BufferingHints: { SizeInMBs: 5, IntervalInSeconds: 300 },
      CompressionFormat: 'UNCOMPRESSED',
      EncryptionConfiguration: { NoEncryptionConfig: 'NoEncryption' },
      CloudWatchLoggingOptions: { Enabled: false },
    };
    expect(await describeStream('a-first')).toMatchObject({
      DeliveryStreamName: 'a-first',
      DeliveryStreamARN,
      DeliveryStreamStatus: 'ACTIVE',
      DeliveryStreamEncryptionConfiguration: { Status: 'DISABLED' },
      DeliveryStreamType: 'DirectPut',
      VersionId: '1',
      Destinations: [
        {
          DestinationId,
          S3DestinationDescription: bucket,
          ExtendedS3DestinationDescription: { ...bucket, S3BackupMode: 'Disabled' },
        },
      ],
      HasMoreDestinations: false,
    });
    await t.stream('a-second');
    const page = { Limit: 1, ExclusiveStartDeliveryStreamName: 'a' };
    expect(await t.firehose.listDeliveryStreams(page)).toMatchObject({
      DeliveryStreamNames: ['a-first'],
      HasMoreDeliveryStreams: true,
    });
    expect(
      (await t.firehose.listDeliveryStreams({ DeliveryStreamType: 'KinesisStreamAsSource' })).DeliveryStreamNames,
    ).toEqual([]);
    await t.firehose.deleteDeliveryStream({ DeliveryStreamName: 'a-second' });
    expect(await failureOf(t.stream('a-first'))).toBe(
      `ResourceInUseException: Firehose a-first under accountId ${ACCOUNT} already exists`,
    );
  });

  test('reject too many and too large records without repeating them', async () => {
    const put = (...sizes: number[]) =>
      t.firehose.putRecordBatch({
        DeliveryStreamName: 'any',
        Records: sizes.map((size) => ({ Data: Buffer.alloc(size) })),
      });
    const failed = 'failed to satisfy constraint: Member must have length less than or equal to';
    const detected = 'ValidationException: 1 validation error detected:';
    expect(await failureOf(put(...Array<number>(501).fill(1)))).toBe(`${detected} Value at 'records' ${failed} 500`);
    expect(await failureOf(put(1, 1_024_001))).toBe(`${detected} Value at 'records.2.member.data' ${failed} 1024000`);
  });

  test('are reported by name if missing', async () => {
    const DeliveryStreamName = 'missing';
    for (const request of [
      t.firehose.describeDeliveryStream({ DeliveryStreamName }),
      t.firehose.deleteDeliveryStream({ DeliveryStreamName }),
      t.firehose.putRecord({ DeliveryStreamName, Record: { Data: Buffer.from('x') } }),
      t.firehose.tagDeliveryStream({ DeliveryStreamName, Tags: [{ Key: 'a' }] }),
      t.firehose.untagDeliveryStream({ DeliveryStreamName, TagKeys: ['a'] }),
      t.firehose.listTagsForDeliveryStream({ DeliveryStreamName }),
      t.firehose.startDeliveryStreamEncryption({ DeliveryStreamName }),
      t.firehose.stopDeliveryStreamEncryption({ DeliveryStreamName }),
    ])
      expect(await failureOf(request)).toBe(missing);
  });

  test('have one destination of a supported type', async () => {
    const DeliveryStreamName = 'refused';
    const s3 = { RoleARN: ROLE, BucketARN: BUCKET };
    expect(await failureOf(t.firehose.createDeliveryStream({ DeliveryStreamName }))).toBe(
      'InvalidArgumentException: Exactly one destination configuration is supported for a Firehose',
    );
    const splunk = { HECEndpoint: 'https://splunk', HECEndpointType: 'Raw' as const, S3Configuration: s3 };
    expect(
      await failureOf(t.firehose.createDeliveryStream({ DeliveryStreamName, SplunkDestinationConfiguration: splunk })),
    ).toBe('InvalidArgumentException: HECToken is required when SecretsManagerConfiguration is not enabled.');
    for (const [more, sentence] of [
      [
        { DataFormatConversionConfiguration: { Enabled: true } },
        'NotImplemented: emu does not convert the format of records.',
      ],
      [
        { Prefix: '!{timestamp:yyyy}/' },
        'InvalidArgumentException: Ths supplied prefix(es) do not satisfy the following constraint: ErrorOutputPrefix cannot be null or empty when Prefix contains expressions',
      ],
      [
        {
          Prefix: '!{partitionKeyFromLambda:a}/',
          ErrorOutputPrefix: 'e/',
          DynamicPartitioningConfiguration: { Enabled: true },
          BufferingHints: { SizeInMBs: 5, IntervalInSeconds: 60 },
        },
        'InvalidArgumentException: BufferingHints.SizeInMBs must be at least 64 when Dynamic Partitioning is enabled.',
      ],
    ] as const)
      expect(await failureOf(t.stream(DeliveryStreamName, more))).toBe(sentence);
  });
});

describe('unsupported sources', () => {
  const ExtendedS3DestinationConfiguration = { RoleARN: ROLE, BucketARN: BUCKET };
  const MSKSourceConfiguration = {
    MSKClusterARN: 'arn:aws:kafka:us-east-1:000000000000:cluster/c/1',
    TopicName: 'orders',
    AuthenticationConfiguration: { RoleARN: ROLE, Connectivity: 'PRIVATE' as const },
  };
  const DatabaseSourceConfiguration = {
    Type: 'MySQL' as const,
    Endpoint: 'db.local',
    Port: 3306,
    Databases: { Include: ['shop'] },
    Tables: { Include: ['shop.orders'] },
    SnapshotWatermarkTable: 'shop.watermarks',
    DatabaseSourceAuthenticationConfiguration: {
      SecretsManagerConfiguration: {
        Enabled: true,
        SecretARN: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:db',
      },
    },
    DatabaseSourceVPCConfiguration: {
      VpcEndpointServiceName: 'com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0',
    },
  };

  test.each([
    ['MSKAsSource', { MSKSourceConfiguration }, { MSKSourceDescription: MSKSourceConfiguration }],
    ['DatabaseAsSource', { DatabaseSourceConfiguration }, { DatabaseSourceDescription: DatabaseSourceConfiguration }],
  ] as const)('are validated and stored: %s', async (DeliveryStreamType, source, description) => {
    const DeliveryStreamName = `of-${DeliveryStreamType}`;
    const input = { DeliveryStreamName, DeliveryStreamType, ExtendedS3DestinationConfiguration };
    expect(await failureOf(t.firehose.createDeliveryStream(input))).toMatch(
      /^InvalidArgumentException: .* is required/,
    );
    await t.firehose.createDeliveryStream({ ...input, ...source });
    const { DeliveryStreamDescription } = await t.firehose.describeDeliveryStream({ DeliveryStreamName });
    expect(DeliveryStreamDescription).toMatchObject({ DeliveryStreamType, Source: description });
    expect(await failureOf(t.firehose.putRecord({ DeliveryStreamName, Record: { Data: Buffer.from('x') } }))).toBe(
      `InvalidArgumentException: This operation is not permitted on ${DeliveryStreamType} delivery stream type.`,
    );
  });
});

describe('destinations', () => {
  const update = (CurrentDeliveryStreamVersionId: string, more: object) =>
    t.firehose.updateDestination({
      DeliveryStreamName: 'changed',
      CurrentDeliveryStreamVersionId,
      DestinationId,
      ...more,
    });

  test('are updated by member, and count versions', async () => {
    await t.stream('changed', { Prefix: 'p/', CompressionFormat: 'GZIP' });
    await update('1', { ExtendedS3DestinationUpdate: { Prefix: 'q/' } });
    const { VersionId, LastUpdateTimestamp, Destinations } = await describeStream('changed');
    expect(VersionId).toBe('2');
    expect(LastUpdateTimestamp).toBeDefined();
    expect(Destinations![0]!.ExtendedS3DestinationDescription).toMatchObject({
      Prefix: 'q/',
      CompressionFormat: 'GZIP',
    });
    expect(await failureOf(update('1', { ExtendedS3DestinationUpdate: {} }))).toBe(
      'ConcurrentModificationException: Cannot update firehose: changed since the current version id: 2 and specified version id: 1 do not match',
    );
    expect(await failureOf(update('2', { ExtendedS3DestinationUpdate: {}, DestinationId: 'other' }))).toBe(
      'InvalidArgumentException: Destination Id other not found',
    );
    expect(await failureOf(update('2', { HttpEndpointDestinationUpdate: {} }))).toBe(
      'InvalidArgumentException: EndpointConfiguration is required for a destination of another type.',
    );
  });

  test('have functions with an ARN', async () => {
    const processing = (Parameters: { ParameterName: 'LambdaArn'; ParameterValue: string }[]) => ({
      ProcessingConfiguration: { Enabled: true, Processors: [{ Type: 'Lambda' as const, Parameters }] },
    });
    expect(await failureOf(t.stream('functionless', processing([])))).toBe(
      'InvalidArgumentException: The Lambda processor requires the parameter LambdaArn.',
    );
    await t.stream('functional', processing([{ ParameterName: 'LambdaArn', ParameterValue: FUNCTION }]));
  });
});

test('adds, lists and removes tags in pages', async () => {
  const DeliveryStreamName = 'tagged';
  await t.stream(DeliveryStreamName);
  await t.firehose.tagDeliveryStream({
    DeliveryStreamName,
    Tags: [{ Key: 'subject', Value: 'taboo' }, { Key: 'empty' }],
  });
  expect(await t.firehose.listTagsForDeliveryStream({ DeliveryStreamName, Limit: 1 })).toMatchObject({
    Tags: [{ Key: 'empty', Value: '' }],
    HasMoreTags: true,
  });
  await t.firehose.untagDeliveryStream({ DeliveryStreamName, TagKeys: ['empty'] });
  expect(await t.firehose.listTagsForDeliveryStream({ DeliveryStreamName })).toMatchObject({
    Tags: [{ Key: 'subject', Value: 'taboo' }],
    HasMoreTags: false,
  });
});

test('enables and disables encryption', async () => {
  const DeliveryStreamName = 'encrypted';
  await t.stream(DeliveryStreamName);
  await t.firehose.startDeliveryStreamEncryption({ DeliveryStreamName });
  expect((await describeStream(DeliveryStreamName)).DeliveryStreamEncryptionConfiguration).toEqual({
    Status: 'ENABLED',
    KeyType: 'AWS_OWNED_CMK',
  });
  const put = () => t.firehose.putRecord({ DeliveryStreamName, Record: { Data: Buffer.from('x') } });
  expect((await put()).Encrypted).toBe(true);
  await t.firehose.stopDeliveryStreamEncryption({ DeliveryStreamName });
  expect((await put()).Encrypted).toBe(false);
  const KeyType = 'CUSTOMER_MANAGED_CMK';
  expect(
    await failureOf(
      t.firehose.startDeliveryStreamEncryption({
        DeliveryStreamName,
        DeliveryStreamEncryptionConfigurationInput: { KeyType },
      }),
    ),
  ).toBe('InvalidArgumentException: KeyARN is required for the key type CUSTOMER_MANAGED_CMK.');
});
