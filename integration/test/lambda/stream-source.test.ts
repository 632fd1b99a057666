import { type AttributeValue, DynamoDB } from '@aws-sdk/client-dynamodb';
import type { CreateEventSourceMappingCommandInput } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { fakeService } from '@emu/gateway/testing';
import { manifest as dynamodbManifest, streamsManifest } from '@emu/svc-dynamodb/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';
import { ACCOUNT, REGION } from '../../../packages/svc-lambda/test/support.ts';

/** A fake Kinesis with shards filled by the tests. */
interface FakeShard {
  parent?: string;
  closed: boolean;
  records: { data: string; key: string; at: number }[];
}
const streams = new Map<string, Map<string, FakeShard>>();
const streamOf = (arn: unknown): Map<string, FakeShard> => streams.get(String(arn).split('/').at(-1)!)!;
const kinesis = fakeService('kinesis', {
  DescribeStreamSummary: () => ({ StreamDescriptionSummary: {} }),
  ListShards: ({ StreamARN }) => ({
    Shards: [...streamOf(StreamARN)].map(([ShardId, { parent }]) => ({
      ShardId,
      ...(parent !== undefined && { ParentShardId: parent }),
    })),
  }),
  GetShardIterator: ({ StreamARN, ShardId, ShardIteratorType: type, StartingSequenceNumber: after, Timestamp }) => {
    const { records } = streamOf(StreamARN).get(String(ShardId))!;
    const at = records.findIndex((record) => record.at >= ((Timestamp as Date | undefined)?.getTime() ?? 0));
    const positions: Record<string, number> = {
      TRIM_HORIZON: 0,
      LATEST: records.length,
      AT_TIMESTAMP: at < 0 ? records.length : at,
      AFTER_SEQUENCE_NUMBER: Number(after) + 1,
    };
    return { ShardIterator: `${ShardId} ${positions[String(type)]}` };
  },
  GetRecords: ({ StreamARN, ShardIterator, Limit }) => {
    const [id, from] = String(ShardIterator).split(' ') as [string, string];
    const { records, closed } = streamOf(StreamARN).get(id)!;
    const page = records.slice(Number(from), Number(from) + Number(Limit));
    const next = Number(from) + page.length;
    return {
      Records: page.map(({ data, key, at }, index) => ({
        SequenceNumber: String(Number(from) + index),
        ApproximateArrivalTimestamp: new Date(at),
        Data: Buffer.from(data),
        PartitionKey: key,
      })),
      ...(!(closed && next === records.length) && { NextShardIterator: `${id} ${next}` }),
    };
  },
});

let test: RunningTest;
let db: DynamoDB;
let sqs: SQS;
let s3: S3;
beforeAll(async () => {
  test = await startRunning({ manifests: [dynamodbManifest, streamsManifest, sqsManifest, s3Manifest, kinesis] });
  db = new DynamoDB(test.emulator.clientConfig());
  sqs = new SQS(test.emulator.clientConfig());
  s3 = new S3(test.emulator.clientConfig());
});
afterAll(() => test[Symbol.asyncDispose]());

let count = 0;
/** Creates a table with a stream. @returns the stream's ARN */
async function makeTable(): Promise<{ name: string; stream: string }> {
  const name = `table-${++count}`;
  const { TableDescription } = await db.createTable({
    TableName: name,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  return { name, stream: TableDescription!.LatestStreamArn! };
}
const put = (TableName: string, id: string, more: Record<string, AttributeValue> = {}) =>
  db.putItem({ TableName, Item: { id: { S: id }, ...more } });
function makeStream(shards: Record<string, FakeShard>): { arn: string; shards: Map<string, FakeShard> } {
  const name = `stream-${++count}`;
  const map = new Map(Object.entries(shards));
  streams.set(name, map);
  return { arn: `arn:aws:kinesis:${REGION}:${ACCOUNT}:stream/${name}`, shards: map };
}
const shardOf = (...data: string[]): FakeShard => ({
  closed: false,
  records: data.map((text) => ({ data: text, key: text, at: Date.now() })),
});

/** Creates a mapping from a stream to a function. */
const map = (name: string, EventSourceArn: string, input: Partial<CreateEventSourceMappingCommandInput> = {}) =>
  test.lambda.createEventSourceMapping({
    FunctionName: name,
    EventSourceArn,
    StartingPosition: 'TRIM_HORIZON',
    ...input,
  });

interface Run {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  payload: any;
  functionError?: string;
}
async function runsOf(name: string): Promise<Run[]> {
  const { json } = await test.emulator.control('GET', '/_emulator/lambda/invocations');
  const { invocations } = json as { invocations: (Run & { payload: string; functionName: string })[] };
  return invocations
    .filter(({ functionName }) => functionName === name)
    .map((run) => ({ ...run, payload: JSON.parse(run.payload) }));
}
async function runs(name: string, wanted: number): Promise<Run[]> {
  await expect.poll(async () => (await runsOf(name)).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(wanted);
  return runsOf(name);
}
const ids = ({ payload }: Run): string[] =>
  payload.Records.map((record: { dynamodb: { Keys: { id: { S: string } } } }) => record.dynamodb.Keys.id.S);
const data = ({ payload }: Run): string[] =>
  payload.Records.map((record: { kinesis: { data: string } }) => Buffer.from(record.kinesis.data, 'base64').toString());

const ANY = { 'index.js': 'exports.handler = async () => {};' };
/** Fails while a record with the id `bad` is in the batch. */
const PICKY = {
  'index.js': `exports.handler = async ({ Records }) => {
    if (Records.some(({ dynamodb }) => dynamodb.Keys.id.S === 'bad')) throw new Error('no');
  };`,
};

describe('a DynamoDB stream', () => {
  it("delivers every change in AWS's format, from the horizon or from now on", async () => {
    const { name, stream } = await makeTable();
    await put(name, 'early', { blob: { B: Uint8Array.of(1, 2) }, list: { L: [{ N: '1.5' }] } });
    const [all, late] = [await test.define(ANY), await test.define(ANY)];
    const made = await map(all, stream);
    expect(made).toMatchObject({ State: 'Creating', LastProcessingResult: 'No records processed', BatchSize: 100 });
    await map(late, stream, { StartingPosition: 'LATEST' });
    await db.deleteItem({ TableName: name, Key: { id: { S: 'early' } } });
    const [first] = (await runs(all, 1)).flatMap(({ payload }) => payload.Records);
    expect(first).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: REGION,
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { id: { S: 'early' } },
        NewImage: { id: { S: 'early' }, blob: { B: 'AQI=' }, list: { L: [{ N: '1.5' }] } },
        SequenceNumber: expect.stringMatching(/^\d{21,}$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      eventSourceARN: stream,
    });
    const [run] = await runs(late, 1);
    expect(run!.payload.Records).toMatchObject([{ eventName: 'REMOVE' }]);
    await expect
      .poll(async () => (await test.lambda.getEventSourceMapping({ UUID: made.UUID })).LastProcessingResult)
      .toBe('OK');
  });

  it('passes only changes that match the filters, in batches of the configured size', async () => {
    const { name, stream } = await makeTable();
    for (let n = 0; n < 6; n++) await put(name, `i${n}`, { n: { N: String(n) } });
    const fn = await test.define(ANY);
    const Pattern = JSON.stringify({ dynamodb: { NewImage: { n: { N: ['1', '3', '4', '5'] } } } });
    await map(fn, stream, { BatchSize: 3, FilterCriteria: { Filters: [{ Pattern }] } });
    await expect.poll(async () => (await runsOf(fn)).flatMap(ids)).toEqual(['i1', 'i3', 'i4', 'i5']);
    for (const run of await runsOf(fn)) expect(ids(run).length).toBeLessThanOrEqual(3);
  });

  it('collects records during the batching window', async () => {
    const { name, stream } = await makeTable();
    const fn = await test.define(ANY);
    await map(fn, stream, { MaximumBatchingWindowInSeconds: 1 });
    await put(name, 'a');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await put(name, 'b');
    expect(ids((await runs(fn, 1))[0]!)).toEqual(['a', 'b']);
  });

  it('retries a batch, bisects it, and reports dropped records', async () => {
    const { name, stream } = await makeTable();
    const { QueueUrl } = await sqs.createQueue({ QueueName: `failed-${count}` });
    const Destination = `arn:aws:sqs:${REGION}:${ACCOUNT}:failed-${count}`;
    for (const id of ['a', 'b', 'bad', 'd']) await put(name, id);
    const fn = await test.define(PICKY);
    const { UUID } = await map(fn, stream, {
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 1,
      DestinationConfig: { OnFailure: { Destination } },
    });
    const { Messages } = await sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 10 });
    expect(JSON.parse(Messages![0]!.Body!)).toEqual({
      requestContext: {
        requestId: expect.any(String),
        functionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${fn}`,
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 2,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: expect.any(String),
      DDBStreamBatchInfo: {
        shardId: expect.stringMatching(/^shardId-/),
        startSequenceNumber: expect.any(String),
        endSequenceNumber: expect.any(String),
        approximateArrivalOfFirstRecord: expect.any(String),
        approximateArrivalOfLastRecord: expect.any(String),
        batchSize: 1,
        streamArn: stream,
      },
    });
    await expect.poll(async () => (await runsOf(fn)).map((run) => ids(run).join()).at(-1)).toBe('d');
    expect((await runsOf(fn)).map((run) => ids(run).join())).toEqual(['a,b,bad,d', 'a,b', 'bad,d', 'bad', 'bad', 'd']);
    await expect.poll(async () => (await test.lambda.getEventSourceMapping({ UUID })).LastProcessingResult).toBe('OK');
  });

  it('continues at the first record that the function reports as failed', async () => {
    const { name, stream } = await makeTable();
    for (const id of ['a', 'b', 'c']) await put(name, id);
    const fn = await test.define({
      'index.js': `let failed = false;
        exports.handler = async ({ Records }) => {
          const b = Records.find(({ dynamodb }) => dynamodb.Keys.id.S === 'b');
          if (!b || failed) return;
          failed = true;
          return { batchItemFailures: [{ itemIdentifier: b.dynamodb.SequenceNumber }] };
        };`,
    });
    await map(fn, stream, { FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect((await runs(fn, 2)).map((run) => ids(run).join())).toEqual(['a,b,c', 'b,c']);
  });

  it('drops too old records, and writes their content to a bucket', async () => {
    const { name, stream } = await makeTable();
    const Bucket = `failed-${count}`;
    await s3.createBucket({ Bucket });
    await put(name, 'bad');
    const fn = await test.define(PICKY);
    const { UUID } = await map(fn, stream, {
      MaximumRecordAgeInSeconds: 60,
      DestinationConfig: { OnFailure: { Destination: `arn:aws:s3:::${Bucket}` } },
    });
    await runs(fn, 1);
    await test.emulator.kernel.clock.advance(120_000);
    const found = async () => (await s3.listObjectsV2({ Bucket })).Contents ?? [];
    await expect.poll(async () => (await found()).length, { timeout: 10_000 }).toBe(1);
    const [{ Key }] = (await found()) as [{ Key: string }];
    expect(Key).toMatch(new RegExp(`^aws/lambda/${UUID}/shardId-[^/]+/\\d{4}/\\d\\d/\\d\\d/`));
    const text = await (await s3.getObject({ Bucket, Key })).Body!.transformToString();
    const record = JSON.parse(text) as { requestContext: object; payload: string };
    expect(record.requestContext).toMatchObject({ condition: 'RecordAgeExceeded' });
    expect(JSON.parse(record.payload).Records).toMatchObject([{ dynamodb: { Keys: { id: { S: 'bad' } } } }]);
  });

  it('continues at its position after it was disabled, and delivers nothing of a deleted mapping', async () => {
    const { name, stream } = await makeTable();
    const fn = await test.define(ANY);
    const { UUID } = await map(fn, stream);
    await put(name, 'a');
    await runs(fn, 1);
    await test.lambda.updateEventSourceMapping({ UUID, Enabled: false });
    await put(name, 'b');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await runsOf(fn)).toHaveLength(1);
    await test.lambda.updateEventSourceMapping({ UUID, Enabled: true });
    expect((await runs(fn, 2)).map((run) => ids(run).join())).toEqual(['a', 'b']);
    await test.lambda.deleteEventSourceMapping({ UUID });
    await put(name, 'c');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await runsOf(fn)).toHaveLength(2);
  });
});

describe('a Kinesis stream', () => {
  it('is read shard by shard, child shards after their parents', async () => {
    const stream = makeStream({ 'shard-0': { ...shardOf('{"n":1}', 'text'), closed: true }, 'shard-1': shardOf('x') });
    stream.shards.set('shard-2', { ...shardOf('child'), parent: 'shard-0' });
    const fn = await test.define(ANY);
    await map(fn, stream.arn);
    const found = await runs(fn, 3);
    const events = found.flatMap(({ payload }) => payload.Records);
    expect(events.find(({ eventID }: { eventID: string }) => eventID === 'shard-0:0')).toEqual({
      kinesis: {
        kinesisSchemaVersion: '1.0',
        partitionKey: '{"n":1}',
        sequenceNumber: '0',
        data: Buffer.from('{"n":1}').toString('base64'),
        approximateArrivalTimestamp: expect.any(Number),
      },
      eventSource: 'aws:kinesis',
      eventVersion: '1.0',
      eventID: 'shard-0:0',
      eventName: 'aws:kinesis:record',
      invokeIdentityArn: expect.stringContaining(':role/'),
      awsRegion: REGION,
      eventSourceARN: stream.arn,
    });
    const order = found.flatMap(data);
    expect(order.indexOf('child')).toBeGreaterThan(order.indexOf('text'));
    expect([...order].sort()).toEqual(['child', 'text', 'x', '{"n":1}']);
  });

  it('starts at a timestamp; filters match JSON', async () => {
    const stream = makeStream({ 'shard-0': shardOf('{"a":1}', '{"a":2}', 'a') });
    stream.shards.get('shard-0')!.records[0]!.at = Date.now() - 60_000;
    const [since, filtered] = [await test.define(ANY), await test.define(ANY)];
    await map(since, stream.arn, {
      StartingPosition: 'AT_TIMESTAMP',
      StartingPositionTimestamp: new Date(Date.now() - 30_000),
    });
    const Pattern = JSON.stringify({ data: { a: [1, 2] } });
    await map(filtered, stream.arn, { FilterCriteria: { Filters: [{ Pattern }] } });
    await expect.poll(async () => (await runsOf(since)).flatMap(data)).toEqual(['{"a":2}', 'a']);
    await expect.poll(async () => (await runsOf(filtered)).flatMap(data)).toEqual(['{"a":1}', '{"a":2}']);
  });

  it('is processed by several batches concurrently, each key in its order', async () => {
    const records = Array.from({ length: 40 }, (_, n) => ({
      data: `${n % 4}:${n}`,
      key: `key-${n % 4}`,
      at: Date.now(),
    }));
    const stream = makeStream({ 'shard-0': { closed: false, records } });
    const fn = await test.define({
      'index.js': 'exports.handler = () => new Promise((resolve) => setTimeout(resolve, 20));',
    });
    await map(fn, stream.arn, { BatchSize: 5, ParallelizationFactor: 4 });
    await expect.poll(async () => (await runsOf(fn)).flatMap(data).length, { timeout: 15_000 }).toBe(40);
    for (const key of ['0', '1', '2', '3']) {
      const mine = (await runsOf(fn)).flatMap(data).filter((text) => text.startsWith(`${key}:`));
      const numbers = mine.map((text) => Number(text.slice(2)));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });

  it('is aggregated over tumbling windows, which pass their state on', async () => {
    const start = Math.floor(Date.now() / 10_000) * 10_000 - 20_000;
    const at = (text: string, seconds: number) => ({ data: text, key: 'k', at: start + seconds * 1000 });
    const stream = makeStream({
      'shard-0': { closed: false, records: [at('1', 0), at('2', 1), at('3', 2), at('10', 11)] },
    });
    const fn = await test.define({
      'index.js': `exports.handler = async ({ Records, state, isFinalInvokeForWindow }) => {
        let sum = state.sum ?? 0;
        for (const { kinesis } of Records) sum += Number(Buffer.from(kinesis.data, 'base64').toString());
        return { state: { sum }, final: isFinalInvokeForWindow };
      };`,
    });
    await map(fn, stream.arn, { BatchSize: 2, TumblingWindowInSeconds: 10 });
    const found = await runs(fn, 5);
    const window = (from: number) => ({
      start: new Date(start + from * 1000).toISOString(),
      end: new Date(start + (from + 10) * 1000).toISOString(),
    });
    expect(found.map(({ payload: { Records, ...rest } }) => ({ count: Records.length, ...rest }))).toMatchObject([
      { count: 2, window: window(0), state: {}, isFinalInvokeForWindow: false, shardId: 'shard-0' },
      { count: 1, window: window(0), state: { sum: 3 }, isFinalInvokeForWindow: false },
      { count: 0, window: window(0), state: { sum: 6 }, isFinalInvokeForWindow: true },
      { count: 1, window: window(10), state: {}, isFinalInvokeForWindow: false },
      { count: 0, window: window(10), state: { sum: 10 }, isFinalInvokeForWindow: true },
    ]);
  });
});
