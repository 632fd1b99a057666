import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { KMS } from '@aws-sdk/client-kms';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kinesisManifest } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
let kinesis: Kinesis;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [dynamodb, events, kinesisManifest, kms],
    settings: { accountId: '000000000000', region: 'us-east-1' },
  });
  kinesis = new Kinesis(emulator.clientConfig());
});
afterAll(() => emulator.close());

/** Creates a stream. @returns its ARN */
async function stream(StreamName: string): Promise<string> {
  await kinesis.createStream({ StreamName });
  return (await kinesis.describeStreamSummary({ StreamName })).StreamDescriptionSummary!.StreamARN!;
}

/** Returns the records of a stream with one shard. */
async function records(StreamName: string) {
  const { ShardIterator } = await kinesis.getShardIterator({
    StreamName,
    ShardId: '0',
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records } = await kinesis.getRecords({ ShardIterator });
  return Records!.map(({ Data, PartitionKey }) => ({ data: JSON.parse(Buffer.from(Data!).toString()), PartitionKey }));
}

test('a table sends its changes to a stream, in order', async () => {
  const StreamArn = await stream('changes');
  const db = new DynamoDB(emulator.clientConfig());
  const TableName = 'orders';
  await db.createTable({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  await db.enableKinesisStreamingDestination({ TableName, StreamArn });
  await db.putItem({ TableName, Item: { id: { S: '1' }, total: { N: '7' } } });
  await db.deleteItem({ TableName, Key: { id: { S: '1' } } });
  await expect
    .poll(async () => (await records('changes')).map(({ data }) => data.eventName))
    .toEqual(['INSERT', 'REMOVE']);
});

test('a rule puts events into a stream, with the key of the target', async () => {
  const Arn = await stream('events');
  const bus = new EventBridge(emulator.clientConfig());
  await bus.putRule({ Name: 'to-stream', EventPattern: '{"source":["shop"]}' });
  const KinesisParameters = { PartitionKeyPath: '$.detail.id' };
  const RoleArn = 'arn:aws:iam::000000000000:role/events';
  await bus.putTargets({ Rule: 'to-stream', Targets: [{ Id: 't', Arn, RoleArn, KinesisParameters }] });
  await bus.putEvents({ Entries: [{ Source: 'shop', DetailType: 'Order', Detail: '{"id":"42"}' }] });
  await expect
    .poll(() => records('events'))
    .toMatchObject([{ PartitionKey: '42', data: { source: 'shop', detail: { id: '42' } } }]);
});

test('an encrypted stream requires its key for writing and reading', async () => {
  const keys = new KMS(emulator.clientConfig());
  const KeyId = (await keys.createKey({})).KeyMetadata!.KeyId!;
  const StreamName = 'secret';
  await stream(StreamName);
  await kinesis.startStreamEncryption({ StreamName, EncryptionType: 'KMS', KeyId });
  const put = () => kinesis.putRecord({ StreamName, PartitionKey: 'k', Data: Buffer.from('{}') });
  expect((await put()).EncryptionType).toBe('KMS');
  expect(await records(StreamName)).toHaveLength(1);
  await keys.disableKey({ KeyId });
  emulator.kernel.clock.freeze();
  await emulator.kernel.clock.advance(5 * 60_000);
  expect((await refusal(put())).name).toBe('KMSDisabledException');
  expect((await refusal(records(StreamName))).name).toBe('KMSDisabledException');
  await kinesis.stopStreamEncryption({ StreamName, EncryptionType: 'KMS', KeyId });
  await put();
  expect((await kinesis.describeStream({ StreamName })).StreamDescription).toMatchObject({ EncryptionType: 'NONE' });
  const unknown = { StreamName, EncryptionType: 'KMS' as const, KeyId: 'alias/unknown' };
  expect((await refusal(kinesis.startStreamEncryption(unknown))).name).toBe('KMSNotFoundException');
});
