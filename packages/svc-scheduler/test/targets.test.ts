import { awsError } from '@emu/wire';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  arnOf,
  DAY,
  DEAD,
  failureOf,
  HOUR,
  QUEUE,
  REGION,
  ROLE,
  type SchedulerTest,
  schedule,
  startScheduler,
} from './support.ts';

let t: SchedulerTest;
beforeEach(async () => {
  t = await startScheduler();
});
afterEach(() => t[Symbol.asyncDispose]());

const ONCE = 'at(2026-01-01T01:00:00)';
const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
const universal = (action: string) => `arn:aws:scheduler:::aws-sdk:${action}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
/** Runs a schedule with a target once. @returns the request that the target received */
async function callOf(target: object) {
  await t.create({ ScheduleExpression: ONCE, Target: { Arn: QUEUE, RoleArn: ROLE, ...target } });
  await t.advance(HOUR);
  return t.calls.map(({ service, operation, input }) => [`${service} ${operation}`, input]);
}
const refusalOf = (target: object) =>
  failureOf(t.scheduler.createSchedule(schedule({ Target: { Arn: QUEUE, RoleArn: ROLE, ...target } })));

describe('templated targets', () => {
  const Input = '{"a":1}';
  const queueUrl = `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/work`;
  test.each([
    [QUEUE, {}, 'sqs SendMessage', { MessageBody: Input, QueueUrl: queueUrl }],
    [
      `${QUEUE}.fifo`,
      { SqsParameters: { MessageGroupId: 'g' } },
      'sqs SendMessage',
      { MessageBody: Input, QueueUrl: `${queueUrl}.fifo`, MessageGroupId: 'g' },
    ],
    [arn('sns', 'topic'), {}, 'sns Publish', { Message: Input, TopicArn: arn('sns', 'topic') }],
    [
      arn('lambda', 'function:f:live'),
      {},
      'lambda Invoke',
      { FunctionName: arn('lambda', 'function:f:live'), InvocationType: 'Event', Payload: base64(Input) },
    ],
    [
      arn('states', 'stateMachine:m'),
      {},
      'stepfunctions StartExecution',
      { stateMachineArn: arn('states', 'stateMachine:m'), input: Input },
    ],
    [
      arn('events', 'event-bus/b'),
      { EventBridgeParameters: { DetailType: 'T', Source: 'app' } },
      'events PutEvents',
      {
        Entries: [
          {
            Source: 'app',
            DetailType: 'T',
            Detail: Input,
            EventBusName: arn('events', 'event-bus/b'),
            Resources: [arnOf('s')],
          },
        ],
      },
    ],
    [
      arn('kinesis', 'stream/s'),
      { KinesisParameters: { PartitionKey: 'k' } },
      'kinesis PutRecord',
      { StreamARN: arn('kinesis', 'stream/s'), Data: base64(Input), PartitionKey: 'k' },
    ],
    [
      arn('firehose', 'deliverystream/d'),
      {},
      'firehose PutRecord',
      { DeliveryStreamName: 'd', Record: { Data: base64(Input) } },
    ],
    [
      arn('ecs', 'cluster/c'),
      { EcsParameters: { TaskDefinitionArn: 'task', TaskCount: 2, Tags: [{ a: 'b' }] } },
      'ecs RunTask',
      {
        cluster: arn('ecs', 'cluster/c'),
        taskDefinition: 'task',
        count: 2,
        tags: [{ key: 'a', value: 'b' }],
      },
    ],
  ])('%s', async (Arn, parameters, operation, input) => {
    expect(await callOf({ Arn, Input, ...parameters })).toEqual([[operation, input]]);
  });

  test('receive a notification if the schedule has no input', async () => {
    const [[, input]] = (await callOf({})) as [[string, { MessageBody: string }]];
    expect(JSON.parse(input.MessageBody)).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account: ACCOUNT,
      time: '2026-01-01T01:00:00Z',
      region: REGION,
      resources: [arnOf('s')],
      detail: '{}',
    });
  });

  test('receive context attributes of the schedule', async () => {
    const names = ['schedule-arn', 'scheduled-time', 'execution-id', 'attempt-number', 'other'];
    const [[, input]] = (await callOf({ Input: names.map((name) => `<aws.scheduler.${name}>`).join(' ') })) as [
      [string, { MessageBody: string }],
    ];
    expect(input.MessageBody).toMatch(
      /^arn:aws:scheduler:\S+:schedule\/default\/s 2026-01-01T01:00:00Z [0-9a-f]{16} 1 <aws.scheduler.other>$/,
    );
  });

  test('are called as the role, in the account and region of the schedule', async () => {
    const scheduler = t.client({ accessKeyId: '111111111111', region: 'eu-west-1' });
    const Arn = 'arn:aws:sqs:eu-west-1:111111111111:work';
    const RoleArn = 'arn:aws:iam::111111111111:role/run';
    await scheduler.createSchedule(schedule({ ScheduleExpression: ONCE, Target: { Arn, RoleArn } }));
    await t.advance(HOUR);
    expect(t.calls).toMatchObject([
      {
        place: '111111111111 eu-west-1',
        principal: expect.stringMatching(/^arn:aws:sts::111111111111:assumed-role\/run\/[0-9a-f]{16}$/),
      },
    ]);
  });

  // Messages measured on AWS; see behaviours.json.
  test.each([
    [{ Arn: 'nothing' }, 'Provided Arn is not in correct format.'],
    [{ Arn: arn('lambda', 'layer:l') }, 'Provided Arn is not in correct format.'],
    [{ Arn: arn('backup', 'x') }, 'backup is not a supported service for a target.'],
    [{ Arn: arn('scheduler', 'schedule/default/s') }, 'scheduler is not a supported service for a target.'],
    [
      { Arn: 'arn:aws:sns:eu-west-1:000000000000:t' },
      'The target ARN provided does not match the current region us-east-1.',
    ],
    [{ KinesisParameters: { PartitionKey: 'k' } }, 'Parameters KinesisParameters not supported for the target.'],
    [{ Arn: arn('kinesis', 'stream/s') }, 'Parameters KinesisParameters must be specified.'],
    [{ Arn: `${QUEUE}.fifo` }, 'Parameters SqsParameters must be specified.'],
    [{ SqsParameters: { MessageGroupId: 'g' } }, 'Parameters MessageGroupId not valid for the target.'],
    [
      { Arn: arn('ecs', 'cluster/c'), EcsParameters: { TaskDefinitionArn: 't', LaunchType: 'FARGATE' } },
      'Parameter NetworkConfiguration must be specified for the target when launch type is FARGATE.',
    ],
    [{ Arn: arn('lambda', 'function:f'), Input: '{' }, 'JSON syntax error in input for the target.'],
  ])('rejects %j', async (target, message) => {
    expect(await refusalOf(target)).toBe(`ValidationException: ${message}`);
  });
});

describe('universal targets', () => {
  test.each([
    ['sqs:createQueue', { QueueName: 'q' }, 'sqs CreateQueue', { QueueName: 'q' }],
    ['eventbridge:putEvents', { Entries: [{ Source: 'a' }] }, 'events PutEvents', { Entries: [{ Source: 'a' }] }],
    [
      'lambda:invoke',
      { FunctionName: 'f', Payload: '{"a":1}' },
      'lambda Invoke',
      { FunctionName: 'f', Payload: base64('{"a":1}') },
    ],
  ])('%s', async (action, parameters, operation, input) => {
    const called = await callOf({ Arn: universal(action), Input: JSON.stringify(parameters) });
    expect(called).toEqual([[operation, input]]);
  });

  test.each([
    [{ Arn: universal('sqs:getQueueUrl'), Input: '{}' }, 'getQueueUrl API is not supported.'],
    [{ Arn: universal('ec2:describeInstances'), Input: '{}' }, 'describeInstances API is not supported.'],
    [{ Arn: universal('sqs:sendMessage') }, 'You must provide an input to set this target for your schedule.'],
    [{ Arn: universal('sqs:sendMessage'), Input: 'x' }, 'JSON syntax error in input for the target.'],
  ])('rejects %j', async (target, message) => {
    expect(await refusalOf(target)).toBe(`ValidationException: ${message}`);
  });

  test('accept services that emu lacks and fail when they run', async () => {
    await t.create({ Target: { Arn: universal('rds:stopDBInstance'), RoleArn: ROLE, Input: '{}' } });
    expect(await t.emulator.control('POST', '/_emulator/scheduler/fire/default/s')).toMatchObject({
      status: 200,
      json: { status: 'failed', error: { code: 'NotImplemented' } },
    });
  });
});

describe('failures', () => {
  const DeadLetterConfig = { Arn: DEAD };
  const topic = { Arn: arn('sns', 'topic'), Input: 'text' };
  /** Returns the message in the dead-letter queue. */
  const dead = () => {
    const input = t.calls.find(({ service }) => service === 'sqs')?.input as {
      MessageBody: string;
      MessageAttributes: Record<string, { StringValue: string }>;
    };
    const attributes = Object.entries(input.MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]);
    return { body: JSON.parse(input.MessageBody), attributes: Object.fromEntries(attributes) };
  };

  test('that are permanent become dead letters immediately', async () => {
    t.failures.set('sns', () => awsError('NotFound', 'Topic does not exist'));
    await callOf({ ...topic, DeadLetterConfig });
    // Names are from the example in AWS's documentation.
    expect(dead()).toEqual({
      body: { Message: 'text', TopicArn: topic.Arn },
      attributes: {
        ERROR_CODE: 'NotFound',
        ERROR_MESSAGE: 'Topic does not exist',
        EXECUTION_ID: expect.stringMatching(/^[0-9a-f]{16}$/),
        IS_PAYLOAD_TRUNCATED: 'false',
        RETRY_ATTEMPTS: '0',
        SCHEDULED_TIME: '2026-01-01T01:00:00Z',
        SCHEDULE_ARN: arnOf('s'),
        TARGET_ARN: universal('sns:publish'),
      },
    });
  });

  test('that are temporary are retried as often as the policy allows', async () => {
    t.failures.set('sns', () => awsError('ThrottlingException', 'Rate exceeded'));
    await callOf({ ...topic, DeadLetterConfig, RetryPolicy: { MaximumRetryAttempts: 2 } });
    await t.advance(HOUR);
    expect(t.calls.map(({ service, at }) => [service, at.slice(11)])).toEqual([
      ['sns', '01:00:00'],
      ['sns', '01:00:01'],
      ['sns', '01:00:03'],
      ['sqs', '01:00:03'],
    ]);
    expect(dead().attributes).toMatchObject({
      ERROR_CODE: 'ThrottlingException',
      EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
      RETRY_ATTEMPTS: '2',
    });
  });

  test('are not retried after the event has expired', async () => {
    t.failures.set('sns', () => new Error('broken'));
    await callOf({ ...topic, DeadLetterConfig, RetryPolicy: { MaximumEventAgeInSeconds: 60 } });
    await t.advance(DAY);
    expect(dead().attributes).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds',
      RETRY_ATTEMPTS: '5',
    });
  });

  test('followed by a success delay the deletion of a completed schedule', async () => {
    let tries = 0;
    t.failures.set('sns', () => (++tries < 3 ? awsError('ThrottlingException', 'Rate exceeded') : undefined));
    const Target = { ...topic, RoleArn: ROLE };
    await t.create({ ScheduleExpression: ONCE, ActionAfterCompletion: 'DELETE', Target });
    await t.advance(HOUR + 1000);
    expect((await t.scheduler.listSchedules({})).Schedules).toHaveLength(1);
    await t.advance(HOUR);
    expect((await t.scheduler.listSchedules({})).Schedules).toEqual([]);
    expect(tries).toBe(3);
  });
});

describe('control routes', () => {
  test('list all schedules and fire one', async () => {
    await t.create({ State: 'DISABLED', Target: { Arn: QUEUE, RoleArn: ROLE, Input: 'text' } });
    const { json } = await t.emulator.control('POST', '/_emulator/scheduler/fire/default/s');
    expect(json).toEqual({ scheduleArn: arnOf('s'), targetArn: QUEUE, status: 'delivered' });
    expect(t.calls).toMatchObject([{ input: { MessageBody: 'text' } }]);
    await t.create({ Name: 'next', EndDate: new Date('2027-01-01T00:00:00Z') });
    expect((await t.emulator.control('GET', '/_emulator/scheduler/schedules')).json).toEqual({
      schedules: [
        {
          accountId: ACCOUNT,
          region: REGION,
          groupName: 'default',
          name: 'next',
          arn: arnOf('next'),
          state: 'ENABLED',
          scheduleExpression: 'cron(0 12 * * ? *)',
          scheduleExpressionTimezone: 'UTC',
          endDate: '2027-01-01T00:00:00.000Z',
          target: { arn: QUEUE, roleArn: ROLE },
          nextInvocationAt: '2026-01-01T12:00:00.000Z',
        },
        expect.objectContaining({ name: 's', state: 'DISABLED', lastInvocationAt: '2026-01-01T00:00:00.000Z' }),
      ],
    });
  });

  test('return dead letters and reject unknown schedules', async () => {
    t.failures.set('sns', () => awsError('NotFound', 'gone'));
    const Target = { Arn: arn('sns', 'topic'), RoleArn: ROLE, DeadLetterConfig: { Arn: DEAD } };
    await t.create({ Target });
    expect((await t.emulator.control('POST', '/_emulator/scheduler/fire/default/s')).json).toMatchObject({
      status: 'dead-lettered',
      error: { code: 'NotFound', message: 'gone' },
    });
    expect(await t.emulator.control('POST', '/_emulator/scheduler/fire/default/none')).toMatchObject({
      status: 404,
      json: { error: { code: 'ScheduleNotFound' } },
    });
  });
});
