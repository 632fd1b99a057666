import * as sdk from '@aws-sdk/client-firehose';
import * as kms from '@aws-sdk/client-kms';
import * as s3 from '@aws-sdk/client-s3';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-firehose/model/firehose.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import {
  AWSKMSKeyARN,
  Bucket,
  BucketARN,
  CONVERSIONS,
  configurationOf,
  FAMILIES,
  place,
  RoleARN,
  SecretARN,
  SOURCES,
  updateOf,
} from './firehose-destinations.ts';

const DeliveryStreamName = 'known';
const DestinationId = 'destinationId-000000000001';
const bucket = { RoleARN, BucketARN };
const of = () => ({ DeliveryStreamName });
const version = (DeliveryStreamName = 'known') => ({
  DeliveryStreamName,
  CurrentDeliveryStreamVersionId: '1',
  DestinationId,
});
const http = {
  EndpointConfiguration: { Url: 'https://127.0.0.1:1/in', Name: 'local', AccessKey: 'secret' },
  S3Configuration: bucket,
};
const kinesis = { KinesisStreamARN: 'arn:aws:kinesis:us-east-1:123456789012:stream/source', RoleARN };
const extended = {
  ...bucket,
  Prefix: 'p/',
  ProcessingConfiguration: {
    Enabled: true,
    Processors: [
      {
        Type: 'Lambda',
        Parameters: [
          { ParameterName: 'LambdaArn', ParameterValue: 'arn:aws:lambda:us-east-1:123456789012:function:f' },
        ],
      },
    ],
  },
};

/** Creates two delivery streams: one with tags and encryption, and one that reads a Kinesis stream. */
async function setUp(send: Send): Promise<Facts> {
  await send('S3.CreateBucket', { Bucket });
  await send('CreateDeliveryStream', {
    ...of(),
    ExtendedS3DestinationConfiguration: { ...bucket, BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 0 } },
    Tags: [
      { Key: 'team', Value: 'a' },
      { Key: 'zone', Value: 'b' },
    ],
  });
  await send('CreateDeliveryStream', {
    DeliveryStreamName: 'other',
    DeliveryStreamType: 'KinesisStreamAsSource',
    KinesisStreamSourceConfiguration: kinesis,
    HttpEndpointDestinationConfiguration: http,
  });
  for (const name of Object.keys(FAMILIES))
    await send('CreateDeliveryStream', { DeliveryStreamName: name, ...configurationOf(name) });
  await send('CreateDeliveryStream', {
    DeliveryStreamName: 'backed',
    ExtendedS3DestinationConfiguration: {
      ...bucket,
      S3BackupMode: 'Enabled',
      S3BackupConfiguration: { ...bucket, Prefix: 'backup/' },
    },
  });
  const { KeyMetadata } = await send('KMS.CreateKey', {});
  return { key: (KeyMetadata as { Arn: string }).Arn };
}

/** Returns every delivery stream with its tags and the number of deliveries. */
async function observe(send: Send): Promise<unknown> {
  const { DeliveryStreamNames } = await send('ListDeliveryStreams', {});
  const streams = (DeliveryStreamNames as string[]).map(async (name) => {
    const { DeliveryStreamDescription } = await send('DescribeDeliveryStream', { DeliveryStreamName: name });
    const { Tags } = await send('ListTagsForDeliveryStream', { DeliveryStreamName: name });
    return [DeliveryStreamDescription, Tags];
  });
  const { Contents = [] } = await send('S3.ListObjectsV2', { Bucket });
  return [await Promise.all(streams), (Contents as { Size: number }[]).map(({ Size }) => Size).sort()];
}

/**
 * Makes a delivery stream deliver a record immediately.
 * @param since version of the stream after the related request
 * @returns its state, and the written data
 */
const delivered = (name: string, since: number) => async (send: Send) => {
  const of = { DeliveryStreamName: name };
  const { DeliveryStreamDescription } = await send('DescribeDeliveryStream', of);
  const { VersionId, Destinations, DeliveryStreamType } = DeliveryStreamDescription as {
    VersionId: string;
    DeliveryStreamType: string;
    Destinations: { HttpEndpointDestinationDescription?: object }[];
  };
  if (DeliveryStreamType !== 'DirectPut' || Number(VersionId) < since) return Destinations;
  const BufferingHints = { SizeInMBs: 64, IntervalInSeconds: 0 };
  const update = Destinations[0]?.HttpEndpointDestinationDescription
    ? { HttpEndpointDestinationUpdate: { S3BackupMode: 'AllData', S3Update: { BufferingHints } } }
    : {
        ExtendedS3DestinationUpdate: {
          BufferingHints,
          ProcessingConfiguration: { Enabled: false },
          DynamicPartitioningConfiguration: { Enabled: false },
        },
      };
  try {
    await send('UpdateDestination', { ...of, ...update, CurrentDeliveryStreamVersionId: VersionId, DestinationId });
  } catch {
    return Destinations;
  }
  await send('PutRecord', { ...of, Record: { Data: Buffer.from('text '.repeat(1000)) } });
  for (let look = 0; look < 2; look++) {
    const { Contents = [] } = await send('S3.ListObjectsV2', { Bucket });
    const [object] = Contents as { Key: string; Size: number }[];
    if (object) return [Destinations, object.Key.replace(/[0-9a-f-]{36}/, ''), object.Size];
  }
  return Destinations;
};

const tagged = (send: Send) => send('TagDeliveryStream', { ...of(), Tags: [{ Key: 'new', Value: 'x' }] });

/** Amazon Data Firehose. */
export const firehose: Scenario = {
  service: 'firehose',
  model: model as unknown as ServiceModel,
  others: ['kms', 's3'],
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const streams = sender(new sdk.FirehoseClient(config) as never, sdk);
    const buckets = sender(new s3.S3Client(config) as never, s3);
    const keys = sender(new kms.KMSClient(config) as never, kms);
    return (operation, input) => {
      if (operation.startsWith('KMS.')) return keys(operation.slice('KMS.'.length), input);
      return operation.startsWith('S3.') ? buckets(operation.slice('S3.'.length), input) : streams(operation, input);
    };
  },
  setUp,
  observe,
  before: {
    StopDeliveryStreamEncryption: async (send) => {
      await send('StartDeliveryStreamEncryption', of());
      return {};
    },
  },
  inputs: {
    CreateDeliveryStream: () => ({ DeliveryStreamName: 'new', ExtendedS3DestinationConfiguration: extended }),
    DeleteDeliveryStream: of,
    DescribeDeliveryStream: of,
    ListTagsForDeliveryStream: of,
    PutRecord: () => ({ ...of(), Record: { Data: Buffer.from('x') } }),
    PutRecordBatch: () => ({ ...of(), Records: [{ Data: Buffer.from('x') }] }),
    StartDeliveryStreamEncryption: of,
    StopDeliveryStreamEncryption: of,
    TagDeliveryStream: () => ({ ...of(), Tags: [{ Key: 'new', Value: 'x' }] }),
    UntagDeliveryStream: () => ({ ...of(), TagKeys: ['team'] }),
    UpdateDestination: () => ({ ...version(), ExtendedS3DestinationUpdate: { Prefix: 'q/' } }),
  },
  also: {
    CreateDeliveryStream: [
      () => ({
        DeliveryStreamName: 'new',
        DeliveryStreamType: 'KinesisStreamAsSource',
        KinesisStreamSourceConfiguration: kinesis,
        ExtendedS3DestinationConfiguration: extended,
      }),
      () => ({ DeliveryStreamName: 'new', HttpEndpointDestinationConfiguration: http }),
      () => ({ DeliveryStreamName: 'new', S3DestinationConfiguration: bucket }),
      () => ({ DeliveryStreamName: 'new', S3DestinationConfiguration: place('p/') }),
      () => ({
        DeliveryStreamName: 'new',
        ExtendedS3DestinationConfiguration: {
          ...place('p/'),
          S3BackupMode: 'Enabled',
          S3BackupConfiguration: place('backup/'),
        },
      }),
      ({ key }) => ({
        DeliveryStreamName: 'new',
        DeliveryStreamEncryptionConfigurationInput: { KeyType: 'CUSTOMER_MANAGED_CMK', KeyARN: key },
        ExtendedS3DestinationConfiguration: bucket,
      }),
      ...CONVERSIONS.map((DataFormatConversionConfiguration) => () => ({
        DeliveryStreamName: 'new',
        ExtendedS3DestinationConfiguration: { ...bucket, DataFormatConversionConfiguration },
      })),
      ...SOURCES.map((source) => () => ({
        DeliveryStreamName: 'new',
        ...source,
        ExtendedS3DestinationConfiguration: bucket,
      })),
      ...Object.keys(FAMILIES).map((name) => () => ({ DeliveryStreamName: 'new', ...configurationOf(name) })),
    ],
    StartDeliveryStreamEncryption: [
      ({ key }) => ({
        ...of(),
        DeliveryStreamEncryptionConfigurationInput: { KeyType: 'CUSTOMER_MANAGED_CMK', KeyARN: key },
      }),
    ],
    UpdateDestination: [
      () => ({ ...version(), S3DestinationUpdate: { Prefix: 'q/' } }),
      () => ({ ...version(), S3DestinationUpdate: place('q/') }),
      () => ({
        ...version('backed'),
        ExtendedS3DestinationUpdate: { ...place('q/'), S3BackupMode: 'Enabled', S3BackupUpdate: place('r/') },
      }),
      ...CONVERSIONS.map((DataFormatConversionConfiguration) => () => ({
        ...version(),
        ExtendedS3DestinationUpdate: { DataFormatConversionConfiguration },
      })),
      () => ({
        ...version('other'),
        HttpEndpointDestinationUpdate: { EndpointConfiguration: http.EndpointConfiguration, S3Update: place('q/') },
      }),
      ...Object.keys(FAMILIES).map((name) => () => ({ ...version(name), ...updateOf(name) })),
    ],
  },
  values: {
    'CreateDeliveryStream.DeliveryStreamType': ['DirectPut'],
    ...Object.fromEntries(
      ['HttpEndpoint', 'Redshift', 'Snowflake', 'Splunk'].flatMap((name) => [
        [`CreateDeliveryStream.${name}DestinationConfiguration.SecretsManagerConfiguration.SecretARN`, [SecretARN]],
        [`UpdateDestination.${name}DestinationUpdate.SecretsManagerConfiguration.SecretARN`, [SecretARN]],
      ]),
    ),
    'CreateDeliveryStream.HttpEndpointDestinationConfiguration.S3Configuration.EncryptionConfiguration.KMSEncryptionConfig':
      [{ AWSKMSKeyARN }],
  },
  after: { CreateDeliveryStream: delivered('new', 1), UpdateDestination: delivered(DeliveryStreamName, 2) },
  reads: {
    DescribeDeliveryStream: (send) =>
      send('UpdateDestination', { ...version(), ExtendedS3DestinationUpdate: { Prefix: 'q/' } }),
    ListDeliveryStreams: (send) => send('DeleteDeliveryStream', of()),
    ListTagsForDeliveryStream: tagged,
  },
};
