import type { ServiceCaller } from '@emu/core/service';
import { zipOf } from '@emu/gateway/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmulator, type EmbeddedEmulator } from '../src/index.ts';

const ACCOUNT = '123456789012';
const SQS = `arn:aws:sqs:us-east-1:${ACCOUNT}`;

/** A completed operation. */
interface Ran {
  service: string;
  operation: string;
  requestId: string;
  cause: string | undefined;
}

let emu: EmbeddedEmulator;
/** Completed operations, in order. */
let ran: Ran[];

beforeEach(async () => {
  emu = await createEmulator({ settings: { EMULATOR_LAMBDA_BACKEND: 'process' }, logLevel: 'error' });
  ran = [];
  const { kernel } = emu;
  const invoke = kernel.invoke.bind(kernel);
  kernel.invoke = (invocation) => {
    const { service, operation, requestId, cause } = invocation;
    ran.push({ service, operation, requestId, cause });
    return invoke(invocation);
  };
});
afterEach(() => emu.close());

const call: ServiceCaller['call'] = (service, operation, input) => emu.kernel.call(service, operation, input);
const find = (operation: string, service?: string): Ran | undefined =>
  ran.find((one) => one.operation === operation && (service === undefined || one.service === service));

async function queue(QueueName: string): Promise<string> {
  return (await call('sqs', 'CreateQueue', { QueueName })).QueueUrl!;
}

async function createFunction(FunctionName: string, code: string): Promise<string> {
  const { FunctionArn } = await call('lambda', 'CreateFunction', {
    FunctionName,
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Role: `arn:aws:iam::${ACCOUNT}:role/worker`,
    Code: { ZipFile: zipOf({ 'index.mjs': code }) },
  });
  return FunctionArn!;
}

/** Publishes to a topic as an SDK does, signed with the key in the environment. */
const PUBLISHING = `export async function handler() {
  const credential = process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/sns/aws4_request';
  const response = await fetch(process.env.AWS_ENDPOINT_URL, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: 'AWS4-HMAC-SHA256 Credential=' + credential + ', SignedHeaders=host, Signature=0',
    },
    body: new URLSearchParams({
      Action: 'Publish', Version: '2010-03-31', Message: 'done', TopicArn: 'arn:aws:sns:us-east-1:${ACCOUNT}:done',
    }),
  });
  if (!response.ok) throw new Error(await response.text());
}`;

test('an object causes a message, an invocation, and the requests of the function', { timeout: 60_000 }, async () => {
  await call('s3', 'CreateBucket', { Bucket: 'uploads' });
  await queue('uploaded');
  const end = await queue('end');
  await call('sns', 'CreateTopic', { Name: 'done' });
  await call('sns', 'Subscribe', {
    TopicArn: `arn:aws:sns:us-east-1:${ACCOUNT}:done`,
    Protocol: 'sqs',
    Endpoint: `${SQS}:end`,
  });
  const QueueConfigurations = [{ QueueArn: `${SQS}:uploaded`, Events: ['s3:ObjectCreated:*' as const] }];
  await call('s3', 'PutBucketNotificationConfiguration', {
    Bucket: 'uploads',
    NotificationConfiguration: { QueueConfigurations },
    SkipDestinationValidation: true,
  });
  await createFunction('worker', PUBLISHING);
  await call('lambda', 'CreateEventSourceMapping', { FunctionName: 'worker', EventSourceArn: `${SQS}:uploaded` });
  ran.length = 0;
  const body = Buffer.from('content');
  const answer = await emu.gateway.handle({
    method: 'PUT',
    target: '/uploads/key',
    headers: {
      host: 's3.us-east-1.amazonaws.com',
      'content-length': String(body.length),
      // The signature is not verified.
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: {
      bytes: async () => body,
      async *stream() {
        yield body;
      },
    },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  });
  expect(answer.status).toBe(200);
  const requestId = answer.headers['x-amz-request-id'];
  await call('sqs', 'ReceiveMessage', { QueueUrl: end, WaitTimeSeconds: 20 });

  const put = find('PutObject')!;
  expect(put).toMatchObject({ requestId, cause: undefined });
  const notified = find('SendMessage')!;
  expect(notified.cause).toBe(put.requestId);
  // Listed at its end, after the message has arrived.
  await expect
    .poll(async () => (await emu.control.lambda.invocations()).invocations, { timeout: 30_000 })
    .toHaveLength(1);
  const [invocation] = (await emu.control.lambda.invocations()).invocations;
  expect(invocation).toMatchObject({ functionName: 'worker', cause: notified.requestId });
  const published = find('Publish')!;
  expect(published.cause).toBe(invocation!.requestId);
  const delivered = ran.filter(({ operation }) => operation === 'SendMessage')[1]!;
  expect(delivered.cause).toBe(published.requestId);
});

test('deferred work keeps its cause through a restore', { timeout: 60_000 }, async () => {
  await queue('results');
  const FunctionName = await createFunction('later', 'export const handler = async () => "done"');
  await call('lambda', 'PutFunctionEventInvokeConfig', {
    FunctionName,
    DestinationConfig: { OnSuccess: { Destination: `${SQS}:results` } },
  });
  const source = await queue('source');
  await call('sqs', 'SendMessage', { QueueUrl: source, MessageBody: '{}', DelaySeconds: 60 });
  const sent = find('SendMessage')!;
  emu.clock.freeze();
  await emu.restore(emu.snapshot());
  await call('lambda', 'CreateEventSourceMapping', { FunctionName, EventSourceArn: `${SQS}:source` });
  await emu.clock.advance('1m');
  await expect
    .poll(async () => (await emu.control.lambda.invocations()).invocations[0]?.cause, { timeout: 30_000 })
    .toBe(sent.requestId);

  await call('lambda', 'Invoke', { FunctionName, InvocationType: 'Event', Payload: Buffer.from('{}') });
  const invoked = find('Invoke')!;
  await expect
    .poll(() => ran.filter(({ operation }) => operation === 'SendMessage').length, { timeout: 30_000 })
    .toBe(2);
  expect(ran.filter(({ operation }) => operation === 'SendMessage')[1]!.cause).toBe(invoked.requestId);
});

test('an event, its replay and a schedule cause their deliveries', async () => {
  await queue('events');
  const targets = { Targets: [{ Id: '1', Arn: `${SQS}:events` }] };
  await call('events', 'PutRule', { Name: 'orders', EventPattern: '{"source":["shop"]}' });
  await call('events', 'PutTargets', { Rule: 'orders', ...targets });
  const bus = `arn:aws:events:us-east-1:${ACCOUNT}:event-bus/default`;
  await call('events', 'CreateArchive', { ArchiveName: 'all', EventSourceArn: bus });
  const sends = (): Ran[] => ran.filter(({ operation }) => operation === 'SendMessage');
  await call('events', 'PutEvents', { Entries: [{ Source: 'shop', DetailType: 'order', Detail: '{}' }] });
  await expect.poll(() => sends().length).toBe(1);
  expect(sends()[0]!.cause).toBe(find('PutEvents')!.requestId);

  await emu.clock.advance('10m');
  await call('events', 'StartReplay', {
    ReplayName: 'again',
    EventSourceArn: `arn:aws:events:us-east-1:${ACCOUNT}:archive/all`,
    EventStartTime: new Date(0),
    EventEndTime: new Date(emu.clock.now()),
    Destination: { Arn: bus },
  });
  await emu.clock.advance('1m');
  await expect.poll(() => sends().length).toBe(2);
  expect(sends()[1]!.cause).toBe(find('StartReplay')!.requestId);

  await call('events', 'PutRule', { Name: 'orders', State: 'DISABLED', EventPattern: '{"source":["shop"]}' });
  await call('events', 'PutRule', { Name: 'clock', ScheduleExpression: 'rate(1 minute)' });
  await call('events', 'PutTargets', {
    Rule: 'clock',
    Targets: [...targets.Targets, { Id: '2', Arn: `${SQS}:events` }],
  });
  await emu.clock.advance('1m');
  await expect.poll(() => sends().length).toBe(4);
  const [first, second] = sends().slice(2);
  expect(first!.cause).toMatch(/^[\da-f-]{36}$/);
  expect(second!.cause).toBe(first!.cause);
  expect(ran.some(({ requestId }) => requestId === first!.cause)).toBe(false);
});

test('a change of an item causes the work of its streams', { timeout: 60_000 }, async () => {
  const { TableDescription } = await call('dynamodb', 'CreateTable', {
    TableName: 'items',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  });
  await queue('failed');
  await createFunction('watcher', 'export const handler = async () => { throw new Error("no") }');
  await call('lambda', 'CreateEventSourceMapping', {
    FunctionName: 'watcher',
    EventSourceArn: TableDescription!.LatestStreamArn!,
    StartingPosition: 'TRIM_HORIZON',
    MaximumRetryAttempts: 0,
    DestinationConfig: { OnFailure: { Destination: `${SQS}:failed` } },
  });
  await call('dynamodb', 'PutItem', { TableName: 'items', Item: { id: { S: 'a' } } });
  const put = find('PutItem')!;
  await expect.poll(() => find('SendMessage'), { timeout: 30_000 }).toBeDefined();
  const [invocation] = (await emu.control.lambda.invocations()).invocations;
  expect(invocation!.cause).toBe(put.requestId);
  expect(find('SendMessage')!.cause).toBe(invocation!.requestId);
  // A client that reads the stream does not receive the cause.
  const { ShardIterator } = await call('dynamodbstreams', 'GetShardIterator', {
    StreamArn: TableDescription!.LatestStreamArn!,
    ShardId: (
      await call('dynamodbstreams', 'DescribeStream', {
        StreamArn: TableDescription!.LatestStreamArn!,
      })
    ).StreamDescription!.Shards![0]!.ShardId!,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records } = await call('dynamodbstreams', 'GetRecords', { ShardIterator: ShardIterator! });
  expect(JSON.stringify(Records)).not.toContain(put.requestId);
});

test('a request causes the execution it starts, the confirmation it requests and the secret it stores', async () => {
  await call('lambda', 'CreateFunction', {
    FunctionName: 'durable',
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Role: `arn:aws:iam::${ACCOUNT}:role/worker`,
    DurableConfig: { ExecutionTimeout: 600 },
    Code: { ZipFile: zipOf({ 'index.mjs': 'export const handler = async () => ({ Status: "SUCCEEDED" })' }) },
  });
  await call('lambda', 'Invoke', { FunctionName: 'durable', Qualifier: '$LATEST', InvocationType: 'Event' });
  await expect
    .poll(async () => (await emu.control.lambda.invocations()).invocations[0]?.cause, { timeout: 30_000 })
    .toBe(find('Invoke')!.requestId);

  const { TopicArn } = await call('sns', 'CreateTopic', { Name: 'news' });
  const Endpoint = 'arn:aws:sqs:us-east-1:000000000002:theirs';
  await call('sns', 'Subscribe', { TopicArn: TopicArn!, Protocol: 'sqs', Endpoint });
  await expect.poll(() => find('SendMessage')?.cause).toBe(find('Subscribe')!.requestId);

  await call('events', 'CreateConnection', {
    Name: 'there',
    AuthorizationType: 'API_KEY',
    AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'key', ApiKeyValue: 'value' } },
  });
  await call('events', 'DeleteConnection', { Name: 'there' });
  expect(find('CreateSecret')!.cause).toBe(find('CreateConnection')!.requestId);
  expect(find('DeleteSecret')!.cause).toBe(find('DeleteConnection')!.requestId);
});
