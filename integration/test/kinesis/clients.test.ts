import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Firehose } from '@aws-sdk/client-firehose';
import { Kinesis, waitUntilStreamExists } from '@aws-sdk/client-kinesis';
import { S3 } from '@aws-sdk/client-s3';
import type { Listener } from '@emu/gateway';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const program = (name: string): string => join(import.meta.dirname, 'programs', name);
const aggregate = async (...args: string[]): Promise<string> =>
  (await run(process.execPath, [program('aggregate.mjs'), ...args])).stdout.trim();

let emulator: TestEmulator;
let listener: Listener;
let client: Kinesis;
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [dynamodb, firehose, kinesis, kms, s3],
  });
  listener = await emulator.gateway.listen({ port: 0 });
  client = new Kinesis(emulator.clientConfig());
});
afterAll(async () => {
  client.destroy();
  await listener.close();
  await emulator.close();
});

const makeStream = async (StreamName: string, ShardCount = 1) => {
  await client.createStream({ StreamName, ShardCount });
  await waitUntilStreamExists({ client, maxWaitTime: 10, minDelay: 1 }, { StreamName });
};
const put = (StreamName: string, values: readonly object[]) =>
  client.putRecords({
    StreamName,
    Records: values.map((value, index) => ({ PartitionKey: `k${index}`, Data: Buffer.from(JSON.stringify(value)) })),
  });

test.each(['polling', 'fan-out'])(
  'lifion-kinesis reads every record once through %s, with its leases in DynamoDB',
  {
    timeout: 60_000,
  },
  async (way) => {
    const streamName = `lifion-${way}`;
    await makeStream(streamName, 2);
    const values = Array.from({ length: 20 }, (_, n) => ({ n }));
    await put(streamName, values.slice(0, 10));
    const consumer = spawn(process.execPath, [
      '--no-warnings',
      program('lifion.mjs'),
      new URL(listener.url).port,
      streamName,
      way,
    ]);
    const ended = once(consumer, 'exit');
    let problems = '';
    consumer.stderr.on('data', (text: Buffer) => {
      problems += text.toString();
    });
    const found: number[] = [];
    createInterface(consumer.stdout).on('line', (line) => found.push((JSON.parse(line) as { n: number }).n));
    const numbers = () => (problems ? [problems] : found.toSorted((a, b) => a - b));
    try {
      await expect.poll(numbers, { timeout: 30_000 }).toEqual(values.slice(0, 10).map(({ n }) => n));
      await put(streamName, values.slice(10));
      await expect.poll(numbers, { timeout: 30_000 }).toEqual(values.map(({ n }) => n));
    } finally {
      consumer.kill('SIGKILL');
      await ended;
    }
  },
);

test('aws-kinesis-agg unpacks records that it has aggregated, and Firehose does too', async () => {
  const StreamName = 'aggregated';
  await makeStream(StreamName);
  const bucket = new S3(emulator.clientConfig());
  await bucket.createBucket({ Bucket: 'out' });
  const { StreamDescription } = await client.describeStream({ StreamName });
  const RoleARN = 'arn:aws:iam::000000000000:role/r';
  await new Firehose(emulator.clientConfig()).createDeliveryStream({
    DeliveryStreamName: 'from-stream',
    DeliveryStreamType: 'KinesisStreamAsSource',
    KinesisStreamSourceConfiguration: { KinesisStreamARN: StreamDescription!.StreamARN, RoleARN },
    ExtendedS3DestinationConfiguration: {
      RoleARN,
      BucketARN: 'arn:aws:s3:::out',
      BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 1 },
      ProcessingConfiguration: { Enabled: true, Processors: [{ Type: 'AppendDelimiterToRecord' }] },
    },
  });
  const values = ['a', 'bb', 'ü'];
  const data = await aggregate('put', ...values);
  await client.putRecord({ StreamName, PartitionKey: 'p', Data: Buffer.from(data, 'base64') });
  const { ShardIterator } = await client.getShardIterator({
    StreamName,
    ShardId: 'shardId-000000000000',
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records } = await client.getRecords({ ShardIterator });
  const found = await aggregate('take', Buffer.from(Records![0]!.Data!).toString('base64'));
  expect(JSON.parse(found)).toEqual(values.map((value) => [`of ${value}`, value]));
  const delivered = async () => {
    const { Contents = [] } = await bucket.listObjectsV2({ Bucket: 'out' });
    const bodies = Contents.map(async ({ Key }) =>
      (await bucket.getObject({ Bucket: 'out', Key: Key! })).Body!.transformToString(),
    );
    return (await Promise.all(bodies)).join('');
  };
  await expect.poll(delivered, { timeout: 15_000 }).toBe('a\nbb\nü\n');
});

test('the AWS SDK reads a shard through SubscribeToShard, and continues at its position', {
  timeout: 20_000,
}, async () => {
  const StreamName = 'subscribed';
  await makeStream(StreamName);
  const { StreamDescription } = await client.describeStream({ StreamName });
  const { Consumer } = await client.registerStreamConsumer({
    StreamARN: StreamDescription!.StreamARN,
    ConsumerName: 'reader',
  });
  // Over the network, as consumers do: HTTP/2 without TLS.
  const reader = new Kinesis({ region: 'us-east-1', endpoint: listener.url, credentials });
  const found: number[] = [];
  const read = async (wanted: number, position: object): Promise<string> => {
    const ending = new AbortController();
    const input = {
      ConsumerARN: Consumer!.ConsumerARN!,
      ShardId: 'shardId-000000000000',
      StartingPosition: position as never,
    };
    const { EventStream } = await reader.subscribeToShard(input, { abortSignal: ending.signal });
    for await (const { SubscribeToShardEvent: event } of EventStream!) {
      found.push(...(event?.Records ?? []).map(({ Data }) => JSON.parse(Buffer.from(Data!).toString()).n as number));
      if (found.length < wanted) continue;
      ending.abort();
      return event!.ContinuationSequenceNumber!;
    }
    throw new Error('the subscription has ended');
  };
  await put(StreamName, [{ n: 0 }, { n: 1 }]);
  const SequenceNumber = await read(2, { Type: 'TRIM_HORIZON' });
  await put(StreamName, [{ n: 2 }, { n: 3 }]);
  // A subscription can be replaced five seconds after its start.
  await expect
    .poll(() => read(4, { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }).then(() => found, String), {
      timeout: 10_000,
      interval: 500,
    })
    .toEqual([0, 1, 2, 3]);
  reader.destroy();
});
