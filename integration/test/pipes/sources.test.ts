import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { S3 } from '@aws-sdk/client-s3';
import { manifest as cloudwatchManifest } from '@emu/svc-cloudwatch/manifest';
import { manifest as dynamodbManifest, streamsManifest } from '@emu/svc-dynamodb/manifest';
import { manifest as kinesisManifest } from '@emu/svc-kinesis/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ACCOUNT, arn, type PipesTest, ROLE, startPipes } from './support.ts';

let t: PipesTest;
beforeAll(async () => {
  t = await startPipes({
    manifests: [cloudwatchManifest, dynamodbManifest, streamsManifest, kinesisManifest, logsManifest, s3Manifest],
  });
});
afterAll(() => t[Symbol.asyncDispose]());

let made = 0;
/** An invocation of a function with its result. */
const makeFunction = (answer?: (event: never) => unknown): { name: string; arn: string } => {
  const name = `f${++made}`;
  if (answer) t.functions.set(name, answer);
  return { name, arn: arn('lambda', `function:${name}`) };
};
const eventsOf = (name: string): unknown[] => (t.calls.get(name) ?? []).map(({ event }) => event);
const send = (QueueUrl: string, ...bodies: unknown[]) =>
  t.sqs.sendMessageBatch({
    QueueUrl,
    Entries: bodies.map((body, index) => ({ Id: String(index), MessageBody: JSON.stringify(body) })),
  });
const countOf = async (QueueUrl: string) => {
  const { Attributes } = await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
  return Number(Attributes!.ApproximateNumberOfMessages) + Number(Attributes!.ApproximateNumberOfMessagesNotVisible);
};

describe('a queue', () => {
  test('is read in batches; messages that the filter rejects are deleted', async () => {
    const source = await t.queue();
    const target = makeFunction();
    await send(source.url, { kind: 'a', n: 1 }, { kind: 'b', n: 2 }, { kind: 'a', n: 3 });
    await t.run({
      Source: source.arn,
      Target: target.arn,
      SourceParameters: { FilterCriteria: { Filters: [{ Pattern: '{"body":{"kind":["a"]}}' }] } },
      TargetParameters: { InputTemplate: '<$.body.n>' },
    });
    await vi.waitFor(() => expect(eventsOf(target.name).flat().sort()).toEqual([1, 3]));
    await vi.waitFor(async () => expect(await countOf(source.url)).toBe(0));
  });

  test('keeps messages that the target reports as failed, and all after a failure', async () => {
    const source = await t.queue({ VisibilityTimeout: '3600' });
    const target = makeFunction((records: { messageId: string; body: string }[]) => ({
      batchItemFailures: records
        .filter(({ body }) => body === '"bad"')
        .map(({ messageId }) => ({ itemIdentifier: messageId })),
    }));
    await t.run({ Source: source.arn, Target: target.arn });
    await send(source.url, 'good', 'bad');
    await vi.waitFor(() => expect(eventsOf(target.name).flat()).toHaveLength(2));
    await vi.waitFor(async () => expect(await countOf(source.url)).toBe(1));
    const broken = makeFunction(() => {
      throw new Error('broken');
    });
    const other = await t.queue({ VisibilityTimeout: '3600' });
    await t.run({ Source: other.arn, Target: broken.arn });
    await send(other.url, 1);
    await vi.waitFor(() => expect(eventsOf(broken.name)).toHaveLength(1));
    expect(await countOf(other.url)).toBe(1);
  });

  test('is enriched once per batch; an empty response skips the target', async () => {
    const source = await t.queue();
    const enrichment = makeFunction((records: { body: string }[]) =>
      records.filter(({ body }) => body !== '"none"').map(({ body }) => ({ was: body })),
    );
    const target = await t.queue();
    await send(source.url, 'none');
    await t.run({ Source: source.arn, Target: target.arn, Enrichment: enrichment.arn });
    await vi.waitFor(async () => expect(await countOf(source.url)).toBe(0));
    await send(source.url, 'some');
    expect(await t.received(target.url)).toEqual([{ was: '"some"' }]);
    expect(eventsOf(enrichment.name)).toHaveLength(2);
  });

  test('of type FIFO stays in order', async () => {
    const source = await t.queue({ FifoQueue: 'true', ContentBasedDeduplication: 'true' });
    const target = makeFunction();
    for (const n of [1, 2, 3])
      await t.sqs.sendMessage({ QueueUrl: source.url, MessageBody: String(n), MessageGroupId: 'g' });
    await t.run({ Source: source.arn, Target: target.arn, TargetParameters: { InputTemplate: '<$.body>' } });
    await vi.waitFor(() => expect(eventsOf(target.name).flat()).toEqual(['1', '2', '3']));
  });
});

describe('a stream', () => {
  async function makeStream(): Promise<{ arn: string; put(...data: unknown[]): Promise<void> }> {
    const kinesis = new Kinesis(t.emulator.clientConfig());
    const StreamName = `s${++made}`;
    await kinesis.createStream({ StreamName, ShardCount: 1 });
    await vi.waitFor(async () => {
      const { StreamDescriptionSummary } = await kinesis.describeStreamSummary({ StreamName });
      expect(StreamDescriptionSummary!.StreamStatus).toBe('ACTIVE');
    });
    return {
      arn: arn('kinesis', `stream/${StreamName}`),
      put: async (...data) => {
        const Records = data.map((item) => ({ Data: Buffer.from(JSON.stringify(item)), PartitionKey: 'k' }));
        await kinesis.putRecords({ StreamName, Records });
      },
    };
  }

  test("of Kinesis has the record's members at the top level", async () => {
    const stream = await makeStream();
    const target = makeFunction();
    await stream.put({ n: 1 });
    await t.run({
      Source: stream.arn,
      Target: target.arn,
      SourceParameters: {
        KinesisStreamParameters: { StartingPosition: 'TRIM_HORIZON' },
        FilterCriteria: { Filters: [{ Pattern: '{"data":{"n":[{"exists":true}]}}' }] },
      },
    });
    await stream.put({ other: 1 }, { n: 2 });
    await vi.waitFor(() =>
      expect(eventsOf(target.name).flat()).toMatchObject([
        { eventSource: 'aws:kinesis', partitionKey: 'k', data: Buffer.from('{"n":1}').toString('base64') },
        { data: Buffer.from('{"n":2}').toString('base64') },
      ]),
    );
  });

  test('is retried, bisected, and reported to the dead-letter queue', async () => {
    const stream = await makeStream();
    const dead = await t.queue();
    const target = makeFunction((records: { n: number; id: string }[]) => ({
      batchItemFailures: records.filter(({ n }) => n === 2).map(({ id }) => ({ itemIdentifier: id })),
    }));
    await stream.put({ n: 1 }, { n: 2 }, { n: 3 });
    const name = await t.run({
      Source: stream.arn,
      Target: target.arn,
      SourceParameters: {
        KinesisStreamParameters: {
          StartingPosition: 'TRIM_HORIZON',
          MaximumRetryAttempts: 0,
          OnPartialBatchItemFailure: 'AUTOMATIC_BISECT',
          DeadLetterConfig: { Arn: dead.arn },
        },
      },
      TargetParameters: { InputTemplate: '{"n": <$.data.n>, "id": "<$.sequenceNumber>"}' },
    });
    expect(await t.received(dead.url)).toMatchObject([
      {
        context: {
          partnerResourceArn: arn('pipes', `pipe/${name}`),
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 1,
        },
        KinesisBatchInfo: { batchSize: 1, streamArn: stream.arn },
      },
    ]);
    const taken = () => eventsOf(target.name).map((event) => (event as { n: number }[]).map(({ n }) => n));
    await vi.waitFor(() => expect(taken()).toEqual([[1, 2, 3], [2], [3]]));
  });

  test('of a table continues at its position after the pipe was stopped', async () => {
    const db = new DynamoDB(t.emulator.clientConfig());
    const TableName = `t${++made}`;
    const { TableDescription } = await db.createTable({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    });
    const target = makeFunction();
    const Name = await t.run({
      Source: TableDescription!.LatestStreamArn!,
      Target: target.arn,
      SourceParameters: { DynamoDBStreamParameters: { StartingPosition: 'LATEST' } },
      TargetParameters: { InputTemplate: '"<$.dynamodb.NewImage.id.S>"' },
    });
    const put = (id: string) => db.putItem({ TableName, Item: { id: { S: id } } });
    await put('a');
    await vi.waitFor(() => expect(eventsOf(target.name).flat()).toEqual(['a']));
    await t.pipes.stopPipe({ Name });
    const state = async () => (await t.pipes.describePipe({ Name })).CurrentState;
    await vi.waitFor(async () => expect(await state()).toBe('STOPPED'));
    await put('b');
    await t.pipes.startPipe({ Name });
    await vi.waitFor(() => expect(eventsOf(target.name).flat()).toEqual(['a', 'b']), { timeout: 3000 });
  });
});

test('executions are logged by level, with their data, and counted', async () => {
  const logs = new CloudWatchLogs(t.emulator.clientConfig());
  const s3 = new S3(t.emulator.clientConfig());
  await logs.createLogGroup({ logGroupName: 'pipe-log' });
  await s3.createBucket({ Bucket: 'pipe-log' });
  const source = await t.queue();
  const target = makeFunction(() => 'done');
  const LogConfiguration = {
    Level: 'TRACE' as const,
    IncludeExecutionData: ['ALL' as const],
    CloudwatchLogsLogDestination: { LogGroupArn: arn('logs', 'log-group:pipe-log') },
    S3LogDestination: { BucketName: 'pipe-log', BucketOwner: ACCOUNT, Prefix: 'pre' },
  };
  const name = await t.run({
    Source: source.arn,
    Target: target.arn,
    LogConfiguration,
    TargetParameters: { InputTemplate: '<$.body>' },
  });
  await send(source.url, { n: 1 });
  const lines = await vi.waitFor(async () => {
    const { events } = await logs.getLogEvents({ logGroupName: 'pipe-log', logStreamName: name, startFromHead: true });
    expect(events).toHaveLength(8);
    return events!.map(({ message }) => JSON.parse(message!) as Record<string, string>);
  });
  expect(lines.map(({ messageType, logLevel }) => [messageType, logLevel])).toEqual([
    ['EXECUTION_STARTED', 'INFO'],
    ['TARGET_STAGE_ENTERED', 'INFO'],
    ['TARGET_TRANSFORMATION_STARTED', 'TRACE'],
    ['TARGET_TRANSFORMATION_SUCCEEDED', 'TRACE'],
    ['TARGET_INVOCATION_STARTED', 'TRACE'],
    ['TARGET_INVOCATION_SUCCEEDED', 'TRACE'],
    ['TARGET_STAGE_EXITED', 'INFO'],
    ['EXECUTION_SUCCEEDED', 'INFO'],
  ]);
  expect(lines[4]).toMatchObject({ awsRequest: '[{"n":1}]', resourceArn: arn('pipes', `pipe/${name}`) });
  await vi.waitFor(async () => {
    const { Contents } = await s3.listObjectsV2({ Bucket: 'pipe-log', Prefix: 'pre/AWSLogs/' });
    expect(Contents).toHaveLength(1);
  });

  // Formats other than JSON have the fields in order, in W3C's format below a line with their names.
  const { S3LogDestination } = LogConfiguration;
  await t.pipes.updatePipe({
    Name: name,
    RoleArn: ROLE,
    LogConfiguration: {
      ...LogConfiguration,
      S3LogDestination: { ...S3LogDestination, Prefix: 'w3c', OutputFormat: 'w3c' },
    },
  });
  await vi.waitFor(async () => expect((await t.pipes.describePipe({ Name: name })).CurrentState).toBe('RUNNING'));
  await send(source.url, { n: 2 });
  const text = await vi.waitFor(async () => {
    const { Contents } = await s3.listObjectsV2({ Bucket: 'pipe-log', Prefix: 'w3c/' });
    const { Body } = await s3.getObject({ Bucket: 'pipe-log', Key: Contents![0]!.Key! });
    return Body!.transformToString();
  });
  const [version, fields, ...rows] = text.trimEnd().split('\n');
  expect([version, fields?.slice(0, 30)]).toEqual(['#Version: 1.0', '#Fields: resourceArn timestamp']);
  expect(rows.map((row) => row.split('\t')[3])).toEqual(lines.map(({ messageType }) => messageType));
  expect(rows[4]!.split('\t').slice(6)).toEqual(['[{"n":2}]', '-', '-', '-']);

  const { Metrics } = await new CloudWatch(t.emulator.clientConfig()).listMetrics({
    Namespace: 'AWS/EventBridge/Pipes',
    MetricName: 'Invocations',
  });
  expect(Metrics!.map(({ Dimensions }) => Dimensions!.find(({ Name }) => Name === 'PipeName')!.Value)).toContain(name);
});
