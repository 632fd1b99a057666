import { gunzipSync } from 'node:zlib';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Firehose } from '@aws-sdk/client-firehose';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { Lambda } from '@aws-sdk/client-lambda';
import { Pipes } from '@aws-sdk/client-pipes';
import { S3 } from '@aws-sdk/client-s3';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import type { ServiceManifest } from '@emu/core/service';
import { type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, Lives, REGION } from './support.ts';

const MINUTE = 60_000;
/** Default visibility timeout of a queue in milliseconds. */
const VISIBILITY_TIMEOUT = 30_000;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/r`;
const arn = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
const urlOf = (queue: string): string => `http://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${queue}`;
const within = { timeout: 15_000 };

/** Starts with services, queues and a stopped clock. */
async function begin(manifests: readonly ServiceManifest[], ...queues: string[]): Promise<Lives> {
  const lives = await Lives.begin(queues.length ? [...manifests, sqs] : manifests);
  const client = new SQS(lives.emulator.clientConfig());
  for (const QueueName of queues) await client.createQueue({ QueueName });
  lives.emulator.kernel.clock.freeze();
  return lives;
}

/** Waits for messages in a queue and returns them. */
async function received(emulator: TestEmulator, queue = 'q'): Promise<string[]> {
  const client = new SQS(emulator.clientConfig());
  const found: string[] = [];
  const poll = async (): Promise<number> => {
    const { Messages = [] } = await client.receiveMessage({ QueueUrl: urlOf(queue), MaxNumberOfMessages: 10 });
    return found.push(...Messages.map(({ Body }) => Body!));
  };
  await expect.poll(poll, within).toBeGreaterThan(0);
  return found;
}

/** Waits for data in a stream that contains a text. */
async function streamed(
  emulator: TestEmulator,
  text: string,
  decode: (data: Buffer) => string = String,
): Promise<string[]> {
  const client = new Kinesis(emulator.clientConfig());
  const [StreamName, ShardId] = ['s', 'shardId-000000000000'];
  const texts = async (): Promise<string[]> => {
    const ShardIteratorType = 'TRIM_HORIZON';
    const { ShardIterator } = await client.getShardIterator({ StreamName, ShardId, ShardIteratorType });
    const { Records = [] } = await client.getRecords({ ShardIterator });
    return Records.map(({ Data }) => decode(Buffer.from(Data!))).filter((found) => found.includes(text));
  };
  await expect.poll(async () => (await texts()).length, within).toBeGreaterThan(0);
  return texts();
}

/** Creates the stream `s`. */
async function makeStream({ clientConfig, kernel }: TestEmulator): Promise<void> {
  const StreamName = 's';
  const client = new Kinesis(clientConfig());
  await client.createStream({ StreamName, ShardCount: 1 });
  await kernel.clock.advance(MINUTE);
  const summary = async () => (await client.describeStreamSummary({ StreamName })).StreamDescriptionSummary;
  expect(await summary()).toMatchObject({ StreamStatus: 'ACTIVE' });
}

describe('an alarm with a changed state', () => {
  const alarm = {
    AlarmName: 'hot',
    Namespace: 'app',
    MetricName: 'm',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 1,
    Statistic: 'Sum',
    ComparisonOperator: 'GreaterThanThreshold',
  } as const;
  const change = { AlarmName: 'hot', StateValue: 'ALARM', StateReason: 'test' } as const;

  test('runs its actions after a restart', async () => {
    await using lives = await begin([cloudwatch, sns], 'q');
    const config = lives.emulator.clientConfig();
    const { TopicArn } = await new SNS(config).createTopic({ Name: 't' });
    const Attributes = { RawMessageDelivery: 'true' };
    await new SNS(config).subscribe({ TopicArn, Protocol: 'sqs', Endpoint: arn('sqs', 'q'), Attributes });
    await new CloudWatch(config).putMetricAlarm({ ...alarm, AlarmActions: [TopicArn!] });
    lives.hold('sns', 'sqs');
    await new CloudWatch(config).setAlarmState(change);
    const after = await lives.die();
    expect(await received(after)).toEqual([expect.stringContaining('"AlarmName":"hot"')]);
    const client = new CloudWatch(after.clientConfig());
    const actions = async () =>
      (await client.describeAlarmHistory({ AlarmName: 'hot', HistoryItemType: 'Action' })).AlarmHistoryItems;
    await expect.poll(async () => (await actions())?.length).toBe(1);
  });

  test('notifies EventBridge after a restart', async () => {
    await using lives = await begin([cloudwatch, events], 'q');
    const config = lives.emulator.clientConfig();
    const EventPattern = JSON.stringify({ 'detail-type': ['CloudWatch Alarm State Change'] });
    await new EventBridge(config).putRule({ Name: 'r', EventPattern });
    await new EventBridge(config).putTargets({ Rule: 'r', Targets: [{ Id: 't', Arn: arn('sqs', 'q') }] });
    await new CloudWatch(config).putMetricAlarm(alarm);
    lives.hold('events', 'sqs');
    await new CloudWatch(config).setAlarmState(change);
    expect(await received(await lives.die())).toEqual([expect.stringContaining('"alarmName":"hot"')]);
  });
});

test('a schedule runs at its time, and a failed target is retried', async () => {
  await using lives = await begin([scheduler], 'q');
  const { clock } = lives.emulator.kernel;
  const client = new Scheduler(lives.emulator.clientConfig());
  const create = (Name: string, minutes: number) =>
    client.createSchedule({
      Name,
      ScheduleExpression: `at(${new Date(clock.now() + minutes * MINUTE).toISOString().slice(0, 19)})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: arn('sqs', 'q'), RoleArn: ROLE, Input: Name },
    });
  await create('soon', 1);
  await create('later', 60);
  lives.refuse('sqs');
  await clock.advance(2 * MINUTE);
  const delivery = () =>
    [...lives.emulator.kernel.loadedService('scheduler')!.store.picture()]
      .filter(({ collection }) => collection === 'deliveries')
      .map(({ value }) => value);
  const tried = { name: 'soon', attempts: expect.any(Number) };
  await expect.poll(delivery, within).toEqual([expect.objectContaining(tried)]);
  await lives.emulator.kernel.committed('scheduler');
  const after = await lives.die();
  await after.kernel.clock.advance(30 * MINUTE);
  expect(await received(after)).toEqual(['soon']);
  await after.kernel.clock.advance(60 * MINUTE);
  expect(await received(after)).toContain('later');
});

test('an asynchronous event of a function reaches its destination', async () => {
  await using lives = await begin([lambda], 'q');
  const client = new Lambda(lives.emulator.clientConfig());
  const FunctionName = 'f';
  await client.createFunction({
    FunctionName,
    Runtime: 'nodejs20.x',
    Role: ROLE,
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = async (event) => ({ seen: event });' }) },
  });
  const DestinationConfig = { OnSuccess: { Destination: arn('sqs', 'q') } };
  await client.putFunctionEventInvokeConfig({ FunctionName, DestinationConfig });
  lives.hold('sqs');
  const invoked = async () => {
    const { json } = await lives.emulator.control('GET', '/_emulator/lambda/invocations');
    return (json as { invocations: unknown[] }).invocations.length;
  };
  await client.invoke({ FunctionName, InvocationType: 'Event', Payload: '{"number":1}' });
  await expect.poll(invoked, within).toBe(1);
  expect(await received(await lives.die())).toEqual([
    expect.stringContaining('"responsePayload":{"seen":{"number":1}}'),
  ]);
});

test('records of a stream reach the function that reads it', async () => {
  await using lives = await begin([kinesis, lambda]);
  await makeStream(lives.emulator);
  const client = new Lambda(lives.emulator.clientConfig());
  const FunctionName = 'f';
  await client.createFunction({
    FunctionName,
    Runtime: 'nodejs20.x',
    Role: ROLE,
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = async () => 1;' }) },
  });
  const EventSourceArn = arn('kinesis', 'stream/s');
  await client.createEventSourceMapping({ FunctionName, EventSourceArn, StartingPosition: 'TRIM_HORIZON' });
  // Its position is not persisted from here on.
  lives.hold('lambda');
  const Data = Buffer.from('accepted');
  await new Kinesis(lives.emulator.clientConfig()).putRecord({ StreamName: 's', PartitionKey: 'k', Data });
  const after = await lives.die();
  await after.kernel.clock.advance(MINUTE);
  const payloads = async () => {
    const { json } = await after.control('GET', '/_emulator/lambda/invocations');
    return (json as { invocations: { payload: string }[] }).invocations.map(({ payload }) => payload);
  };
  await expect.poll(payloads, within).toEqual([expect.stringContaining(Data.toString('base64'))]);
});

test('log events reach the stream that subscribes to them', async () => {
  await using lives = await begin([kinesis, logs]);
  await makeStream(lives.emulator);
  const client = new CloudWatchLogs(lives.emulator.clientConfig());
  const logGroupName = 'g';
  await client.createLogGroup({ logGroupName });
  await client.createLogStream({ logGroupName, logStreamName: 'l' });
  const destinationArn = arn('kinesis', 'stream/s');
  await client.putSubscriptionFilter({
    logGroupName,
    filterName: 'f',
    filterPattern: '',
    destinationArn,
    roleArn: ROLE,
  });
  lives.hold('kinesis');
  const logEvents = [{ timestamp: lives.emulator.kernel.clock.now(), message: 'accepted' }];
  await client.putLogEvents({ logGroupName, logStreamName: 'l', logEvents });
  const after = await lives.die();
  await after.kernel.clock.advance(MINUTE);
  const decode = (data: Buffer): string => gunzipSync(data).toString();
  expect(await streamed(after, '"DATA_MESSAGE"', decode)).toEqual([expect.stringContaining('"accepted"')]);
});

test('records that wait in a delivery stream are delivered', async () => {
  await using lives = await begin([firehose, s3]);
  const config = lives.emulator.clientConfig();
  const Bucket = 'data';
  await new S3({ ...config, forcePathStyle: true }).createBucket({ Bucket });
  const client = new Firehose(config);
  const DeliveryStreamName = 'd';
  await client.createDeliveryStream({
    DeliveryStreamName,
    ExtendedS3DestinationConfiguration: {
      RoleARN: ROLE,
      BucketARN: `arn:aws:s3:::${Bucket}`,
      BufferingHints: { SizeInMBs: 5, IntervalInSeconds: 300 },
    },
  });
  await lives.emulator.kernel.clock.advance(MINUTE);
  await client.putRecord({ DeliveryStreamName, Record: { Data: Buffer.from('accepted') } });
  const after = await lives.die();
  await after.kernel.clock.advance(5 * MINUTE);
  const objects = new S3({ ...after.clientConfig(), forcePathStyle: true });
  const keys = async () => ((await objects.listObjectsV2({ Bucket })).Contents ?? []).map(({ Key }) => Key!);
  await expect.poll(async () => (await keys()).length, within).toBe(1);
  const { Body } = await objects.getObject({ Bucket, Key: (await keys())[0]! });
  expect(await Body!.transformToString()).toBe('accepted');
});

test('a pipe delivers the records received from its source', async () => {
  await using lives = await begin([kinesis, pipes], 'in');
  await makeStream(lives.emulator);
  const client = new Pipes(lives.emulator.clientConfig());
  await client.createPipe({
    Name: 'p',
    RoleArn: ROLE,
    Source: arn('sqs', 'in'),
    Target: arn('kinesis', 'stream/s'),
    TargetParameters: { KinesisStreamParameters: { PartitionKey: 'k' } },
  });
  await expect.poll(async () => (await client.describePipe({ Name: 'p' })).CurrentState, within).toBe('RUNNING');
  lives.hold('kinesis');
  const queues = new SQS(lives.emulator.clientConfig());
  await queues.sendMessage({ QueueUrl: urlOf('in'), MessageBody: 'accepted' });
  const inFlight = async () => {
    const AttributeNames = ['ApproximateNumberOfMessagesNotVisible'] as const;
    const { Attributes } = await queues.getQueueAttributes({
      QueueUrl: urlOf('in'),
      AttributeNames: [...AttributeNames],
    });
    return Attributes![AttributeNames[0]];
  };
  await expect.poll(inFlight, within).toBe('1');
  const after = await lives.die();
  // No more than the visibility timeout: it must not also end after the pipe receives the message again.
  await after.kernel.clock.advance(VISIBILITY_TIMEOUT);
  expect(await streamed(after, '"body":"accepted"')).toHaveLength(1);
});

test('a waiting execution continues and reaches its task', async () => {
  await using lives = await begin([stepfunctions], 'q');
  const client = new SFN(lives.emulator.clientConfig());
  const definition = JSON.stringify({
    StartAt: 'Wait',
    States: {
      Wait: { Type: 'Wait', Seconds: 60, Next: 'Send' },
      Send: {
        Type: 'Task',
        Resource: 'arn:aws:states:::sqs:sendMessage',
        Parameters: { QueueUrl: urlOf('q'), 'MessageBody.$': '$.text' },
        End: true,
      },
    },
  });
  const { stateMachineArn } = await client.createStateMachine({ name: 'm', definition, roleArn: ROLE });
  await client.startExecution({ stateMachineArn, input: '{"text":"accepted"}' });
  const after = await lives.die();
  await after.kernel.clock.advance(MINUTE);
  expect(await received(after)).toEqual(['accepted']);
});

test('a maintenance window runs its task at its time', async () => {
  await using lives = await begin([lambda, ssm], 'q');
  const config = lives.emulator.clientConfig();
  const FunctionName = 'f';
  await new Lambda(config).createFunction({
    FunctionName,
    Runtime: 'nodejs20.x',
    Role: ROLE,
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = async () => 1;' }) },
  });
  const client = new SSM(config);
  const { WindowId } = await client.createMaintenanceWindow({
    Name: 'window',
    Schedule: 'rate(1 hour)',
    Duration: 1,
    Cutoff: 0,
    AllowUnassociatedTargets: true,
  });
  await client.registerTaskWithMaintenanceWindow({
    WindowId,
    TaskType: 'LAMBDA',
    TaskArn: arn('lambda', 'function:f'),
  });
  const after = await lives.die();
  await after.kernel.clock.advance(61 * MINUTE);
  const executions = async () => {
    const { WindowExecutions } = await new SSM(after.clientConfig()).describeMaintenanceWindowExecutions({ WindowId });
    return WindowExecutions?.map(({ Status }) => Status);
  };
  await expect.poll(executions, within).toEqual(['SUCCESS']);
});
