import type { LambdaLogLine } from '@emu/control-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';
import { arn, failureOf } from './support.ts';

let test: RunningTest;
beforeAll(async () => {
  test = await startRunning();
});
afterAll(() => test[Symbol.asyncDispose]());

const ECHO = { 'index.js': 'exports.handler = async (event) => event;' };
const bytes = (payload: Uint8Array | undefined) => Buffer.from(payload ?? []).toString();

describe('Invoke', () => {
  it('returns status, executed version and payload', async () => {
    const name = await test.define(ECHO);
    const output = await test.lambda.invoke({ FunctionName: arn(`function:${name}`), Payload: '{"a":"ü"}' });
    expect(output).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST' });
    expect(output.LogResult).toBeUndefined();
    expect(bytes(output.Payload)).toBe('{"a":"ü"}');
    expect(bytes((await test.lambda.invoke({ FunctionName: name })).Payload)).toBe('{}');
  });

  it('returns JSON, whatever content type the runtime sends', async () => {
    const name = await test.define(ECHO);
    const scope = 'test/20260101/us-east-1/lambda/aws4_request';
    const answer = await test.emulator.gateway.fetch(
      new Request(`http://localhost/2015-03-31/functions/${name}/invocations`, {
        method: 'POST',
        body: '[1]',
        headers: { authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0` },
      }),
    );
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual([1]);
  });

  it('runs nothing with DryRun', async () => {
    const name = await test.define({ 'index.js': 'process.exit(1)' });
    const output = await test.lambda.invoke({ FunctionName: name, InvocationType: 'DryRun' });
    expect(output.StatusCode).toBe(204);
    expect(output.ExecutedVersion).toBeUndefined();
    expect(bytes(output.Payload)).toBe('');
  });

  it('reports a function as missing that is deleted during its start', async () => {
    const name = await test.define(ECHO);
    const invoked = test.lambda.invoke({ FunctionName: name }).then(
      () => 'it ran',
      (error: Error) => `${error.name}: ${error.message}`,
    );
    await test.lambda.deleteFunction({ FunctionName: name });
    const gone = `ResourceNotFoundException: Function not found: ${arn(`function:${name}`)}`;
    expect(['it ran', gone]).toContain(await invoked);
  });

  it('rejects missing functions, invalid JSON and too large payloads', async () => {
    const name = await test.define(ECHO);
    const invoke = (Payload: Uint8Array | string, more = {}) =>
      failureOf(test.lambda.invoke({ FunctionName: name, Payload, ...more }));
    expect(await failureOf(test.lambda.invoke({ FunctionName: 'doesnotexist' }))).toBe(
      `ResourceNotFoundException: Function not found: ${arn('function:doesnotexist')}`,
    );
    expect(await failureOf(test.lambda.invoke({ FunctionName: 'doesnotexist', Qualifier: '$LATEST' }))).toBe(
      `ResourceNotFoundException: Function not found: ${arn('function:doesnotexist:$LATEST')}`,
    );
    // The next two are recorded from AWS.
    const source = 'at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)';
    expect(await invoke(Buffer.from('n\x87r\x9e\xe9\xb5\xd7I\xee\x9bmt', 'latin1'))).toBe(
      `InvalidRequestContentException: Could not parse request body into json: Could not parse payload into json: Invalid UTF-8 start byte 0x87\n ${source}; line: 1, column: 3]`,
    );
    expect(await invoke(Buffer.from('\x99\xeb,j\x07\xa1zYh', 'latin1'))).toBe(
      `InvalidRequestContentException: Could not parse request body into json: Could not parse payload into json: Unexpected character ((CTRL-CHAR, code 153)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n ${source}; line: 1, column: 1]`,
    );
    expect(await invoke('{"a":')).toMatch(/^InvalidRequestContentException: .*Unexpected end-of-input/);
    expect(await invoke(`"${'x'.repeat(6_291_456)}"`)).toBe(
      'RequestEntityTooLargeException: 6291458 byte payload is too large for the RequestResponse invocation type (limit 6291456 bytes)',
    );
    expect(await invoke(`"${'x'.repeat(1_048_576)}"`, { InvocationType: 'Event' })).toBe(
      'RequestEntityTooLargeException: 1048578 byte payload is too large for the Event invocation type (limit 1048576 bytes)',
    );
    expect(await invoke('{}', { ClientContext: 'bm90IGpzb24=' })).toBe(
      'InvalidRequestContentException: Client context must be a valid Base64-encoded JSON object.',
    );
  });

  it('accepts and returns payloads of maximum size', async () => {
    const name = await test.define({
      'index.js': 'exports.handler = async (event) => (typeof event === "number" ? "x".repeat(event) : event.length);',
    });
    const large = JSON.stringify('y'.repeat(6_291_454));
    expect(bytes((await test.lambda.invoke({ FunctionName: name, Payload: large })).Payload)).toBe('6291454');
    const full = await test.lambda.invoke({ FunctionName: name, Payload: '6291554' });
    expect(full.FunctionError).toBeUndefined();
    expect(full.Payload).toHaveLength(6_291_556);
    const over = await test.lambda.invoke({ FunctionName: name, Payload: '6291555' });
    expect(over.FunctionError).toBe('Unhandled');
    expect(JSON.parse(bytes(over.Payload))).toEqual({
      errorMessage: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
      errorType: 'Function.ResponseSizeTooLarge',
    });
    expect(bytes((await test.lambda.invoke({ FunctionName: name, Payload: '1' })).Payload)).toBe('"x"');
  });

  it('runs versions and distributes an alias over its versions', async () => {
    const name = await test.define({
      'index.js': 'exports.handler = async (_, context) => [context.functionVersion, context.invokedFunctionArn];',
    });
    await test.lambda.publishVersion({ FunctionName: name });
    await test.lambda.updateFunctionConfiguration({ FunctionName: name, Description: 'second' });
    await test.lambda.publishVersion({ FunctionName: name });
    await test.lambda.createAlias({
      FunctionName: name,
      Name: 'live',
      FunctionVersion: '1',
      RoutingConfig: { AdditionalVersionWeights: { 2: 0.5 } },
    });
    const version = await test.invoke(name, {}, { Qualifier: '1' });
    expect(version.payload).toEqual(['1', arn(`function:${name}:1`)]);
    expect(version.ExecutedVersion).toBe('1');
    const counts: Record<string, number> = {};
    for (let turn = 0; turn < 60; turn++) {
      const { payload, ExecutedVersion } = await test.invoke(`${name}:live`);
      const [ran, calledAs] = payload as [string, string];
      expect(ran).toBe(ExecutedVersion);
      expect(calledAs).toBe(arn(`function:${name}:live`));
      counts[ran] = (counts[ran] ?? 0) + 1;
    }
    expect(Object.keys(counts)).toEqual(['1', '2']);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
  });

  it('returns the log of function and platform', async () => {
    const handler =
      "exports.handler = async (text) => { console.log('got', text); if (text === 'bad') throw new Error('no'); };";
    const name = await test.define({ 'index.js': handler });
    const first = (await test.invoke(name, 'good')).$metadata.requestId!;
    const second = (await test.invoke(name, 'bad')).$metadata.requestId!;
    const linesOf = async (query: string) => {
      const { json } = await test.emulator.control('GET', `/_emulator/lambda/logs?function_name=${name}&${query}`);
      return (json as { lines: LambdaLogLine[] }).lines;
    };
    await expect.poll(async () => (await linesOf(`request_id=${second}`)).length).toBe(5);
    const lines = await linesOf(`request_id=${first}`);
    expect(lines.map(({ source, message }) => [source, message.replaceAll(first, 'id').split('\t').at(-1)])).toEqual([
      ['platform', expect.stringContaining('Runtime Version ARN')],
      ['platform', 'START RequestId: id Version: $LATEST'],
      ['function', 'got good'],
      ['platform', 'END RequestId: id'],
      ['platform', expect.stringContaining('')],
    ]);
    expect(lines[2]).toEqual({
      accountId: '000000000000',
      region: 'us-east-1',
      functionName: name,
      version: '$LATEST',
      requestId: first,
      source: 'function',
      logGroup: `/aws/lambda/${name}`,
      logStream: lines[0]!.logStream,
      timestamp: expect.stringMatching(/Z$/),
      message: expect.stringContaining('INFO\tgot good'),
    });
    expect((await linesOf('limit=2')).map(({ requestId }) => requestId)).toEqual([second, second]);
    expect(await linesOf('since=2999-01-01T00:00:00Z')).toEqual([]);
    for (const query of ['limit=0', 'limit=x', 'since=soon'])
      expect(await test.emulator.control('GET', `/_emulator/lambda/logs?${query}`)).toMatchObject({ status: 400 });
  });

  it('records invocations', async () => {
    const name = await test.define({ 'index.js': 'exports.handler = async (e) => { if (e) throw new Error("e"); };' });
    await test.invoke(name, 0);
    const failed = await test.invoke(name, 1);
    const { json } = await test.emulator.control('GET', '/_emulator/lambda/invocations');
    const { invocations } = json as { invocations: Record<string, unknown>[] };
    const own = invocations.filter(({ functionName }) => functionName === name);
    expect(own).toEqual([
      expect.objectContaining({ payload: '0', response: 'null', coldStart: true, invocationType: 'RequestResponse' }),
      {
        accountId: '000000000000',
        region: 'us-east-1',
        requestId: failed.$metadata.requestId,
        functionName: name,
        functionArn: arn(`function:${name}`),
        version: '$LATEST',
        invocationType: 'RequestResponse',
        source: 'lambda:Invoke',
        payload: '1',
        response: expect.stringContaining('"errorType":"Error"'),
        functionError: 'Unhandled',
        duration: expect.any(Number),
        coldStart: false,
        timestamp: expect.stringMatching(/^\d{4}-/),
      },
    ]);
  });
});

describe('concurrency', () => {
  const SLOW = {
    'index.js':
      'const id = Math.random(); exports.handler = async (ms) => { await new Promise((r) => setTimeout(r, ms)); return id; };',
  };

  it('starts environments up to the limit, then queues invocations', async () => {
    await using small = await startRunning({ settings: { values: { EMULATOR_LAMBDA_MAX_CONCURRENCY: 2 } } });
    const name = await small.define(SLOW);
    const results = await Promise.all(Array.from({ length: 6 }, () => small.invoke(name, 30)));
    expect(new Set(results.map(({ payload }) => payload)).size).toBe(2);
    const { json } = await small.emulator.control('GET', '/_emulator/lambda/warm-containers');
    expect((json as { containers: unknown[] }).containers).toHaveLength(2);
    // Environments of another version replace them.
    await small.lambda.publishVersion({ FunctionName: name });
    const version = await Promise.all(Array.from({ length: 4 }, () => small.invoke(`${name}:1`, 1)));
    expect(version.every(({ payload }) => results.every((result) => result.payload !== payload))).toBe(true);
    const after = await small.emulator.control('GET', '/_emulator/lambda/warm-containers');
    expect((after.json as { containers: unknown[] }).containers).toHaveLength(2);
  });

  it('throttles above the reserved concurrency', async () => {
    const name = await test.define(SLOW);
    await test.lambda.putFunctionConcurrency({ FunctionName: name, ReservedConcurrentExecutions: 1 });
    const first = test.invoke(name, 200);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const second = test.lambda.invoke({ FunctionName: name, Payload: '1' });
    await expect(second).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      message: 'Rate Exceeded.',
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
      Type: 'User',
      $metadata: { httpStatusCode: 429 },
    });
    await first;
    expect((await test.invoke(name, 1)).FunctionError).toBeUndefined();
    await test.lambda.putFunctionConcurrency({ FunctionName: name, ReservedConcurrentExecutions: 0 });
    expect(await failureOf(test.invoke(name, 1))).toBe('TooManyRequestsException: Rate Exceeded.');
  });

  it('ends environments after their idle timeout in emulated time', async () => {
    const name = await test.define(SLOW);
    await test.invoke(name, 1);
    const warm = async () => {
      const { json } = await test.emulator.control('GET', '/_emulator/lambda/warm-containers');
      return (json as { containers: { functionName: string }[] }).containers.filter((c) => c.functionName === name);
    };
    expect(await warm()).toHaveLength(1);
    await test.emulator.kernel.clock.advance(600_000);
    expect(await warm()).toHaveLength(0);
  });
});

describe('InvokeWithResponseStream', () => {
  const read = async (FunctionName: string, Payload = '{}') => {
    const output = await test.lambda.invokeWithResponseStream({ FunctionName, Payload, LogType: 'Tail' });
    const chunks: string[] = [];
    let complete: { ErrorCode?: string; ErrorDetails?: string; LogResult?: string } | undefined;
    for await (const event of output.EventStream!) {
      if (event.PayloadChunk) chunks.push(bytes(event.PayloadChunk.Payload));
      if (event.InvokeComplete) complete = event.InvokeComplete;
    }
    return { ...output, chunks, complete };
  };

  it("streams a handler's output as it is written", async () => {
    const name = await test.define({
      'index.js': `exports.handler = awslambda.streamifyResponse(async (event, stream) => {
        stream.setContentType('text/plain');
        for (let turn = 0; turn < 3; turn++) { stream.write('part ' + turn + '\\n'); await new Promise((r) => setTimeout(r, 20)); }
        stream.end();
      });`,
    });
    const { StatusCode, ExecutedVersion, ResponseStreamContentType, chunks, complete } = await read(name);
    expect({ StatusCode, ExecutedVersion, ResponseStreamContentType }).toEqual({
      StatusCode: 200,
      ExecutedVersion: '$LATEST',
      ResponseStreamContentType: 'text/plain',
    });
    expect(chunks).toEqual(['part 0\n', 'part 1\n', 'part 2\n']);
    expect(Buffer.from(complete!.LogResult!, 'base64').toString()).toMatch(/^START.*\nEND.*\nREPORT/);
    expect(await test.invoke(name).catch((error) => String(error))).toContain('SyntaxError');
    const whole = await test.lambda.invoke({ FunctionName: name });
    expect(bytes(whole.Payload)).toBe('part 0\npart 1\npart 2\n');
  });

  it('streams pipelines, and more than the buffered limit', async () => {
    const name = await test.define({
      'index.mjs': `import { pipeline } from 'node:stream/promises'; import { Readable } from 'node:stream';
        export const handler = awslambda.streamifyResponse(async (event, stream) => {
          stream = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers: { a: 'b' } });
          await pipeline(Readable.from((function* () { for (let i = 0; i < 20; i++) yield Buffer.alloc(500_000, 65 + i); })()), stream);
        });`,
    });
    const { chunks, ResponseStreamContentType, complete } = await read(name);
    expect(ResponseStreamContentType).toBe('application/vnd.awslambda.http-integration-response');
    const all = chunks.join('');
    const prelude = '{"statusCode":201,"headers":{"a":"b"}}';
    expect(all.slice(0, prelude.length + 8)).toBe(prelude + '\0'.repeat(8));
    expect(all).toHaveLength(prelude.length + 8 + 10_000_000);
    expect(complete!.ErrorCode).toBeUndefined();
  });

  it('returns buffered responses at once, and errors at the end', async () => {
    expect(await read(await test.define(ECHO), '[1]')).toMatchObject({
      chunks: ['[1]'],
      complete: { LogResult: expect.any(String) },
    });
    const early = await test.define({
      'index.js': 'exports.handler = awslambda.streamifyResponse(async () => { throw new RangeError("early"); });',
    });
    expect(await read(early)).toMatchObject({
      chunks: [],
      complete: { ErrorCode: 'RangeError', ErrorDetails: expect.stringContaining('"errorMessage":"early"') },
    });
    const middle = await test.define({
      'index.js': `exports.handler = awslambda.streamifyResponse(async (event, stream) => {
        stream.write('begun'); await new Promise((r) => setTimeout(r, 20)); throw new RangeError('middle');
      });`,
    });
    expect(await read(middle)).toMatchObject({
      chunks: ['begun'],
      complete: { ErrorCode: 'RangeError', ErrorDetails: expect.stringContaining('"errorMessage":"middle"') },
    });
    expect((await read(middle)).chunks).toEqual(['begun']);
    const hangs = await test.define(
      {
        'index.js': `exports.handler = awslambda.streamifyResponse(async (event, stream) => { stream.write('begun'); setInterval(() => {}, 1000); await new Promise(() => {}); });`,
      },
      { Timeout: 1 },
    );
    expect(await read(hangs)).toMatchObject({ chunks: ['begun'], complete: { ErrorCode: 'Sandbox.Timedout' } });
  });
});
