import { SQS } from '@aws-sdk/client-sqs';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';
import { ACCOUNT, REGION } from '../../../packages/svc-lambda/test/support.ts';

let test: RunningTest;
let sqs: SQS;
beforeAll(async () => {
  test = await startRunning({ manifests: [sqsManifest] });
  sqs = new SQS(test.emulator.clientConfig());
});
afterAll(() => test[Symbol.asyncDispose]());

let count = 0;
async function makeQueue(Attributes: Record<string, string> = {}): Promise<{ url: string; arn: string }> {
  const QueueName = `source-${++count}${Attributes.FifoQueue ? '.fifo' : ''}`;
  const { QueueUrl } = await sqs.createQueue({ QueueName, Attributes });
  return { url: QueueUrl!, arn: `arn:aws:sqs:${REGION}:${ACCOUNT}:${QueueName}` };
}

interface Run {
  payload: { Records: Record<string, unknown>[] };
  source: string;
  functionError?: string;
}

async function runsOf(name: string): Promise<Run[]> {
  const { json } = await test.emulator.control('GET', '/_emulator/lambda/invocations');
  const { invocations } = json as { invocations: (Omit<Run, 'payload'> & { payload: string; functionName: string })[] };
  return invocations
    .filter(({ functionName }) => functionName === name)
    .map((run) => ({ ...run, payload: JSON.parse(run.payload) as Run['payload'] }));
}

/** Waits for a number of runs of a function. */
async function runs(name: string, wanted: number): Promise<Run[]> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const found = await runsOf(name);
    if (found.length >= wanted) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${name} ran ${(await runsOf(name)).length} times and not ${wanted}`);
}

const bodies = ({ payload }: Run): unknown[] => payload.Records.map(({ body }) => body);

/** Returns the number of messages in a queue, visible or not. */
async function depth(url: string): Promise<number> {
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl: url, AttributeNames: ['All'] });
  return Number(Attributes!.ApproximateNumberOfMessages) + Number(Attributes!.ApproximateNumberOfMessagesNotVisible);
}

async function untilEmpty(url: string, left = 0): Promise<void> {
  for (let attempt = 0; attempt < 300 && (await depth(url)) !== left; attempt++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await depth(url)).toBe(left);
}

const ANY = { 'index.js': 'exports.handler = async (event) => event.Records.length;' };

describe('queues as event sources', () => {
  it('deliver messages with all attributes of SQS, and delete them', async () => {
    const queue = await makeQueue();
    const name = await test.define(ANY);
    await test.lambda.createEventSourceMapping({ FunctionName: name, EventSourceArn: queue.arn });
    const sent = await sqs.sendMessage({
      QueueUrl: queue.url,
      MessageBody: 'hello',
      MessageAttributes: {
        Author: { DataType: 'String', StringValue: 'me' },
        Raw: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2]) },
      },
    });
    const [run] = await runs(name, 1);
    // Fields as recorded.
    expect(run!.payload).toEqual({
      Records: [
        {
          messageId: sent.MessageId,
          receiptHandle: expect.any(String),
          body: 'hello',
          attributes: {
            ApproximateReceiveCount: '1',
            SentTimestamp: expect.stringMatching(/^\d{13}$/),
            SenderId: expect.any(String),
            ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          },
          messageAttributes: {
            Author: { stringValue: 'me', stringListValues: [], binaryListValues: [], dataType: 'String' },
            Raw: { binaryValue: 'AQI=', stringListValues: [], binaryListValues: [], dataType: 'Binary' },
          },
          md5OfMessageAttributes: sent.MD5OfMessageAttributes,
          md5OfBody: '5d41402abc4b2a76b9719d911017c592',
          eventSource: 'aws:sqs',
          eventSourceARN: queue.arn,
          awsRegion: REGION,
        },
      ],
    });
    expect(run!.source).toBe(queue.arn);
    await untilEmpty(queue.url);
  });

  it('are read while a mapping is enabled', async () => {
    const queue = await makeQueue();
    const name = await test.define(ANY);
    const { UUID } = await test.lambda.createEventSourceMapping({
      FunctionName: name,
      EventSourceArn: queue.arn,
      Enabled: false,
    });
    await sqs.sendMessage({ QueueUrl: queue.url, MessageBody: '1' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await runsOf(name)).toEqual([]);
    await test.lambda.updateEventSourceMapping({ UUID, Enabled: true });
    await runs(name, 1);
    await test.lambda.deleteEventSourceMapping({ UUID });
    await sqs.sendMessage({ QueueUrl: queue.url, MessageBody: '2' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await runsOf(name)).toHaveLength(1);
    expect(await depth(queue.url)).toBe(1);
  });

  it('collect batches during the batching window, in emulated time, up to the batch size', async () => {
    const queue = await makeQueue();
    const name = await test.define(ANY);
    await test.lambda.createEventSourceMapping({
      FunctionName: name,
      EventSourceArn: queue.arn,
      BatchSize: 25,
      MaximumBatchingWindowInSeconds: 20,
    });
    const send = async (from: number, to: number) => {
      for (let number = from; number < to; number++)
        await sqs.sendMessage({ QueueUrl: queue.url, MessageBody: String(number) });
    };
    await send(0, 12);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await runsOf(name)).toEqual([]);
    await test.emulator.kernel.clock.advance(21_000);
    const [first] = await runs(name, 1);
    expect(bodies(first!)).toHaveLength(12);
    await send(0, 25);
    const [, second] = await runs(name, 2);
    expect(bodies(second!)).toHaveLength(25);
    await untilEmpty(queue.url);
  });

  it('receive failed messages again after their visibility timeout, and redrive them', async () => {
    const dead = await makeQueue();
    const queue = await makeQueue({
      VisibilityTimeout: '30',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 2 }),
    });
    const name = await test.define({ 'index.js': 'exports.handler = async () => { throw new Error("no"); };' });
    await test.lambda.createEventSourceMapping({ FunctionName: name, EventSourceArn: queue.arn });
    await sqs.sendMessage({ QueueUrl: queue.url, MessageBody: 'poison' });
    expect((await runs(name, 1))[0]!.functionError).toBe('Unhandled');
    expect(await depth(queue.url)).toBe(1);
    await test.emulator.kernel.clock.advance(31_000);
    const [, second] = await runs(name, 2);
    expect(second!.payload.Records[0]!.attributes).toMatchObject({ ApproximateReceiveCount: '2' });
    await test.emulator.kernel.clock.advance(31_000);
    await untilEmpty(dead.url, 1);
    expect(await runsOf(name)).toHaveLength(2);
    await untilEmpty(queue.url);
  });

  it('delete the messages of a batch that the function did not report as failed', async () => {
    const report = async (code: string, left: number) => {
      const queue = await makeQueue();
      const name = await test.define({ 'index.js': `exports.handler = async ({ Records }) => { ${code} };` });
      for (const MessageBody of ['a', 'bad', 'c']) await sqs.sendMessage({ QueueUrl: queue.url, MessageBody });
      await test.lambda.createEventSourceMapping({
        FunctionName: name,
        EventSourceArn: queue.arn,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
      const [run] = await runs(name, 1);
      expect(bodies(run!)).toEqual(['a', 'bad', 'c']);
      await untilEmpty(queue.url, left);
    };
    const failing = "Records.filter((r) => r.body === 'bad').map((r) => ({ itemIdentifier: r.messageId }))";
    await report(`return { batchItemFailures: ${failing} }`, 1);
    await report('return { batchItemFailures: [] }', 0);
    await report('return null', 0);
    await report('return {}', 0);
    await report('return { batchItemFailures: [{ foo: "notvalid" }] }', 3);
    await report('return { batchItemFailures: [{ itemIdentifier: "other" }] }', 3);
    await report('return { batchItemFailures: "all" }', 3);
  });

  it('pass messages that match filters and delete the rest', async () => {
    const queue = await makeQueue();
    const name = await test.define(ANY);
    const Filters = [
      { Pattern: JSON.stringify({ body: { kind: ['wanted', { prefix: 'also' }] } }) },
      { Pattern: JSON.stringify({ body: ['plain text'] }) },
    ];
    await test.lambda.createEventSourceMapping({
      FunctionName: name,
      EventSourceArn: queue.arn,
      FilterCriteria: { Filters },
    });
    const sent = ['{"kind":"other"}', '{"kind":"wanted"}', 'no json', '{"kind":"also this"}', 'plain text'];
    for (const MessageBody of sent) await sqs.sendMessage({ QueueUrl: queue.url, MessageBody });
    await untilEmpty(queue.url);
    expect((await runsOf(name)).flatMap(bodies).sort()).toEqual([
      'plain text',
      '{"kind":"also this"}',
      '{"kind":"wanted"}',
    ]);
  });

  it('keep the order of FIFO groups, one batch of a group at a time', async () => {
    const queue = await makeQueue({ FifoQueue: 'true', ContentBasedDeduplication: 'true' });
    const name = await test.define({
      'index.js': 'exports.handler = async () => { await new Promise((r) => setTimeout(r, 20)); };',
    });
    for (let number = 0; number < 12; number++)
      await sqs.sendMessage({ QueueUrl: queue.url, MessageBody: String(number), MessageGroupId: `g${number % 2}` });
    await test.lambda.createEventSourceMapping({ FunctionName: name, EventSourceArn: queue.arn, BatchSize: 2 });
    await untilEmpty(queue.url);
    const all = (await runsOf(name)).flatMap(({ payload }) => payload.Records) as {
      body: string;
      attributes: { MessageGroupId: string };
    }[];
    for (const group of ['g0', 'g1']) {
      const order = all.filter(({ attributes }) => attributes.MessageGroupId === group).map(({ body }) => Number(body));
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(order).toHaveLength(6);
    }
  });

  it('process as many batches concurrently as the mapping allows', async () => {
    const queue = await makeQueue();
    const name = await test.define({
      'index.js':
        'const id = Math.random(); exports.handler = async () => { const at = Date.now(); await new Promise((r) => setTimeout(r, 60)); return [id, at]; };',
    });
    for (let number = 0; number < 8; number++)
      await sqs.sendMessage({ QueueUrl: queue.url, MessageBody: String(number) });
    await test.lambda.createEventSourceMapping({
      FunctionName: name,
      EventSourceArn: queue.arn,
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
    const done = (await runs(name, 8)) as (Run & { response: string })[];
    const environments = new Set(done.map(({ response }) => (JSON.parse(response) as number[])[0]));
    expect(environments.size).toBe(2);
    await untilEmpty(queue.url);
  });

  it('stop loops of a function and its queue', async () => {
    const queue = await makeQueue();
    const name = await test.define(
      {
        'index.js': `exports.handler = async () => {
          const authorization = 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=0';
          const headers = { authorization, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage', 'x-amzn-trace-id': process.env._X_AMZN_TRACE_ID };
          const answer = await fetch(process.env.AWS_ENDPOINT_URL, { method: 'POST', headers, body: JSON.stringify({ QueueUrl: process.env.QUEUE, MessageBody: 'again' }) });
          return answer.status;
        };`,
      },
      { Environment: { Variables: { QUEUE: queue.url } } },
    );
    await test.lambda.createEventSourceMapping({ FunctionName: name, EventSourceArn: queue.arn });
    await sqs.sendMessage({ QueueUrl: queue.url, MessageBody: 'first' });
    await runs(name, 16);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await runsOf(name)).toHaveLength(16);
  });

  it('receive messages that exist at the start of the emulator once', async () => {
    const { mkdtempSync, rmSync } = await import('node:fs');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const dataPath = mkdtempSync(join(tmpdir(), 'emu-test-'));
    try {
      let name = '';
      {
        await using before = await startRunning({ manifests: [sqsManifest], dataPath });
        const client = new SQS(before.emulator.clientConfig());
        const { QueueUrl } = await client.createQueue({ QueueName: 'q', Attributes: { VisibilityTimeout: '3600' } });
        name = await before.define(ANY);
        const EventSourceArn = `arn:aws:sqs:${REGION}:${ACCOUNT}:q`;
        await before.lambda.createEventSourceMapping({ FunctionName: name, EventSourceArn });
        await client.sendMessage({ QueueUrl, MessageBody: 'waits', DelaySeconds: 1 });
      }
      await new Promise((resolve) => setTimeout(resolve, 1100));
      await using after = await startRunning({ manifests: [sqsManifest], dataPath });
      const told = async () => {
        const { json } = await after.emulator.control('GET', '/_emulator/lambda/invocations');
        return (json as { invocations: { payload: string; functionName: string }[] }).invocations;
      };
      for (let attempt = 0; attempt < 500 && (await told()).length === 0; attempt++)
        await new Promise((resolve) => setTimeout(resolve, 10));
      const [run, ...others] = await told();
      expect(others).toEqual([]);
      expect(run?.functionName).toBe(name);
      const { Records } = JSON.parse(run!.payload) as Run['payload'];
      expect(Records).toMatchObject([{ body: 'waits', attributes: { ApproximateReceiveCount: '1' } }]);
    } finally {
      rmSync(dataPath, { recursive: true, force: true });
    }
  });

  it('return messages when the emulator stops, and continue after a restart', async () => {
    const { mkdtempSync, rmSync } = await import('node:fs');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const dataPath = mkdtempSync(join(tmpdir(), 'emu-test-'));
    try {
      let url = '';
      let name = '';
      {
        await using before = await startRunning({ manifests: [sqsManifest], dataPath });
        const client = new SQS(before.emulator.clientConfig());
        url = (await client.createQueue({ QueueName: 'q' })).QueueUrl!;
        name = await before.define(ANY);
        const EventSourceArn = `arn:aws:sqs:${REGION}:${ACCOUNT}:q`;
        const { UUID } = await before.lambda.createEventSourceMapping({
          FunctionName: name,
          EventSourceArn,
          Enabled: false,
        });
        await client.sendMessage({ QueueUrl: url, MessageBody: 'kept' });
        await before.lambda.updateEventSourceMapping({ UUID, BatchSize: 5 });
      }
      await using after = await startRunning({ manifests: [sqsManifest], dataPath });
      const [mapping] = (await after.lambda.listEventSourceMappings({})).EventSourceMappings!;
      await after.lambda.updateEventSourceMapping({ UUID: mapping!.UUID, Enabled: true });
      const client = new SQS(after.emulator.clientConfig());
      for (let attempt = 0; attempt < 300; attempt++) {
        const { Attributes } = await client.getQueueAttributes({ QueueUrl: url, AttributeNames: ['All'] });
        if (
          Attributes!.ApproximateNumberOfMessages === '0' &&
          Attributes!.ApproximateNumberOfMessagesNotVisible === '0'
        )
          break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const { json } = await after.emulator.control('GET', '/_emulator/lambda/invocations');
      expect(json).toMatchObject({ invocations: [{ functionName: name, payload: expect.stringContaining('"kept"') }] });
    } finally {
      rmSync(dataPath, { recursive: true, force: true });
    }
  });
});
