import { Firehose } from '@aws-sdk/client-firehose';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { KMS } from '@aws-sdk/client-kms';
import { S3 } from '@aws-sdk/client-s3';
import { SNS } from '@aws-sdk/client-sns';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as firehoseManifest } from '@emu/svc-firehose/manifest';
import { manifest as kinesisManifest } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const RoleARN = 'arn:aws:iam::000000000000:role/firehose';
let emulator: TestEmulator;
let firehose: Firehose;
let kinesis: Kinesis;
let s3: S3;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [firehoseManifest, kinesisManifest, kms, s3Manifest, sns],
    settings: {
      accountId: '000000000000',
      region: 'us-east-1',
    },
  });
  emulator.kernel.clock.freeze();
  const config = emulator.clientConfig();
  firehose = new Firehose(config);
  kinesis = new Kinesis(config);
  s3 = new S3(config);
});
afterAll(() => emulator.close());

/** Creates the destination of a delivery stream. */
async function bucket(Bucket: string) {
  await s3.createBucket({ Bucket });
  const BufferingHints = { SizeInMBs: 1, IntervalInSeconds: 10 };
  return { RoleARN, BucketARN: `arn:aws:s3:::${Bucket}`, BufferingHints };
}

/** Returns the texts of a bucket's objects. */
async function texts(Bucket: string): Promise<string[]> {
  const { Contents = [] } = await s3.listObjectsV2({ Bucket });
  return Promise.all(
    Contents.map(async ({ Key }) => (await s3.getObject({ Bucket, Key: Key! })).Body!.transformToString()),
  );
}

test('a Kinesis stream is read from the creation of the delivery stream on, once, across a split', async () => {
  const StreamName = 'source';
  await kinesis.createStream({ StreamName, ShardCount: 1 });
  const { StreamDescriptionSummary } = await kinesis.describeStreamSummary({ StreamName });
  const put = (text: string) => kinesis.putRecord({ StreamName, PartitionKey: 'k', Data: Buffer.from(text) });
  await put('before');
  await emulator.kernel.clock.advance(1000);
  await firehose.createDeliveryStream({
    DeliveryStreamName: 'reader',
    DeliveryStreamType: 'KinesisStreamAsSource',
    KinesisStreamSourceConfiguration: { KinesisStreamARN: StreamDescriptionSummary!.StreamARN!, RoleARN },
    ExtendedS3DestinationConfiguration: await bucket('read'),
  });
  // As in the recording of AWS, only streams of the type DirectPut show an encryption.
  const { DeliveryStreamDescription } = await firehose.describeDeliveryStream({ DeliveryStreamName: 'reader' });
  expect(DeliveryStreamDescription!.DeliveryStreamType).toBe('KinesisStreamAsSource');
  expect(DeliveryStreamDescription!.DeliveryStreamEncryptionConfiguration).toBeUndefined();
  const request = firehose.putRecord({ DeliveryStreamName: 'reader', Record: { Data: Buffer.from('x') } });
  expect((await refusal(request)).message).toBe(
    'This operation is not permitted on KinesisStreamAsSource delivery stream type.',
  );
  await put('a');
  await put('b');
  await kinesis.splitShard({ StreamName, ShardToSplit: '0', NewStartingHashKey: '9' });
  await put('c');
  await emulator.kernel.clock.advance(30_000);
  expect((await texts('read')).join('')).toBe('abc');
});

test('a topic delivers to a delivery stream', async () => {
  const { DeliveryStreamARN } = await firehose.createDeliveryStream({
    DeliveryStreamName: 'notified',
    ExtendedS3DestinationConfiguration: await bucket('notified'),
  });
  const topics = new SNS(emulator.clientConfig());
  const { TopicArn } = await topics.createTopic({ Name: 'topic' });
  const Attributes = { SubscriptionRoleArn: RoleARN, RawMessageDelivery: 'true' };
  await topics.subscribe({ TopicArn, Protocol: 'firehose', Endpoint: DeliveryStreamARN, Attributes });
  await topics.publish({ TopicArn, Message: 'hello' });
  await expect
    .poll(async () => {
      await emulator.kernel.clock.advance(10_000);
      return texts('notified');
    })
    .toEqual(['hello']);
});

test('a customer key receives a grant, and is used for every record', async () => {
  const keys = new KMS(emulator.clientConfig());
  const { KeyMetadata } = await keys.createKey({});
  const { KeyId, Arn } = KeyMetadata!;
  const DeliveryStreamName = 'secret';
  await firehose.createDeliveryStream({
    DeliveryStreamName,
    ExtendedS3DestinationConfiguration: await bucket('secret'),
    DeliveryStreamEncryptionConfigurationInput: { KeyType: 'CUSTOMER_MANAGED_CMK', KeyARN: Arn },
  });
  expect((await keys.listGrants({ KeyId })).Grants).toMatchObject([{ GranteePrincipal: 'firehose.amazonaws.com' }]);
  const put = () => firehose.putRecord({ DeliveryStreamName, Record: { Data: Buffer.from('x') } });
  expect((await put()).Encrypted).toBe(true);
  await keys.disableKey({ KeyId });
  const { name, message } = await refusal(put());
  expect([name, message]).toEqual(['InvalidKMSResourceException', `${Arn} is disabled.`]);
});

test('the control route returns delivery streams', async () => {
  const { json } = await emulator.control('GET', '/_emulator/firehose/delivery-streams');
  const { deliveryStreams } = json as { deliveryStreams: { name: string }[] };
  expect(deliveryStreams.map(({ name }) => name)).toEqual(['notified', 'reader', 'secret']);
  expect(deliveryStreams[1]).toMatchObject({
    accountId: '000000000000',
    arn: 'arn:aws:firehose:us-east-1:000000000000:deliverystream/reader',
    streamType: 'KinesisStreamAsSource',
    status: 'ACTIVE',
    encryption: { status: 'DISABLED' },
    destinationCount: 1,
  });
  expect(deliveryStreams[2]).toMatchObject({ encryption: { status: 'ENABLED', keyType: 'CUSTOMER_MANAGED_CMK' } });
});
