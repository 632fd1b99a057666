import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Firehose } from '@aws-sdk/client-firehose';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { Lambda } from '@aws-sdk/client-lambda';
import { type MetricsFilter, S3 } from '@aws-sdk/client-s3';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as cloudwatchManifest } from '@emu/svc-cloudwatch/manifest';
import { manifest as dynamodbManifest } from '@emu/svc-dynamodb/manifest';
import { manifest as eventsManifest } from '@emu/svc-events/manifest';
import { manifest as firehoseManifest } from '@emu/svc-firehose/manifest';
import { manifest as kinesisManifest } from '@emu/svc-kinesis/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const ACCOUNT = '000000000000';
const REGION = 'us-east-1';
const arnOf = (service: string, name: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${name}`;

let emulator: TestEmulator;
let cloudwatch: CloudWatch;
let sqs: SQS;
let sns: SNS;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [
      dynamodbManifest,
      lambdaManifest,
      sqsManifest,
      snsManifest,
      eventsManifest,
      cloudwatchManifest,
      logsManifest,
      kinesisManifest,
      firehoseManifest,
      s3Manifest,
    ],
    settings: {
      accountId: ACCOUNT,
      region: REGION,
    },
  });
  emulator.kernel.clock.freeze();
  const config = emulator.clientConfig();
  cloudwatch = new CloudWatch(config);
  sqs = new SQS(config);
  sns = new SNS(config);
});
afterAll(() => emulator[Symbol.asyncDispose]());

/** Waits for a condition on background work, such as deliveries. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 });
const advance = (seconds: number) => emulator.kernel.clock.advance(seconds * 1000);
/** Returns sum and sample count of a metric over the last hour. */
async function metric(Namespace: string, MetricName: string, dimensions: Record<string, string>) {
  const now = emulator.kernel.clock.now();
  const { Datapoints } = await cloudwatch.getMetricStatistics({
    Namespace,
    MetricName,
    Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
    StartTime: new Date(now - 3_600_000),
    EndTime: new Date(now + 60_000),
    Period: 3600 * 24,
    Statistics: ['Sum', 'SampleCount'],
  });
  return Datapoints!.map(({ Sum, SampleCount }) => [Sum, SampleCount])[0];
}

describe('metrics of SQS', () => {
  it('are recorded before CloudWatch is loaded', async () => {
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'counted' });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'hello' });
    expect(emulator.kernel.loadedService('cloudwatch')).toBeUndefined();
    await advance(90);
    await sqs.sendMessage({ QueueUrl, MessageBody: 'hello, too' });
    const { Messages } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: Messages![0]!.ReceiptHandle });
    await sqs.receiveMessage({ QueueUrl });
    const queue = { QueueName: 'counted' };
    expect(await metric('AWS/SQS', 'NumberOfMessagesSent', queue)).toEqual([2, 2]);
    expect(await metric('AWS/SQS', 'SentMessageSize', queue)).toEqual([15, 2]);
    expect(await metric('AWS/SQS', 'NumberOfMessagesReceived', queue)).toEqual([2, 1]);
    expect(await metric('AWS/SQS', 'NumberOfMessagesDeleted', queue)).toEqual([1, 1]);
    expect(await metric('AWS/SQS', 'NumberOfEmptyReceives', queue)).toEqual([1, 1]);
    expect(await metric('AWS/SQS', 'ApproximateNumberOfMessagesNotVisible', queue)).toEqual([1, 1]);
    expect(await metric('AWS/SQS', 'ApproximateNumberOfMessagesVisible', queue)).toEqual([0, 1]);
  });

  it('trigger an alarm on the depth of a dead-letter queue, which notifies its topic', async () => {
    const { QueueUrl: alerts } = await sqs.createQueue({ QueueName: 'alerts' });
    const { TopicArn } = await sns.createTopic({ Name: 'alarms' });
    await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: arnOf('sqs', 'alerts') });
    await sqs.createQueue({ QueueName: 'work-dlq' });
    const { QueueUrl } = await sqs.createQueue({
      QueueName: 'work',
      Attributes: {
        VisibilityTimeout: '0',
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf('sqs', 'work-dlq'), maxReceiveCount: 1 }),
      },
    });
    await cloudwatch.putMetricAlarm({
      AlarmName: 'dead-letters',
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: 'work-dlq' }],
      Statistic: 'Maximum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      AlarmActions: [TopicArn!],
    });
    const state = async () =>
      (await cloudwatch.describeAlarms({ AlarmNames: ['dead-letters'] })).MetricAlarms![0]!.StateValue;
    await advance(60);
    expect(await state()).toBe('OK');
    await sqs.sendMessage({ QueueUrl, MessageBody: 'poison' });
    await sqs.receiveMessage({ QueueUrl });
    await sqs.receiveMessage({ QueueUrl });
    await advance(60);
    expect(await state()).toBe('ALARM');
    const received: string[] = [];
    await eventually(async () => {
      const { Messages } = await sqs.receiveMessage({ QueueUrl: alerts });
      received.push(...(Messages ?? []).map(({ Body }) => Body!));
      expect(received).toHaveLength(1);
    });
    const { Subject, Message } = JSON.parse(received[0]!);
    expect(Subject).toBe('ALARM: "dead-letters" in US East (N. Virginia)');
    expect(JSON.parse(Message)).toMatchObject({
      AlarmName: 'dead-letters',
      OldStateValue: 'OK',
      NewStateValue: 'ALARM',
    });
    await sqs.purgeQueue({ QueueUrl: 'work-dlq' });
    await advance(240);
    expect(await state()).toBe('OK');
  });
});

describe('metrics of Lambda', () => {
  it('count invocations and errors, by the function and its resource', async () => {
    const lambda = new Lambda(emulator.clientConfig());
    const FunctionName = 'counted';
    await lambda.createFunction({
      FunctionName,
      Role: `arn:aws:iam::${ACCOUNT}:role/app`,
      Runtime: 'nodejs20.x',
      Handler: 'index.handler',
      Code: {
        ZipFile: zipOf({ 'index.js': "exports.handler = async ({ ok }) => { if (!ok) throw new Error('no'); };" }),
      },
    });
    for (const ok of [true, false]) await lambda.invoke({ FunctionName, Payload: JSON.stringify({ ok }) });
    expect(await metric('AWS/Lambda', 'Invocations', { FunctionName })).toEqual([2, 2]);
    expect(await metric('AWS/Lambda', 'Errors', { FunctionName, Resource: FunctionName })).toEqual([1, 2]);
    expect(await metric('AWS/Lambda', 'Throttles', { FunctionName })).toEqual([0, 2]);
    await lambda.putFunctionConcurrency({ FunctionName, ReservedConcurrentExecutions: 0 });
    await expect(lambda.invoke({ FunctionName })).rejects.toThrow('Rate Exceeded.');
    expect(await metric('AWS/Lambda', 'Throttles', { FunctionName })).toEqual([1, 3]);
    expect(await metric('AWS/Lambda', 'Invocations', { FunctionName })).toEqual([2, 2]);
  });
});

describe('metrics of DynamoDB', () => {
  it('contain the capacity that requests consume', async () => {
    const dynamodb = new DynamoDB(emulator.clientConfig());
    const TableName = 'counted';
    await dynamodb.createTable({
      TableName,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    await dynamodb.putItem({ TableName, Item: { id: { S: 'a' }, text: { S: 'x'.repeat(2000) } } });
    await dynamodb.getItem({ TableName, Key: { id: { S: 'a' } }, ConsistentRead: true });
    await dynamodb.getItem({ TableName, Key: { id: { S: 'a' } } });
    expect(await metric('AWS/DynamoDB', 'ConsumedWriteCapacityUnits', { TableName })).toEqual([2, 1]);
    expect(await metric('AWS/DynamoDB', 'ConsumedReadCapacityUnits', { TableName })).toEqual([1.5, 2]);
    const refused = dynamodb.putItem({
      TableName,
      Item: { id: { S: 'a' } },
      ConditionExpression: 'attribute_not_exists(id)',
    });
    await expect(refused).rejects.toThrow();
    expect(await metric('AWS/DynamoDB', 'ConditionalCheckFailedRequests', { TableName })).toEqual([1, 1]);
    await dynamodb.scan({ TableName });
    expect(await metric('AWS/DynamoDB', 'ReturnedItemCount', { Operation: 'Scan', TableName })).toEqual([1, 1]);
    const latency = { Operation: 'GetItem', TableName };
    expect(await metric('AWS/DynamoDB', 'SuccessfulRequestLatency', latency)).toEqual([0, 2]);
    expect(await metric('AWS/DynamoDB', 'UserErrors', {})).toBeUndefined();
    await expect(dynamodb.getItem({ TableName, Key: { other: { S: 'a' } } })).rejects.toThrow();
    expect(await metric('AWS/DynamoDB', 'UserErrors', {})).toEqual([1, 1]);
  });
});

describe('metrics of SNS and EventBridge', () => {
  it('count messages, notifications and rule invocations', async () => {
    const events = new EventBridge(emulator.clientConfig());
    const { TopicArn } = await sns.createTopic({ Name: 'counted' });
    await sqs.createQueue({ QueueName: 'subscriber' });
    await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: arnOf('sqs', 'subscriber') });
    await sns.publish({ TopicArn, Message: 'hello' });
    const topic = { TopicName: 'counted' };
    expect(await metric('AWS/SNS', 'NumberOfMessagesPublished', topic)).toEqual([1, 1]);
    expect(await metric('AWS/SNS', 'PublishSize', topic)).toEqual([5, 1]);
    expect(await metric('AWS/SNS', 'NumberOfNotificationsDelivered', topic)).toEqual([1, 1]);
    await events.putRule({ Name: 'counted', EventPattern: JSON.stringify({ source: ['app'] }) });
    await events.putTargets({ Rule: 'counted', Targets: [{ Id: 't', Arn: arnOf('sqs', 'subscriber') }] });
    await events.putEvents({ Entries: [{ Source: 'app', DetailType: 'x', Detail: '{}' }] });
    await eventually(async () =>
      expect(await metric('AWS/Events', 'Invocations', { RuleName: 'counted' })).toEqual([1, 1]),
    );
    expect(await metric('AWS/Events', 'MatchedEvents', { RuleName: 'counted' })).toEqual([1, 1]);
    expect(await metric('AWS/Events', 'SuccessfulInvocationAttempts', { RuleName: 'counted' })).toEqual([1, 1]);
  });

  it('contain the reasons of filtered messages', async () => {
    const { TopicArn } = await sns.createTopic({ Name: 'filtered' });
    await sqs.createQueue({ QueueName: 'by-attribute' });
    await sqs.createQueue({ QueueName: 'by-body' });
    const FilterPolicy = '{"kind":["order"]}';
    const subscribe = (queue: string, FilterPolicyScope: string) =>
      sns.subscribe({
        TopicArn,
        Protocol: 'sqs',
        Endpoint: arnOf('sqs', queue),
        Attributes: { FilterPolicy, FilterPolicyScope },
      });
    await subscribe('by-attribute', 'MessageAttributes');
    await subscribe('by-body', 'MessageBody');
    const kind = (StringValue: string, DataType = 'String') => ({ kind: { DataType, StringValue } });
    await sns.publish({ TopicArn, Message: 'text' });
    await sns.publish({ TopicArn, Message: '{"kind":"order"}', MessageAttributes: kind('user') });
    await sns.publish({ TopicArn, Message: '{"kind":"user"}', MessageAttributes: kind('order') });
    const topic = { TopicName: 'filtered' };
    expect(await metric('AWS/SNS', 'NumberOfNotificationsFilteredOut', topic)).toEqual([4, 4]);
    for (const reason of ['NoMessageAttributes', 'InvalidMessageBody', 'MessageAttributes', 'MessageBody'])
      expect(await metric('AWS/SNS', `NumberOfNotificationsFilteredOut-${reason}`, topic)).toEqual([1, 1]);
  });

  it('count messages in dead-letter queues', async () => {
    const events = new EventBridge(emulator.clientConfig());
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'buried' });
    const dead = arnOf('sqs', 'buried');
    const { TopicArn } = await sns.createTopic({ Name: 'failing' });
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead });
    await sns.subscribe({
      TopicArn,
      Protocol: 'sqs',
      Endpoint: arnOf('sqs', 'absent'),
      Attributes: { RedrivePolicy },
    });
    await sns.publish({ TopicArn, Message: 'lost' });
    await events.putRule({ Name: 'failing', EventPattern: JSON.stringify({ source: ['lost'] }) });
    await events.putTargets({
      Rule: 'failing',
      Targets: [{ Id: 't', Arn: arnOf('sqs', 'absent'), DeadLetterConfig: { Arn: dead } }],
    });
    await events.putEvents({ Entries: [{ Source: 'lost', DetailType: 'x', Detail: '{}' }] });
    const topic = { TopicName: 'failing' };
    await eventually(async () => {
      expect(await metric('AWS/SNS', 'NumberOfNotificationsRedrivenToDlq', topic)).toEqual([1, 1]);
      expect(await metric('AWS/Events', 'InvocationsSentToDlq', { RuleName: 'failing' })).toEqual([1, 1]);
    });
    expect(await metric('AWS/SNS', 'NumberOfNotificationsFailed', topic)).toEqual([1, 1]);
    expect((await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 })).Messages).not.toHaveLength(0);
  });

  it('notify rules about alarms', async () => {
    const events = new EventBridge(emulator.clientConfig());
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'states' });
    const pattern = {
      source: ['aws.cloudwatch'],
      'detail-type': ['CloudWatch Alarm State Change'],
      detail: { state: { value: ['ALARM'] } },
    };
    await events.putRule({ Name: 'states', EventPattern: JSON.stringify(pattern) });
    await events.putTargets({ Rule: 'states', Targets: [{ Id: 't', Arn: arnOf('sqs', 'states') }] });
    await cloudwatch.setAlarmState({ AlarmName: 'dead-letters', StateValue: 'ALARM', StateReason: 'by hand' });
    await eventually(async () => {
      const { Messages } = await sqs.receiveMessage({ QueueUrl });
      expect(JSON.parse(Messages![0]!.Body!).detail).toMatchObject({
        alarmName: 'dead-letters',
        state: { reason: 'by hand' },
      });
    });
  });

  it('are returned by the control route', async () => {
    const { json } = await emulator.control('GET', '/_emulator/cloudwatch/metrics');
    const shown = (json as { metrics: { metricName: string; dimensions: { value: string }[] }[] }).metrics;
    expect(
      shown.find(
        ({ metricName, dimensions: [queue] }) => metricName === 'SentMessageSize' && queue!.value === 'counted',
      ),
    ).toMatchObject({
      accountId: ACCOUNT,
      region: REGION,
      namespace: 'AWS/SQS',
      dimensions: [{ name: 'QueueName', value: 'counted' }],
      datapointCount: 2,
      latest: { unit: 'Bytes', value: 10 },
    });
  });
});

it('CloudWatch Logs reports incoming data of a group, and of the account', async () => {
  const logs = new CloudWatchLogs(emulator.clientConfig());
  await logs.createLogGroup({ logGroupName: 'counted' });
  await logs.createLogStream({ logGroupName: 'counted', logStreamName: 's' });
  const timestamp = emulator.kernel.clock.now();
  const logEvents = ['one', 'seven'].map((message) => ({ timestamp, message }));
  await logs.putLogEvents({ logGroupName: 'counted', logStreamName: 's', logEvents });
  const group = { LogGroupName: 'counted' };
  expect(await metric('AWS/Logs', 'IncomingLogEvents', group)).toEqual([2, 1]);
  expect(await metric('AWS/Logs', 'IncomingBytes', group)).toEqual([8, 1]);
  expect((await metric('AWS/Logs', 'IncomingLogEvents', {}))![0]).toBeGreaterThanOrEqual(2);
  const kinesis = new Kinesis(emulator.clientConfig());
  await kinesis.createStream({ StreamName: 'forwarded', ShardCount: 1 });
  const subscription = { logGroupName: 'counted', filterName: 'all', filterPattern: '' };
  const role = { roleArn: `arn:aws:iam::${ACCOUNT}:role/logs` };
  await logs.putSubscriptionFilter({ ...subscription, ...role, destinationArn: arnOf('kinesis', 'stream/forwarded') });
  await logs.putLogEvents({ logGroupName: 'counted', logStreamName: 's', logEvents });
  const filter = { DestinationType: 'Kinesis', FilterName: 'all', ...group };
  await eventually(async () => expect((await metric('AWS/Logs', 'ForwardedLogEvents', filter))?.[0]).toBe(2));
  expect((await metric('AWS/Logs', 'ForwardedBytes', filter))![0]).toBeGreaterThan(20);
});

it('Kinesis reports records written to and read from a stream', async () => {
  const kinesis = new Kinesis(emulator.clientConfig());
  await kinesis.createStream({ StreamName: 'counted', ShardCount: 1 });
  const record = { Data: Buffer.from('123'), PartitionKey: 'k' };
  await kinesis.putRecord({ StreamName: 'counted', ...record });
  await kinesis.putRecords({ StreamName: 'counted', Records: [record, record] });
  const shard = { StreamName: 'counted', ShardId: '0', ShardIteratorType: 'TRIM_HORIZON' as const };
  await kinesis.getRecords({ ShardIterator: (await kinesis.getShardIterator(shard)).ShardIterator });
  const stream = { StreamName: 'counted' };
  expect(await metric('AWS/Kinesis', 'IncomingRecords', stream)).toEqual([3, 2]);
  expect(await metric('AWS/Kinesis', 'IncomingBytes', stream)).toEqual([12, 2]);
  expect(await metric('AWS/Kinesis', 'PutRecords.ThrottledRecords', stream)).toEqual([0, 1]);
  expect(await metric('AWS/Kinesis', 'GetRecords.Records', stream)).toEqual([3, 1]);
  expect(await metric('AWS/Kinesis', 'GetRecords.IteratorAgeMilliseconds', stream)).toEqual([0, 1]);
});

it('Firehose reports incoming records and deliveries of a stream', async () => {
  const firehose = new Firehose(emulator.clientConfig());
  await new S3(emulator.clientConfig()).createBucket({ Bucket: 'counted' });
  await firehose.createDeliveryStream({
    DeliveryStreamName: 'counted',
    ExtendedS3DestinationConfiguration: {
      BucketARN: 'arn:aws:s3:::counted',
      RoleARN: `arn:aws:iam::${ACCOUNT}:role/delivery`,
      BufferingHints: { IntervalInSeconds: 60, SizeInMBs: 1 },
    },
  });
  await firehose.putRecord({ DeliveryStreamName: 'counted', Record: { Data: Buffer.from('hello') } });
  await advance(61);
  const stream = { DeliveryStreamName: 'counted' };
  await eventually(async () => expect(await metric('AWS/Firehose', 'DeliveryToS3.Success', stream)).toEqual([1, 1]));
  expect(await metric('AWS/Firehose', 'IncomingRecords', stream)).toEqual([1, 1]);
  expect(await metric('AWS/Firehose', 'DeliveryToS3.Bytes', stream)).toEqual([5, 1]);
  expect((await metric('AWS/Firehose', 'DeliveryToS3.DataFreshness', stream))![0]).toBeGreaterThanOrEqual(60);
});

describe('metrics of S3', () => {
  it('cover requests that match the metrics configurations of a bucket', async () => {
    const s3 = new S3(emulator.clientConfig());
    const Bucket = 'measured';
    await s3.createBucket({ Bucket });
    await s3.putObject({ Bucket, Key: 'before', Body: 'x' });
    const put = (Id: string, Filter?: MetricsFilter) =>
      s3.putBucketMetricsConfiguration({ Bucket, Id, MetricsConfiguration: { Id, Filter } });
    await put('EntireBucket');
    await put('logs', { Prefix: 'logs/' });
    await put('red', { And: { Prefix: 'logs/', Tags: [{ Key: 'colour', Value: 'red' }] } });
    await s3.putObject({ Bucket, Key: 'logs/a', Body: 'x'.repeat(100), Tagging: 'colour=red' });
    await s3.putObject({ Bucket, Key: 'other', Body: 'x' });
    await (await s3.getObject({ Bucket, Key: 'logs/a' })).Body!.transformToString();
    await s3.listObjectsV2({ Bucket });
    await s3.headObject({ Bucket, Key: 'logs/none' }).catch(() => undefined);
    const of = (name: string, FilterId: string) => metric('AWS/S3', name, { BucketName: Bucket, FilterId });
    await eventually(async () => expect(await of('HeadRequests', 'logs')).toEqual([1, 1]));
    expect(await of('PutRequests', 'logs')).toEqual([1, 1]);
    expect(await of('PutRequests', 'red')).toEqual([1, 1]);
    expect(await of('PutRequests', 'EntireBucket')).toEqual([2, 2]);
    expect(await of('BytesDownloaded', 'logs')).toEqual([100, 1]);
    expect(await of('ListRequests', 'EntireBucket')).toEqual([1, 1]);
    expect(await of('ListRequests', 'logs')).toBeUndefined();
    expect(await of('4xxErrors', 'logs')).toEqual([1, 3]);
    expect(await of('AllRequests', 'red')).toEqual([2, 2]);
    await s3.deleteBucketMetricsConfiguration({ Bucket, Id: 'red' });
    await s3.getObject({ Bucket, Key: 'logs/a' });
    await eventually(async () => expect(await of('GetRequests', 'logs')).toEqual([2, 2]));
    expect(await of('GetRequests', 'red')).toEqual([1, 1]);
  });
});
