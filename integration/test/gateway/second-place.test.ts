import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Firehose } from '@aws-sdk/client-firehose';
import { IAM } from '@aws-sdk/client-iam';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { Pipes } from '@aws-sdk/client-pipes';
import { S3 } from '@aws-sdk/client-s3';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudwatchManifest } from '@emu/svc-cloudwatch/manifest';
import { manifest as eventsManifest } from '@emu/svc-events/manifest';
import { manifest as firehoseManifest } from '@emu/svc-firehose/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as kinesisManifest } from '@emu/svc-kinesis/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as pipesManifest } from '@emu/svc-pipes/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as schedulerManifest } from '@emu/svc-scheduler/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { manifest as stepfunctionsManifest } from '@emu/svc-stepfunctions/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ACCOUNT = '222222222222';
const REGION = 'eu-west-1';
const arn = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
const RoleArn = `arn:aws:iam::${ACCOUNT}:role/worker`;
const QUEUE = arn('sqs', 'done');

let emulator: TestEmulator;
let config: ReturnType<TestEmulator['clientConfig']>;
let done: SQS;
let url: string;
/** Queue with the same name in emu's default account and region. */
let elsewhere: SQS;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [
      cloudwatchManifest,
      eventsManifest,
      firehoseManifest,
      iamManifest,
      kinesisManifest,
      logsManifest,
      pipesManifest,
      s3Manifest,
      schedulerManifest,
      snsManifest,
      sqsManifest,
      stepfunctionsManifest,
      stsManifest,
    ],
    settings: {
      accountId: '000000000000',
      region: 'us-east-1',
      values: { EMULATOR_ENFORCE_IAM: true },
    },
  });
  emulator.kernel.clock.freeze();
  config = emulator.clientConfig({ accessKeyId: ACCOUNT, region: REGION });
  const Version = '2012-10-17';
  const services = ['events', 'firehose', 'logs', 'pipes', 'scheduler', 'states'].map(
    (name) => `${name}.amazonaws.com`,
  );
  const iam = new IAM(config);
  const trust = { Effect: 'Allow', Principal: { Service: services }, Action: 'sts:AssumeRole' };
  await iam.createRole({
    RoleName: 'worker',
    AssumeRolePolicyDocument: JSON.stringify({ Version, Statement: [trust] }),
  });
  const Statement = [
    { Effect: 'Allow', Action: ['sqs:*'], Resource: arn('sqs', '*') },
    { Effect: 'Allow', Action: ['kinesis:*'], Resource: arn('kinesis', '*') },
    { Effect: 'Allow', Action: ['s3:*'], Resource: '*' },
  ];
  const PolicyDocument = JSON.stringify({ Version, Statement });
  await iam.putRolePolicy({ RoleName: 'worker', PolicyName: 'p', PolicyDocument });
  done = new SQS(config);
  elsewhere = new SQS(emulator.clientConfig());
  const publishers = { Service: ['sns.amazonaws.com', 'events.amazonaws.com'] };
  const allowed = { Effect: 'Allow', Principal: publishers, Action: 'sqs:SendMessage', Resource: QUEUE };
  const Policy = JSON.stringify({ Version, Statement: [allowed] });
  url = (await done.createQueue({ QueueName: 'done', Attributes: { Policy } })).QueueUrl!;
  await elsewhere.createQueue({ QueueName: 'done' });
});
afterAll(() => emulator.close());

/** Advances time until the queue has a message, and receives it. */
async function arrival(step = 1000): Promise<string> {
  let body: string | undefined;
  await expect
    .poll(async () => {
      await emulator.kernel.clock.advance(step);
      const { Messages = [] } = await done.receiveMessage({ QueueUrl: url });
      for (const { ReceiptHandle } of Messages) await done.deleteMessage({ QueueUrl: url, ReceiptHandle });
      body = Messages[0]?.Body;
      return body;
    })
    .toBeDefined();
  const { QueueUrl } = await elsewhere.getQueueUrl({ QueueName: 'done' });
  expect((await elsewhere.receiveMessage({ QueueUrl })).Messages).toBeUndefined();
  return body!;
}

/** Each worker is triggered in a second account and region, and must act there, as its role. */
test('a task of a state machine', async () => {
  const sfn = new SFN(config);
  const Parameters = { QueueUrl: url, MessageBody: 'task' };
  const Task = { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', Parameters, End: true };
  const Rest = { Type: 'Wait', Seconds: 5, Next: 'Task' };
  const definition = JSON.stringify({ StartAt: 'Rest', States: { Rest, Task } });
  const { stateMachineArn } = await sfn.createStateMachine({ name: 'm', roleArn: RoleArn, definition });
  const { executionArn } = await sfn.startExecution({ stateMachineArn });
  expect(await arrival()).toBe('task');
  await expect.poll(async () => (await sfn.describeExecution({ executionArn })).status).toBe('SUCCEEDED');
});

test('a schedule', async () => {
  await new Scheduler(config).createSchedule({
    Name: 's',
    ScheduleExpression: 'rate(1 hour)',
    StartDate: new Date(emulator.kernel.clock.now() + 60_000),
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: QUEUE, RoleArn, Input: 'schedule' },
  });
  expect(await arrival(60_000)).toBe('schedule');
  await new Scheduler(config).deleteSchedule({ Name: 's' });
});

test('a pipe', async () => {
  const { QueueUrl } = await done.createQueue({ QueueName: 'source' });
  const pipes = new Pipes(config);
  const InputTemplate = '<$.body>';
  const TargetParameters = { InputTemplate };
  await pipes.createPipe({ Name: 'p', RoleArn, Source: arn('sqs', 'source'), Target: QUEUE, TargetParameters });
  await expect
    .poll(async () => {
      await emulator.kernel.clock.advance(1000);
      return (await pipes.describePipe({ Name: 'p' })).CurrentState;
    })
    .toBe('RUNNING');
  await done.sendMessage({ QueueUrl, MessageBody: 'pipe' });
  expect(await arrival()).toContain('pipe');
  await pipes.deletePipe({ Name: 'p' });
});

test('a subscription of a topic, and an alarm', async () => {
  const sns = new SNS(config);
  const cloudwatch = new CloudWatch(config);
  const { TopicArn } = await sns.createTopic({ Name: 't' });
  const alarms = { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' };
  const AttributeValue = JSON.stringify({ Version: '2012-10-17', Statement: [{ ...alarms, Resource: TopicArn }] });
  await sns.setTopicAttributes({ TopicArn, AttributeName: 'Policy', AttributeValue });
  const Attributes = { RawMessageDelivery: 'true' };
  await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: QUEUE, Attributes });
  await sns.publish({ TopicArn, Message: 'topic' });
  expect(await arrival()).toBe('topic');

  await cloudwatch.putMetricAlarm({
    AlarmName: 'a',
    Namespace: 'N',
    MetricName: 'M',
    Statistic: 'Sum',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 0,
    ComparisonOperator: 'GreaterThanThreshold',
    AlarmActions: [TopicArn!],
  });
  const MetricData = [{ MetricName: 'M', Value: 1, Timestamp: new Date(emulator.kernel.clock.now()) }];
  await cloudwatch.putMetricData({ Namespace: 'N', MetricData });
  expect(JSON.parse(await arrival(60_000))).toMatchObject({ AlarmName: 'a', AWSAccountId: ACCOUNT });
  await cloudwatch.deleteAlarms({ AlarmNames: ['a'] });
});

test('a rule of an event bus', async () => {
  const events = new EventBridge(config);
  const EventPattern = JSON.stringify({ source: ['shop'] });
  await events.putRule({ Name: 'r', EventPattern });
  await events.putTargets({ Rule: 'r', Targets: [{ Id: '1', Arn: QUEUE }] });
  await events.putEvents({ Entries: [{ Source: 'shop', DetailType: 'order', Detail: '{}' }] });
  expect(JSON.parse(await arrival())).toMatchObject({ source: 'shop', account: ACCOUNT, region: REGION });
});

test('a delivery of Firehose from a Kinesis stream, and a subscription of a log group', async () => {
  const kinesis = new Kinesis(config);
  const firehose = new Firehose(config);
  const logs = new CloudWatchLogs(config);
  const s3 = new S3(config);
  const [Bucket, logGroupName, logStreamName] = ['second-place', 'g', 's'];
  await s3.createBucket({ Bucket, CreateBucketConfiguration: { LocationConstraint: REGION } });
  await kinesis.createStream({ StreamName: 'k', ShardCount: 1 });
  await emulator.kernel.clock.advance(1000);
  await firehose.createDeliveryStream({
    DeliveryStreamName: 'd',
    DeliveryStreamType: 'KinesisStreamAsSource',
    KinesisStreamSourceConfiguration: { KinesisStreamARN: arn('kinesis', 'stream/k'), RoleARN: RoleArn },
    ExtendedS3DestinationConfiguration: {
      RoleARN: RoleArn,
      BucketARN: `arn:aws:s3:::${Bucket}`,
      BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 10 },
      Prefix: 'delivered/',
      ProcessingConfiguration: {
        Enabled: true,
        Processors: [
          { Type: 'Decompression', Parameters: [{ ParameterName: 'CompressionFormat', ParameterValue: 'GZIP' }] },
        ],
      },
    },
  });
  await logs.createLogGroup({ logGroupName });
  await logs.createLogStream({ logGroupName, logStreamName });
  const destinationArn = arn('kinesis', 'stream/k');
  await logs.putSubscriptionFilter({
    logGroupName,
    filterName: 'f',
    filterPattern: '',
    destinationArn,
    roleArn: RoleArn,
  });
  const logEvents = [{ timestamp: Math.floor(emulator.kernel.clock.now()), message: 'logged' }];
  await logs.putLogEvents({ logGroupName, logStreamName, logEvents });
  const objects = async () => {
    await emulator.kernel.clock.advance(10_000);
    return (await s3.listObjectsV2({ Bucket, Prefix: 'delivered/' })).Contents ?? [];
  };
  await expect.poll(objects).not.toEqual([]);
  const [{ Key } = {}] = await objects();
  const text = await (await s3.getObject({ Bucket, Key: Key! })).Body!.transformToString();
  expect(text).toContain('"owner":"222222222222"');
  expect(text).toContain('logged');
});
