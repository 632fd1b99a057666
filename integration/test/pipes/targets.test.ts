import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kinesisManifest } from '@emu/svc-kinesis/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ACCOUNT, arn, type PipesTest, REGION, ROLE, startPipes } from './support.ts';

let t: PipesTest;
beforeAll(async () => {
  t = await startPipes({ manifests: [events, kinesisManifest, logsManifest, snsManifest, stepfunctions] });
});
afterAll(() => t[Symbol.asyncDispose]());

/** Creates a source queue and a pipe to a target, and sends a message. */
async function through(Target: string, TargetParameters: object, body: unknown, more: object = {}): Promise<string> {
  const source = await t.queue();
  const name = await t.run({ Source: source.arn, Target, TargetParameters, ...more });
  await t.sqs.sendMessage({ QueueUrl: source.url, MessageBody: JSON.stringify(body) });
  return name;
}

test('a queue', async () => {
  const target = await t.queue();
  await through(
    target.arn,
    { InputTemplate: '{"name": <$.body.name>, "pipe": "<aws.pipes.pipe-name>"}' },
    { name: 'a' },
  );
  expect(await t.received(target.url)).toEqual([{ name: 'a', pipe: expect.stringMatching(/^p\d/) }]);
});

test('a FIFO queue, with paths', async () => {
  const target = await t.queue({ FifoQueue: 'true' });
  const SqsQueueParameters = { MessageGroupId: '$.body.group', MessageDeduplicationId: '$.messageId' };
  await through(target.arn, { SqsQueueParameters, InputTemplate: '<$.body>' }, { group: 'g' });
  const { Messages } = await t.sqs.receiveMessage({
    QueueUrl: target.url,
    WaitTimeSeconds: 5,
    MessageSystemAttributeNames: ['All'],
  });
  expect(Messages).toMatchObject([{ Body: '{"group":"g"}', Attributes: { MessageGroupId: 'g' } }]);
});

test('a topic', async () => {
  const sns = new SNS(t.emulator.clientConfig());
  const { TopicArn } = await sns.createTopic({ Name: 'topic' });
  const target = await t.queue();
  await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: target.arn, Attributes: { RawMessageDelivery: 'true' } });
  await through(TopicArn!, { InputTemplate: '<$.body>' }, { n: 1 });
  expect(await t.received(target.url)).toEqual([{ n: 1 }]);
});

test('an event bus', async () => {
  const bridge = new EventBridge(t.emulator.clientConfig());
  const target = await t.queue();
  await bridge.putRule({ Name: 'all', EventPattern: JSON.stringify({ account: [ACCOUNT] }) });
  await bridge.putTargets({ Rule: 'all', Targets: [{ Id: 'q', Arn: target.arn }] });
  const bus = arn('events', 'event-bus/default');
  const name = await through(bus, { InputTemplate: '<$.body>' }, { n: 1 });
  expect(await t.received(target.url)).toMatchObject([
    { source: `Pipe ${name}`, 'detail-type': 'Event from aws:sqs', detail: { n: 1 } },
  ]);
  const EventBridgeEventBusParameters = { Source: 'app', DetailType: '$.body.type', Resources: ['$.eventSourceARN'] };
  await through(bus, { EventBridgeEventBusParameters }, { type: 'Made' });
  expect(await t.received(target.url)).toMatchObject([
    {
      source: 'app',
      'detail-type': 'Made',
      resources: [expect.stringMatching(/:q\d+$/)],
      detail: { eventSource: 'aws:sqs' },
    },
  ]);
});

test('a log group', async () => {
  const logs = new CloudWatchLogs(t.emulator.clientConfig());
  await logs.createLogGroup({ logGroupName: 'group' });
  const CloudWatchLogsParameters = { LogStreamName: '$.body.stream' };
  await through(
    arn('logs', 'log-group:group'),
    { CloudWatchLogsParameters, InputTemplate: 'got <$.body.n>' },
    { stream: 's', n: 1 },
  );
  await vi.waitFor(async () => {
    const { events: lines } = await logs.getLogEvents({ logGroupName: 'group', logStreamName: 's' });
    expect(lines).toMatchObject([{ message: 'got 1' }]);
  });
});

test('a stream', async () => {
  const kinesis = new Kinesis(t.emulator.clientConfig());
  await kinesis.createStream({ StreamName: 'target', ShardCount: 1 });
  await vi.waitFor(async () => {
    const { StreamDescriptionSummary } = await kinesis.describeStreamSummary({ StreamName: 'target' });
    expect(StreamDescriptionSummary!.StreamStatus).toBe('ACTIVE');
  });
  const KinesisStreamParameters = { PartitionKey: '$.body.key' };
  await through(arn('kinesis', 'stream/target'), { KinesisStreamParameters, InputTemplate: '<$.body>' }, { key: 'k' });
  const { Shards } = await kinesis.listShards({ StreamName: 'target' });
  const ShardId = Shards![0]!.ShardId!;
  const { ShardIterator } = await kinesis.getShardIterator({
    StreamName: 'target',
    ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  await vi.waitFor(async () => {
    const { Records } = await kinesis.getRecords({ ShardIterator });
    expect(Records!.map(({ PartitionKey, Data }) => [PartitionKey, Buffer.from(Data!).toString()])).toEqual([
      ['k', '{"key":"k"}'],
    ]);
  });
});

const machine = async (name: string, type: 'STANDARD' | 'EXPRESS', definition: object): Promise<string> => {
  const sfn = new SFN(t.emulator.clientConfig());
  const made = await sfn.createStateMachine({ name, type, roleArn: ROLE, definition: JSON.stringify(definition) });
  return made.stateMachineArn!;
};
const pass = (more: object) => ({ StartAt: 'P', States: { P: { Type: 'Pass', End: true, ...more } } });

test('a state machine, after an express one has enriched the batch', async () => {
  const standard = await machine('standard', 'STANDARD', pass({}));
  const express = await machine('express', 'EXPRESS', pass({ Parameters: { 'got.$': '$[0].body' } }));
  await through(
    standard,
    { StepFunctionStateMachineParameters: { InvocationType: 'FIRE_AND_FORGET' } },
    { n: 1 },
    { Enrichment: express },
  );
  const sfn = new SFN(t.emulator.clientConfig());
  await vi.waitFor(async () => {
    const { executions } = await sfn.listExecutions({ stateMachineArn: standard });
    const { input } = await sfn.describeExecution({ executionArn: executions![0]!.executionArn });
    expect(JSON.parse(input!)).toEqual([{ got: '{"n":1}' }]);
  });
  const source = await t.queue();
  await t.pipes.createPipe({ Name: 'sync', RoleArn: ROLE, Source: source.arn, Target: standard });
  await vi.waitFor(async () =>
    expect(await t.pipes.describePipe({ Name: 'sync' })).toMatchObject({
      CurrentState: 'CREATE_FAILED',
      StateReason: 'A STANDARD state machine can be invoked only with the invocation type FIRE_AND_FORGET.',
    }),
  );
});

test('an API destination', async () => {
  const bridge = new EventBridge(t.emulator.clientConfig());
  const { createServer } = await import('node:http');
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push([request.method, request.url, request.headers['x-key'], Buffer.concat(chunks).toString()]);
      response.end('{"enriched":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as { port: number };
    const { ConnectionArn } = await bridge.createConnection({
      Name: 'c',
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'x-key', ApiKeyValue: 'secret' } },
    });
    const { ApiDestinationArn } = await bridge.createApiDestination({
      Name: 'd',
      ConnectionArn,
      HttpMethod: 'POST',
      InvocationEndpoint: `http://127.0.0.1:${port}/things/*`,
    });
    const target = await t.queue();
    const EnrichmentParameters = {
      InputTemplate: '<$.body>',
      HttpParameters: { PathParameterValues: ['$.body.id'], QueryStringParameters: { q: 'v' } },
    };
    await through(target.arn, {}, { id: '7' }, { Enrichment: ApiDestinationArn, EnrichmentParameters });
    expect(await t.received(target.url)).toEqual([{ enriched: true }]);
    expect(seen).toEqual([['POST', '/things/7?q=v', 'secret', '{"id":"7"}']]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test('are called as the role of the pipe, in its account and region', async () => {
  const config = t.emulator.clientConfig({ accessKeyId: '111111111111', region: 'eu-west-1' });
  const { Pipes } = await import('@aws-sdk/client-pipes');
  const { SQS } = await import('@aws-sdk/client-sqs');
  const [pipes, sqs] = [new Pipes(config), new SQS(config)];
  const { QueueUrl } = await sqs.createQueue({ QueueName: 'elsewhere' });
  await pipes.createPipe({
    Name: 'elsewhere',
    RoleArn: 'arn:aws:iam::111111111111:role/other',
    Source: 'arn:aws:sqs:eu-west-1:111111111111:elsewhere',
    Target: 'arn:aws:lambda:eu-west-1:111111111111:function:elsewhere',
  });
  await sqs.sendMessage({ QueueUrl, MessageBody: 'text' });
  await vi.waitFor(() =>
    expect(t.calls.get('elsewhere')).toMatchObject([
      {
        event: [{ body: 'text', awsRegion: 'eu-west-1' }],
        principal: 'arn:aws:sts::111111111111:assumed-role/other/elsewhere',
      },
    ]),
  );
  expect(REGION).toBe('us-east-1');
});
