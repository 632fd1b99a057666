import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { Pipes } from '@aws-sdk/client-pipes';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOME = { accountId: '123456789012', region: 'us-east-1' };
const FOREIGN = [
  { ...HOME, region: 'eu-west-1' },
  { ...HOME, accountId: '222222222222' },
];
type Place = (typeof FOREIGN)[number];
type Config = ReturnType<TestEmulator['clientConfig']>;

const RoleArn = `arn:aws:iam::${HOME.accountId}:role/worker`;
const arnAt = ({ accountId, region }: Place, service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${accountId}:${resource}`;

let emulator: TestEmulator;
/** Settings of clients at home. */
let config: Config;

beforeAll(async () => {
  const manifests = [apigateway, cloudwatch, events, iam, kinesis, logs, pipes, scheduler, sns, sqs, sts];
  emulator = await createTestEmulator({ manifests });
  emulator.kernel.clock.freeze();
  config = at(HOME);
  for (const place of [HOME, ...FOREIGN]) {
    await new SQS(at(place)).createQueue({ QueueName: 'work' });
    await new SNS(at(place)).createTopic({ Name: 'news' });
    await new Kinesis(at(place)).createStream({ StreamName: 'stream', ShardCount: 1 });
    const Attributes = { RawMessageDelivery: 'true' };
    const TopicArn = arnAt(place, 'sns', 'news');
    await new SNS(at(place)).subscribe({
      TopicArn,
      Protocol: 'sqs',
      Endpoint: arnAt(place, 'sqs', 'work'),
      Attributes,
    });
  }
  await emulator.kernel.clock.advance(60_000);
});
afterAll(() => emulator.close());

const at = ({ accountId, region }: Place): Config => emulator.clientConfig({ accessKeyId: accountId, region });

/** Returns the bodies of all messages that wait at a place, which are deleted. */
async function messagesAt(place: Place): Promise<string[]> {
  const queue = new SQS(at(place));
  const { QueueUrl } = await queue.getQueueUrl({ QueueName: 'work' });
  const bodies: string[] = [];
  for (;;) {
    const { Messages = [] } = await queue.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    if (Messages.length === 0) return bodies;
    for (const { Body, ReceiptHandle } of Messages) {
      bodies.push(Body!);
      await queue.deleteMessage({ QueueUrl, ReceiptHandle });
    }
  }
}

/** Returns the data of all records in the stream of a place. */
async function recordsAt(place: Place): Promise<number> {
  const client = new Kinesis(at(place));
  const { ShardIterator } = await client.getShardIterator({
    StreamName: 'stream',
    ShardId: 'shardId-000000000000',
    ShardIteratorType: 'TRIM_HORIZON',
  });
  return (await client.getRecords({ ShardIterator })).Records!.length;
}

/** What is delivered, by the target: sends it, after the target was set to a resource of another place. */
const DELIVERIES: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  'a rule of an event bus': async (place) => {
    const client = new EventBridge(config);
    await client.putRule({ Name: 'rule', EventPattern: '{"source":["shop"]}' });
    await client.putTargets({ Rule: 'rule', Targets: [{ Id: '1', Arn: arnAt(place, 'sqs', 'work') }] });
    await client.putEvents({ Entries: [{ Source: 'shop', DetailType: 'order', Detail: '{}' }] });
  },
  'a schedule': async (place) => {
    await new Scheduler(config).createSchedule({
      Name: `schedule-${place.region}-${place.accountId}`,
      ScheduleExpression: 'rate(1 minute)',
      EndDate: new Date(emulator.kernel.clock.now() + 90_000),
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: arnAt(place, 'sqs', 'work'), RoleArn, Input: 'schedule' },
    });
  },
  'a subscription of a topic': async (place) => {
    const client = new SNS(config);
    const { TopicArn } = await client.createTopic({ Name: `topic-${place.region}-${place.accountId}` });
    await client.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: arnAt(place, 'sqs', 'work') });
    await client.publish({ TopicArn, Message: 'topic' });
  },
  'an action of an alarm': async (place) => {
    const client = new CloudWatch(config);
    await client.putMetricAlarm({
      AlarmName: 'alarm',
      Namespace: 'N',
      MetricName: 'M',
      Statistic: 'Sum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      AlarmActions: [arnAt(place, 'sns', 'news')],
    });
    await client.setAlarmState({ AlarmName: 'alarm', StateValue: 'ALARM', StateReason: 'test' });
  },
};

describe.each(FOREIGN)('a target in $accountId $region', (place) => {
  test.each(Object.entries(DELIVERIES))('%s reaches no resource of its name at home', async (_name, deliver) => {
    await messagesAt(HOME);
    await messagesAt(place);
    const refused = await deliver(place).then(
      () => undefined,
      (error: Error) => error.name,
    );
    await emulator.kernel.clock.advance(61_000);
    expect(await messagesAt(HOME)).toEqual([]);
    if (refused === undefined) await expect.poll(async () => (await messagesAt(place)).length).toBeGreaterThan(0);
    else expect(refused).toMatch(/^(?:Validation|InvalidParameter)/);
  });

  test('a subscription of a log group reaches no stream of its name at home', async () => {
    const client = new CloudWatchLogs(config);
    const logGroupName = `group-${place.region}-${place.accountId}`;
    await client.createLogGroup({ logGroupName });
    await client.createLogStream({ logGroupName, logStreamName: 's' });
    const before = await recordsAt(HOME);
    const refused = await client
      .putSubscriptionFilter({
        logGroupName,
        filterName: 'f',
        filterPattern: '',
        destinationArn: arnAt(place, 'kinesis', 'stream/stream'),
        roleArn: RoleArn,
      })
      .then(
        () => undefined,
        (error: Error) => error.name,
      );
    const logEvents = [{ timestamp: emulator.kernel.clock.now(), message: 'm' }];
    await client.putLogEvents({ logGroupName, logStreamName: 's', logEvents });
    await emulator.kernel.clock.advance(10_000);
    expect(await recordsAt(HOME)).toBe(before);
    if (refused !== undefined) expect(refused).toBe('InvalidParameterException');
  });

  test('a pipe reads no queue of its name at home', async () => {
    await messagesAt(HOME);
    const client = new Pipes(config);
    const Name = `pipe-${place.region}-${place.accountId}`;
    const home = new SQS(config);
    const { QueueUrl } = await home.getQueueUrl({ QueueName: 'work' });
    const refused = await client
      .createPipe({ Name, RoleArn, Source: arnAt(place, 'sqs', 'work'), Target: arnAt(HOME, 'sns', 'news') })
      .then(
        () => undefined,
        (error: Error) => error.name,
      );
    await emulator.kernel.clock.advance(61_000);
    await home.sendMessage({ QueueUrl, MessageBody: 'stays' });
    await emulator.kernel.clock.advance(5000);
    expect(await messagesAt(HOME)).toEqual(['stays']);
    if (refused !== undefined) expect(refused).toBe('ValidationException');
    else await client.deletePipe({ Name });
  });
});

test('a rule reaches no API of another region', async () => {
  const api = new APIGateway(config);
  const { id: restApiId, rootResourceId: resourceId } = await api.createRestApi({ name: 'api' });
  const method = { restApiId, resourceId, httpMethod: 'POST' };
  await api.putMethod({ ...method, authorizationType: 'NONE' });
  await api.putIntegration({
    ...method,
    type: 'AWS',
    integrationHttpMethod: 'POST',
    uri: `arn:aws:apigateway:us-east-1:sqs:path/${HOME.accountId}/work`,
    credentials: RoleArn,
    requestParameters: { 'integration.request.header.Content-Type': "'application/x-www-form-urlencoded'" },
    requestTemplates: { 'application/json': 'Action=SendMessage&MessageBody=called' },
  });
  await api.createDeployment({ restApiId, stageName: 'live' });
  const client = new EventBridge(config);
  await client.putRule({ Name: 'api', EventPattern: '{"source":["api"]}' });
  await messagesAt(HOME);
  // The API at home is called last, so that the other call was answered before.
  for (const region of ['eu-west-1', HOME.region]) {
    const Arn = `arn:aws:execute-api:${region}:${HOME.accountId}:${restApiId}/live/POST/`;
    await client.putTargets({ Rule: 'api', Targets: [{ Id: '1', Arn, RoleArn }] });
    await client.putEvents({ Entries: [{ Source: 'api', DetailType: 'order', Detail: '{}' }] });
    await emulator.kernel.clock.advance(1000);
  }
  const messages: string[] = [];
  await expect
    .poll(async () => {
      messages.push(...(await messagesAt(HOME)));
      return messages;
    })
    .toEqual(['called']);
});
