import { type Message, SQS } from '@aws-sdk/client-sqs';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';
import { ACCOUNT, arn, REGION } from '../../../packages/svc-lambda/test/support.ts';

let test: RunningTest;
let sqs: SQS;
beforeAll(async () => {
  test = await startRunning({ manifests: [sqsManifest] });
  sqs = new SQS(test.emulator.clientConfig());
});
afterAll(() => test[Symbol.asyncDispose]());

let queues = 0;
async function queue(): Promise<{ arn: string; next(): Promise<Message>; isEmpty(): Promise<boolean> }> {
  const QueueName = `results-${++queues}`;
  const { QueueUrl } = await sqs.createQueue({ QueueName });
  const receive = async (WaitTimeSeconds: number) =>
    (await sqs.receiveMessage({ QueueUrl, WaitTimeSeconds, MessageAttributeNames: ['All'] })).Messages;
  return {
    arn: `arn:aws:sqs:${REGION}:${ACCOUNT}:${QueueName}`,
    next: async () => {
      const [message] = (await receive(10)) ?? [];
      expect(message).toBeDefined();
      await sqs.deleteMessage({ QueueUrl, ReceiptHandle: message!.ReceiptHandle });
      return message!;
    },
    isEmpty: async () => (await receive(0)) === undefined,
  };
}

/** Returns the recorded invocations of a function. */
async function recorded(name: string): Promise<Record<string, unknown>[]> {
  const { json } = await test.emulator.control('GET', '/_emulator/lambda/invocations');
  return (json as { invocations: Record<string, unknown>[] }).invocations.filter((one) => one.functionName === name);
}

async function until<T>(look: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const value = await look();
    if (good(value)) return value;
    if (attempt > 500) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const FAILS = {
  'index.js':
    'exports.handler = async (event) => { if (event.fail) throw new Error("as asked"); return { ok: event }; };',
};
const event = (FunctionName: string, payload: unknown, more = {}) =>
  test.lambda.invoke({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(payload), ...more });

describe('events', () => {
  it('run later and report their success to a destination', async () => {
    const name = await test.define(FAILS);
    const results = await queue();
    await test.lambda.putFunctionEventInvokeConfig({
      FunctionName: name,
      DestinationConfig: { OnSuccess: { Destination: results.arn } },
    });
    const output = await event(name, { a: 1 });
    expect(output).toMatchObject({ StatusCode: 202 });
    expect(Buffer.from(output.Payload ?? []).toString()).toBe('');
    expect(output.ExecutedVersion).toBeUndefined();
    // Fields and order as recorded.
    const { Body } = await results.next();
    expect(JSON.parse(Body!)).toEqual({
      version: '1.0',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      requestContext: {
        requestId: output.$metadata.requestId,
        functionArn: arn(`function:${name}:$LATEST`),
        condition: 'Success',
        approximateInvokeCount: 1,
      },
      requestPayload: { a: 1 },
      responseContext: { statusCode: 200, executedVersion: '$LATEST' },
      responsePayload: { ok: { a: 1 } },
    });
    expect(Object.keys(JSON.parse(Body!))).toEqual([
      'version',
      'timestamp',
      'requestContext',
      'requestPayload',
      'responseContext',
      'responsePayload',
    ]);
  });

  it('that fail are retried after one and two minutes, with the same request id', async () => {
    const name = await test.define(FAILS);
    const results = await queue();
    await test.lambda.putFunctionEventInvokeConfig({
      FunctionName: name,
      DestinationConfig: { OnFailure: { Destination: results.arn } },
    });
    const {
      $metadata: { requestId },
    } = await event(name, { fail: true });
    await until(
      () => recorded(name),
      ({ length }) => length === 1,
    );
    const { clock } = test.emulator.kernel;
    await clock.advance(50_000);
    expect(await recorded(name)).toHaveLength(1);
    await clock.advance(15_000);
    expect(await recorded(name)).toHaveLength(2);
    expect(await results.isEmpty()).toBe(true);
    await clock.advance(125_000);
    const runs = await recorded(name);
    expect(runs.map((run) => [run.requestId, run.invocationType, run.functionError])).toEqual(
      Array(3).fill([requestId, 'Event', 'Unhandled']),
    );
    expect(JSON.parse((await results.next()).Body!)).toMatchObject({
      requestContext: { requestId, condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { fail: true },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: { errorType: 'Error', errorMessage: 'as asked' },
    });
    await clock.advance(600_000);
    expect(await recorded(name)).toHaveLength(3);
  });

  it('use the attempts and maximum age of their configuration, also an alias’s', async () => {
    const name = await test.define(FAILS);
    const results = await queue();
    const DestinationConfig = { OnFailure: { Destination: results.arn } };
    await test.lambda.publishVersion({ FunctionName: name });
    await test.lambda.createAlias({ FunctionName: name, Name: 'live', FunctionVersion: '1' });
    await test.lambda.putFunctionEventInvokeConfig({
      FunctionName: name,
      Qualifier: 'live',
      MaximumRetryAttempts: 0,
      DestinationConfig,
    });
    await event(name, { fail: true }, { Qualifier: 'live' });
    expect(JSON.parse((await results.next()).Body!)).toMatchObject({
      requestContext: {
        functionArn: arn(`function:${name}:live`),
        condition: 'RetriesExhausted',
        approximateInvokeCount: 1,
      },
      responseContext: { executedVersion: '1' },
    });
    await test.lambda.putFunctionEventInvokeConfig({
      FunctionName: name,
      MaximumEventAgeInSeconds: 60,
      DestinationConfig,
    });
    await test.lambda.putFunctionConcurrency({ FunctionName: name, ReservedConcurrentExecutions: 1 });
    await event(name, { fail: true });
    await until(
      () => recorded(name),
      ({ length }) => length === 2,
    );
    await test.emulator.kernel.clock.advance(61_000);
    expect(JSON.parse((await results.next()).Body!)).toMatchObject({
      requestContext: {
        condition: expect.stringMatching(/EventAgeExceeded|RetriesExhausted/),
        approximateInvokeCount: expect.any(Number),
      },
    });
  });

  it('of functions that cannot run go to the destination immediately', async () => {
    const name = await test.define(FAILS);
    const results = await queue();
    await test.lambda.putFunctionEventInvokeConfig({
      FunctionName: name,
      DestinationConfig: { OnFailure: { Destination: results.arn } },
    });
    await test.lambda.putFunctionConcurrency({ FunctionName: name, ReservedConcurrentExecutions: 0 });
    await event(name, {});
    const record = JSON.parse((await results.next()).Body!);
    expect(record).toMatchObject({
      requestContext: { condition: 'ZeroReservedConcurrency', approximateInvokeCount: 0 },
    });
    expect(record.responseContext).toBeUndefined();
  });

  it('wait while concurrency is exhausted', async () => {
    const name = await test.define({
      'index.js': 'exports.handler = async (event) => { await new Promise((r) => setTimeout(r, 300)); return event; };',
    });
    await test.lambda.putFunctionConcurrency({ FunctionName: name, ReservedConcurrentExecutions: 1 });
    await event(name, 1);
    await event(name, 2);
    await until(
      () => recorded(name),
      ({ length }) => length === 1,
    );
    await until(
      async () => {
        await test.emulator.kernel.clock.advance(1000);
        return recorded(name);
      },
      ({ length }) => length === 2,
    );
    expect((await recorded(name)).map(({ payload }) => payload)).toEqual(['1', '2']);
  });

  it('that fail permanently become dead letters', async () => {
    const letters = await queue();
    const name = await test.define(FAILS, { DeadLetterConfig: { TargetArn: letters.arn } });
    await test.lambda.putFunctionEventInvokeConfig({ FunctionName: name, MaximumRetryAttempts: 0 });
    const { $metadata } = await event(name, { fail: 1 });
    expect(await letters.next()).toMatchObject({
      Body: '{"fail":1}',
      MessageAttributes: {
        RequestID: { DataType: 'String', StringValue: $metadata.requestId },
        ErrorCode: { DataType: 'Number', StringValue: '200' },
        ErrorMessage: { DataType: 'String', StringValue: 'as asked' },
      },
    });
  });

  it('can have functions as destinations, and come from InvokeAsync', async () => {
    const second = await test.define(FAILS);
    const first = await test.define(FAILS);
    await test.lambda.putFunctionEventInvokeConfig({
      FunctionName: first,
      DestinationConfig: { OnSuccess: { Destination: arn(`function:${second}`) } },
    });
    const output = await test.lambda.invokeAsync({ FunctionName: first, InvokeArgs: '{"from":"args"}' });
    expect(output.Status).toBe(202);
    const [run] = await until(
      () => recorded(second),
      ({ length }) => length === 1,
    );
    expect(JSON.parse(run!.payload as string)).toMatchObject({
      requestPayload: { from: 'args' },
      responsePayload: { ok: {} },
    });
  });

  it('of a function that calls itself are stopped', async () => {
    const name = await test.define({
      'index.js': `const http = require('node:http');
        exports.handler = (event, context, done) => {
          const { hostname, port } = new URL(process.env.AWS_ENDPOINT_URL);
          const path = '/2015-03-31/functions/' + context.functionName + '/invocations';
          const headers = { 'x-amz-invocation-type': 'Event', 'x-amzn-trace-id': process.env._X_AMZN_TRACE_ID,
            authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0' };
          http.request({ hostname, port, path, method: 'POST', headers, agent: false }, (response) => { response.resume(); response.on('end', () => done(null, response.statusCode)); }).end('{}');
        };`,
    });
    await event(name, {});
    await until(
      () => recorded(name),
      ({ length }) => length >= 16,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await recorded(name)).toHaveLength(16);
  });

  it('of functions that call each other synchronously are stopped too, unless loops are allowed', async () => {
    const name = await test.define(FAILS);
    let trace: string | undefined;
    const client = test.client();
    client.middlewareStack.add(
      (next) => async (args) => {
        const { headers } = args.request as { headers: Record<string, string> };
        if (trace !== undefined) headers['x-amzn-trace-id'] = trace;
        const result = await next(args);
        trace = (result.response as { headers: Record<string, string> }).headers['x-amzn-trace-id'] ?? trace;
        return result;
      },
      { step: 'build' },
    );
    const invoke = () => client.invoke({ FunctionName: name, Payload: '{}' });
    for (let run = 0; run < 16; run++) expect((await invoke()).StatusCode).toBe(200);
    expect(trace).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0;Lineage=[0-9a-f]{8}:16$/);
    await expect(invoke()).rejects.toMatchObject({
      name: 'RecursiveInvocationException',
      $metadata: { httpStatusCode: 400 },
    });
    await test.lambda.putFunctionRecursionConfig({ FunctionName: name, RecursiveLoop: 'Allow' });
    expect((await invoke()).StatusCode).toBe(200);
  });
});

it('accepted events survive a crash of the emulator', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const dataPath = mkdtempSync(join(tmpdir(), 'emu-test-'));
  try {
    {
      await using before = await startRunning({ dataPath });
      const name = await before.define(FAILS);
      await before.lambda.invoke({ FunctionName: name, InvocationType: 'Event', Payload: '{"fail":1}' });
      await until(
        async () =>
          (await before.emulator.control('GET', '/_emulator/lambda/invocations')).json as { invocations: unknown[] },
        ({ invocations }) => invocations.length === 1,
      );
      await before.emulator.kernel.committed();
    }
    await using after = await startRunning({ dataPath });
    await after.emulator.kernel.clock.advance(65_000);
    const { json } = await after.emulator.control('GET', '/_emulator/lambda/invocations');
    expect(json).toMatchObject({ invocations: [{ payload: '{"fail":1}', invocationType: 'Event' }] });
  } finally {
    rmSync(dataPath, { recursive: true, force: true });
  }
});
