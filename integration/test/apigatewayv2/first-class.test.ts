import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { SFN } from '@aws-sdk/client-sfn';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, refusal, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { manifest as http } from '@emu/svc-apigatewayv2/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { manifest as states } from '@emu/svc-stepfunctions/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/gateway`;

let emulator: TestEmulator;
let api: ApiGatewayV2;
let sqs: SQS;
let QueueUrl: string;
let ApiId: string;

beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [http, events, kinesis, sqsManifest, states],
    settings: { accountId: ACCOUNT },
  });
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  api = new ApiGatewayV2(config);
  sqs = new SQS(config);
  QueueUrl = (await sqs.createQueue({ QueueName: 'orders' })).QueueUrl!;
  ({ ApiId } = (await api.createApi({ Name: 'services', ProtocolType: 'HTTP' })) as { ApiId: string });
  await api.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
});
afterAll(() => emulator.close());

/** Adds a route that calls an operation of a service. */
async function route(path: string, IntegrationSubtype: string, RequestParameters: Record<string, string>) {
  const { IntegrationId } = await api.createIntegration({
    ApiId,
    IntegrationType: 'AWS_PROXY',
    IntegrationSubtype,
    CredentialsArn: ROLE,
    PayloadFormatVersion: '1.0',
    RequestParameters,
  });
  await api.createRoute({ ApiId, RouteKey: `POST ${path}`, Target: `integrations/${IntegrationId}` });
}

async function post(target: string, body = '', headers: Record<string, string> = {}) {
  const host = `${ApiId}.execute-api.us-east-1.amazonaws.com`;
  const type = { 'content-type': 'application/json' };
  const answer = await sendRaw(emulator, {
    method: 'POST',
    target,
    headers: { host, ...type, ...headers },
    chunks: [body],
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are those of several services
  return { ...answer, json: JSON.parse(answer.text) as any };
}

describe('integrations with SQS', () => {
  it('send, receive and delete messages', async () => {
    await route('/send', 'SQS-SendMessage', {
      QueueUrl,
      MessageBody: '$request.body.text',
      DelaySeconds: '0',
      MessageAttributes: '$request.header.x-attributes',
    });
    await route('/receive', 'SQS-ReceiveMessage', {
      QueueUrl,
      MaxNumberOfMessages: '$request.querystring.count',
      MessageAttributeNames: '["All"]',
      VisibilityTimeout: '30',
      WaitTimeSeconds: '0',
    });
    await route('/delete', 'SQS-DeleteMessage', { QueueUrl, ReceiptHandle: '$request.body.receipt' });
    const attributes = JSON.stringify({ kind: { DataType: 'String', StringValue: 'new' } });
    const sent = await post('/send', '{"text":"hi"}', { 'x-attributes': attributes });
    expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/json']);
    const received = await post('/receive?count=5');
    expect(received.json.Messages).toMatchObject([
      { MessageId: sent.json.MessageId, Body: 'hi', MessageAttributes: { kind: { StringValue: 'new' } } },
    ]);
    const [{ ReceiptHandle: receipt }] = received.json.Messages;
    expect((await post('/delete', JSON.stringify({ receipt }))).status).toBe(200);
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
  });

  it('send messages of groups', async () => {
    const { QueueUrl: fifo } = await sqs.createQueue({ QueueName: 'o.fifo', Attributes: { FifoQueue: 'true' } });
    await route('/group', 'SQS-SendMessage', {
      QueueUrl: fifo!,
      MessageBody: '$request.body',
      MessageGroupId: '$request.body.group',
      MessageDeduplicationId: '$context.requestId',
    });
    await post('/group', '{"group":"g"}');
    const { Messages } = await sqs.receiveMessage({ QueueUrl: fifo, MessageSystemAttributeNames: ['All'] });
    expect(Messages).toMatchObject([{ Body: '{"group":"g"}', Attributes: { MessageGroupId: 'g' } }]);
  });

  it('purge a queue, and return errors of the queue', async () => {
    await route('/purge', 'SQS-PurgeQueue', { QueueUrl });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    expect((await post('/purge')).status).toBe(200);
    await expect.poll(async () => (await sqs.receiveMessage({ QueueUrl })).Messages ?? []).toEqual([]);
    await route('/nowhere', 'SQS-SendMessage', { QueueUrl: `${QueueUrl}-none`, MessageBody: 'x' });
    const refused = await post('/nowhere');
    expect([refused.status, refused.json.__type]).toEqual([400, 'QueueDoesNotExist']);
  });
});

it('an integration with EventBridge puts an event onto its bus', async () => {
  const bus = new EventBridge(emulator.clientConfig());
  await bus.createEventBus({ Name: 'shop' });
  const rule = { Name: 'all', EventBusName: 'shop' };
  await bus.putRule({ ...rule, EventPattern: '{"source":["web"]}' });
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] });
  await bus.putTargets({ Rule: 'all', EventBusName: 'shop', Targets: [{ Id: 'q', Arn: Attributes!.QueueArn }] });
  await route('/event', 'EventBridge-PutEvents', {
    Detail: '$request.body.detail',
    DetailType: '$request.querystring.type',
    Source: 'web',
    EventBusName: 'shop',
    Resources: '["a","b"]',
    Time: '2026-01-01T00:00:00Z',
  });
  const { json } = await post('/event?type=Made', '{"detail":{"id":7}}');
  expect(json).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }] });
  let body = '';
  const arrived = async () => {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl });
    body = Messages[0]?.Body ?? '';
    return Messages.length;
  };
  await expect.poll(arrived).toBe(1);
  expect(JSON.parse(body)).toMatchObject({
    detail: { id: 7 },
    'detail-type': 'Made',
    source: 'web',
    resources: ['a', 'b'],
    time: '2026-01-01T00:00:00Z',
  });
});

it('an integration with Kinesis puts a record', async () => {
  const streams = new Kinesis(emulator.clientConfig());
  const StreamName = 'clicks';
  await streams.createStream({ StreamName, ShardCount: 1 });
  await emulator.kernel.clock.advance(60_000);
  await route('/record', 'Kinesis-PutRecord', {
    StreamName,
    Data: '$request.body',
    PartitionKey: '$request.header.x-key',
    ExplicitHashKey: '7',
  });
  const { json } = await post('/record', '{"click":1}', { 'x-key': 'k' });
  expect(json).toMatchObject({ ShardId: 'shardId-000000000000', SequenceNumber: expect.stringMatching(/^\d+$/) });
  const { ShardIterator } = await streams.getShardIterator({
    StreamName,
    ShardId: json.ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records = [] } = await streams.getRecords({ ShardIterator });
  expect(Records.map(({ Data, PartitionKey }) => [Buffer.from(Data!).toString(), PartitionKey])).toEqual([
    ['{"click":1}', 'k'],
  ]);
});

describe('integrations with Step Functions', () => {
  const machine = async (name: string, type: 'STANDARD' | 'EXPRESS', state: object) => {
    const machines = new SFN({ ...emulator.clientConfig(), disableHostPrefix: true });
    const definition = JSON.stringify({ StartAt: 'a', States: { a: state } });
    const { stateMachineArn } = await machines.createStateMachine({ name, type, roleArn: ROLE, definition });
    return { machines, StateMachineArn: stateMachineArn! };
  };

  it('start and stop an execution', async () => {
    const { machines, StateMachineArn } = await machine('waits', 'STANDARD', { Type: 'Wait', Seconds: 99, End: true });
    await route('/start', 'StepFunctions-StartExecution', {
      StateMachineArn,
      Name: '$request.querystring.name',
      Input: '$request.body',
    });
    await route('/stop', 'StepFunctions-StopExecution', {
      ExecutionArn: '$request.body.arn',
      Cause: 'enough',
      Error: 'Stopped',
    });
    const { json } = await post('/start?name=one', '{"a":1}');
    const { executionArn } = json;
    expect(json).toEqual({ executionArn: expect.stringMatching(/:waits:one$/), startDate: expect.any(Number) });
    expect(await machines.describeExecution({ executionArn })).toMatchObject({ status: 'RUNNING', input: '{"a":1}' });
    expect((await post('/stop', JSON.stringify({ arn: executionArn }))).status).toBe(200);
    expect(await machines.describeExecution({ executionArn })).toMatchObject({
      status: 'ABORTED',
      cause: 'enough',
      error: 'Stopped',
    });
  });

  it('wait for an express execution', async () => {
    const { StateMachineArn } = await machine('fast', 'EXPRESS', { Type: 'Pass', Result: { done: true }, End: true });
    await route('/sync', 'StepFunctions-StartSyncExecution', { StateMachineArn, Input: '$request.body' });
    const { json } = await post('/sync', '{"a":1}');
    expect(json).toMatchObject({ status: 'SUCCEEDED', input: '{"a":1}', output: '{"done":true}' });
  });
});

it('an integration uses the region that it names', async () => {
  const west = new SQS({ ...emulator.clientConfig(), region: 'us-west-2' });
  const { QueueUrl: far } = await west.createQueue({ QueueName: 'far' });
  await route('/far', 'SQS-SendMessage', { QueueUrl: far!, MessageBody: 'west', Region: 'us-west-2' });
  expect((await post('/far')).status).toBe(200);
  expect((await west.receiveMessage({ QueueUrl: far })).Messages).toMatchObject([{ Body: 'west' }]);
});

it('subtypes require their own parameters, and AppConfig is unsupported', async () => {
  const create = (IntegrationSubtype: string, RequestParameters: Record<string, string>) =>
    refusal(
      api.createIntegration({
        ApiId,
        IntegrationType: 'AWS_PROXY',
        IntegrationSubtype,
        CredentialsArn: ROLE,
        PayloadFormatVersion: '1.0',
        RequestParameters,
      }),
    );
  const missing: Record<string, readonly string[]> = {
    'EventBridge-PutEvents': ['Detail', 'DetailType', 'Source'],
    'SQS-SendMessage': ['QueueUrl', 'MessageBody'],
    'SQS-ReceiveMessage': ['QueueUrl'],
    'SQS-DeleteMessage': ['QueueUrl', 'ReceiptHandle'],
    'SQS-PurgeQueue': ['QueueUrl'],
    'Kinesis-PutRecord': ['StreamName', 'Data', 'PartitionKey'],
    'StepFunctions-StartExecution': ['StateMachineArn'],
    'StepFunctions-StartSyncExecution': ['StateMachineArn'],
    'StepFunctions-StopExecution': ['ExecutionArn'],
  };
  for (const [subtype, names] of Object.entries(missing)) {
    const all = Object.fromEntries(names.map((name) => [name, 'x']));
    for (const name of names) {
      const { [name]: _, ...rest } = all;
      const { name: code, message } = await create(subtype, rest);
      expect([subtype, code, message.includes(name)]).toEqual([subtype, 'BadRequestException', true]);
    }
    expect((await create(subtype, { ...all, Unknown: 'x' })).message).toContain('Unknown');
  }
  const parameters = { Application: 'a', Environment: 'e', Configuration: 'c', ClientId: 'i' };
  expect((await create('AppConfig-GetConfiguration', parameters)).name).toBe('NotImplemented');
});
