import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Lambda } from '@aws-sdk/client-lambda';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { zipOf } from '@emu/gateway/testing';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, REGION, ROLE, type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

let test: SfnTest;
let sqs: SQS;
let functionArn: string;
beforeAll(async () => {
  test = await startSfn({ manifests: [dynamodb, events, lambdaManifest, s3, snsManifest, sqsManifest] });
  // Functions run as code.
  test.emulator.kernel.clock.resume();
  sqs = new SQS(test.emulator.clientConfig());
  const code = `exports.handler = async ({ fail, n = 1 }) => {
    if (!fail) return { n: n + 1 };
    const error = new Error('no ' + fail);
    error.name = fail;
    throw error;
  };`;
  const made = await new Lambda(test.emulator.clientConfig()).createFunction({
    FunctionName: 'add',
    Role: ROLE,
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': code }) },
  });
  functionArn = made.FunctionArn!;
});
afterAll(() => test[Symbol.asyncDispose]());

let queues = 0;
const makeQueue = async (): Promise<{ url: string; arn: string }> => {
  const QueueName = `q${++queues}`;
  const { QueueUrl } = await sqs.createQueue({ QueueName });
  return { url: QueueUrl!, arn: `arn:aws:sqs:${REGION}:${ACCOUNT}:${QueueName}` };
};

/** Returns the body of the next message of a queue. */
async function received(url: string): Promise<Record<string, unknown>> {
  const { Messages } = await sqs.receiveMessage({ QueueUrl: url, WaitTimeSeconds: 5 });
  return JSON.parse(Messages![0]!.Body!) as Record<string, unknown>;
}

/** One task with its error handling. */
const task = (Resource: string, more: object = {}) => ({
  StartAt: 'T',
  States: { T: { Type: 'Task', Resource, End: true, ...more } },
});

/** Runs a definition in real time. */
async function outcome(definition: object, input: unknown = {}) {
  const executionArn = await test.start(await test.machine(definition), input);
  await expect
    .poll(async () => (await test.sfn.describeExecution({ executionArn })).status, { timeout: 10_000 })
    .not.toBe('RUNNING');
  const { status, output, error, cause } = await test.sfn.describeExecution({ executionArn });
  return { status, error, cause, output: output === undefined ? undefined : JSON.parse(output), executionArn };
}

/** Returns the header names in a result, as recorded. */
const headersOf = ({ SdkHttpMetadata: { AllHttpHeaders } }: { SdkHttpMetadata: { AllHttpHeaders: object } }) =>
  Object.keys(AllHttpHeaders).sort();

const CAUGHT = { Catch: [{ ErrorEquals: ['Odd'], ResultPath: '$.error', Next: 'D' }] };

describe('functions', () => {
  it('are identified by ARN', async () => {
    expect(await outcome(task(functionArn), { n: 4 })).toMatchObject({ status: 'SUCCEEDED', output: { n: 5 } });
  });

  it('are invoked with a payload and return one', async () => {
    const definition = task('arn:aws:states:::lambda:invoke', {
      Parameters: { FunctionName: 'add', LogType: 'Tail', 'Payload.$': '$' },
    });
    const { output } = await outcome(definition, { n: 1 });
    const answer = { Payload: { n: 2 }, StatusCode: 200, ExecutedVersion: '$LATEST', LogResult: expect.any(String) };
    expect(output).toMatchObject(answer);
    expect(output.SdkHttpMetadata.HttpStatusCode).toBe(200);
    expect(headersOf(output)).toEqual([
      ...['Connection', 'Content-Length', 'Content-Type', 'Date', 'X-Amz-Executed-Version', 'X-Amz-Log-Result'],
      ...['X-Amzn-Trace-Id', 'x-amzn-Remapped-Content-Length', 'x-amzn-RequestId'],
    ]);
  });

  it('fail with the names of their errors, which rules match', async () => {
    const { status, error, cause } = await outcome(task(functionArn), { fail: 'Odd' });
    expect([status, error]).toEqual(['FAILED', 'Odd']);
    expect(JSON.parse(cause!)).toMatchObject({ errorType: 'Odd', errorMessage: 'no Odd' });
    const caught = task(functionArn, {
      Retry: [{ ErrorEquals: ['Odd'], IntervalSeconds: 1, MaxAttempts: 1 }],
      ...CAUGHT,
    });
    const handled = await outcome({ ...caught, States: { ...caught.States, D: { Type: 'Succeed' } } }, { fail: 'Odd' });
    expect([handled.status, handled.output.error.Error]).toEqual(['SUCCEEDED', 'Odd']);
    const types = (await test.events(handled.executionArn)).map(({ type }) => type);
    expect(types.filter((type) => type === 'LambdaFunctionFailed')).toHaveLength(2);
  });
});

describe('messages', () => {
  it('are sent to queues', async () => {
    const { url } = await makeQueue();
    const send = { QueueUrl: url, 'MessageBody.$': '$' };
    const { output } = await outcome(task('arn:aws:states:::sqs:sendMessage', { Parameters: send }), { a: 1 });
    expect(output.MessageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await received(url)).toEqual({ a: 1 });
  });

  it('carry a token that ends the task', async () => {
    const { url } = await makeQueue();
    const definition = task('arn:aws:states:::sqs:sendMessage.waitForTaskToken', {
      Parameters: { QueueUrl: url, MessageBody: { 'token.$': '$$.Task.Token' } },
    });
    const executionArn = await test.start(await test.machine(definition));
    const { token } = await received(url);
    expect((await test.sfn.describeExecution({ executionArn })).status).toBe('RUNNING');
    await test.sfn.sendTaskSuccess({ taskToken: token as string, output: '{"ok":true}' });
    await expect.poll(async () => (await test.sfn.describeExecution({ executionArn })).output).toBe('{"ok":true}');
  });

  it('contain a token that completes the task', async () => {
    const { url, arn } = await makeQueue();
    const sns = new SNS(test.emulator.clientConfig());
    const { TopicArn } = await sns.createTopic({ Name: 'news' });
    await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: arn, Attributes: { RawMessageDelivery: 'true' } });
    const definition = task('arn:aws:states:::sns:publish', { Parameters: { TopicArn, Message: { b: 2 } } });
    const { status, output } = await outcome(definition);
    expect(status).toBe('SUCCEEDED');
    expect(headersOf(output)).toEqual(['Content-Length', 'Content-Type', 'Date', 'connection', 'x-amzn-RequestId']);
    expect(await received(url)).toEqual({ b: 2 });
  });

  it('are put onto event buses', async () => {
    const { url, arn } = await makeQueue();
    const bus = new EventBridge(test.emulator.clientConfig());
    await bus.putRule({ Name: 'shop', EventPattern: '{"source":["shop"]}' });
    await bus.putTargets({ Rule: 'shop', Targets: [{ Id: 't', Arn: arn }] });
    const Entries = [{ Source: 'shop', DetailType: 'Order', Detail: { id: 7 } }];
    const { output } = await outcome(task('arn:aws:states:::events:putEvents', { Parameters: { Entries } }));
    expect(output).toMatchObject({ FailedEntryCount: 0 });
    expect(await received(url)).toMatchObject({ source: 'shop', detail: { id: 7 } });
  });
});

it('puts and gets items', async () => {
  const db = new DynamoDB(test.emulator.clientConfig());
  await db.createTable({
    TableName: 'items',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  const Item = { id: { S: '1' }, n: { N: '2' } };
  const { output } = await outcome({
    StartAt: 'P',
    States: {
      P: {
        Type: 'Task',
        Resource: 'arn:aws:states:::dynamodb:putItem',
        Parameters: { TableName: 'items', Item },
        Next: 'G',
      },
      G: {
        Type: 'Task',
        Resource: 'arn:aws:states:::dynamodb:getItem',
        Parameters: { TableName: 'items', Key: { id: { S: '1' } } },
        End: true,
      },
    },
  });
  expect(output.Item).toEqual(Item);
  const names = ['Connection', 'Content-Length', 'Content-Type', 'Date', 'Server', 'x-amz-crc32', 'x-amzn-RequestId'];
  expect(headersOf(output)).toEqual(names);
});

describe('any operation', () => {
  it("is called by its name in AWS's SDK", async () => {
    const { url, arn } = await makeQueue();
    const Parameters = { QueueUrl: url, AttributeNames: ['QueueArn'] };
    const { output } = await outcome(task('arn:aws:states:::aws-sdk:sqs:getQueueAttributes', { Parameters }));
    expect(output).toEqual({ Attributes: { QueueArn: arn } });
  });

  it("answers URLs with emu's address", async () => {
    const { url } = await makeQueue();
    const QueueName = url.split('/').at(-1);
    const found = () => outcome(task('arn:aws:states:::aws-sdk:sqs:getQueueUrl', { Parameters: { QueueName } }));
    const { pathname } = new URL(url);
    expect((await found()).output).toEqual({ QueueUrl: `http://localhost${pathname}` });
    const listener = await test.emulator.gateway.listen({ port: 0 });
    expect((await found()).output).toEqual({ QueueUrl: `${listener.url}${pathname}` });
    await listener.close();
  });

  it('fails like the SDK', async () => {
    const Parameters = { Bucket: 'absent', Key: 'k' };
    const { error, cause } = await outcome(task('arn:aws:states:::aws-sdk:s3:getObject', { Parameters }));
    expect(error).toBe('S3.NoSuchBucketException');
    expect(cause).toMatch(
      /^The specified bucket does not exist \(Service: S3, Status Code: 404, Request ID: \S+, Extended Request ID: \S+\)$/,
    );
  });
});

it('waits for nested executions, and returns their output as JSON', async () => {
  const StateMachineArn = await test.machine({ StartAt: 'T', States: task(functionArn).States });
  const Parameters = { StateMachineArn, Input: { n: 8 } };
  const { output } = await outcome(task('arn:aws:states:::states:startExecution.sync:2', { Parameters }));
  expect(output).toMatchObject({ Status: 'SUCCEEDED', Input: { n: 8 }, Output: { n: 9 } });
});

it('notifies EventBridge about executions', async () => {
  const { url, arn } = await makeQueue();
  const bus = new EventBridge(test.emulator.clientConfig());
  await bus.putRule({ Name: 'status', EventPattern: '{"source":["aws.states"],"detail":{"status":["SUCCEEDED"]}}' });
  await bus.putTargets({ Rule: 'status', Targets: [{ Id: 't', Arn: arn }] });
  const { executionArn } = await outcome({ StartAt: 'P', States: { P: { Type: 'Pass', End: true } } }, { x: 1 });
  expect(await received(url)).toMatchObject({
    'detail-type': 'Step Functions Execution Status Change',
    resources: [executionArn],
    detail: { executionArn, status: 'SUCCEEDED', input: '{"x":1}', output: '{"x":1}' },
  });
});
