import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embed } from '../bootstraps/embed.mjs';
import { type RunningTest, startRunning } from './running.ts';
import { arn } from './support.ts';

let test: RunningTest;
beforeAll(async () => {
  test = await startRunning();
});
afterAll(() => test[Symbol.asyncDispose]());

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

it('embeds the programs that run handlers unchanged', () => {
  const embedded = readFileSync(new URL('../src/generated/bootstraps.ts', import.meta.url), 'utf8');
  expect(embedded === embed(), 'run node bootstraps/embed.mjs').toBe(true);
});

describe('handlers in Node.js', () => {
  it('can be async, callback-based or synchronous, in CommonJS', async () => {
    const name = await test.define({
      'index.js': `
        exports.async = async (event) => ({ got: event });
        exports.callback = (event, context, callback) => { setTimeout(() => callback(null, { got: event }), 5); };
        exports.plain = () => 'a value nobody waits for';
        exports.succeed = (event, context) => context.succeed('done');
      `,
    });
    const results: unknown[] = [];
    for (const method of ['async', 'callback', 'plain', 'succeed']) {
      await test.lambda.updateFunctionConfiguration({ FunctionName: name, Handler: `index.${method}` });
      results.push((await test.invoke(name, { a: 1 })).payload);
    }
    expect(results).toEqual([{ got: { a: 1 } }, { got: { a: 1 } }, null, 'done']);
  });

  it('can be ES modules by extension or package.json, in folders and nested exports', async () => {
    const mjs = await test.define(
      {
        'src/app.mjs': `import { join } from 'node:path';\nexport const api = { handler: async () => join('a', 'b') };`,
      },
      { Handler: 'src/app.api.handler' },
    );
    expect((await test.invoke(mjs)).payload).toBe('a/b');
    const typed = await test.define({
      'package.json': '{"type":"module"}',
      'index.js': `const value = await Promise.resolve('top level');\nexport const handler = async () => value;`,
    });
    expect((await test.invoke(typed)).payload).toBe('top level');
    const cjs = await test.define({ 'index.cjs': 'module.exports.handler = async () => undefined;' });
    expect((await test.invoke(cjs)).payload).toBeNull();
  });

  it('receive context, environment and payload', async () => {
    const name = await test.define(
      {
        'index.js': `exports.handler = async (event, context) => ({
        context, remaining: context.getRemainingTimeInMillis(), cwd: process.cwd(), env: process.env, args: process.argv,
      });`,
      },
      { MemorySize: 256, Timeout: 7, Environment: { Variables: { GREETING: 'hällo', AWS_REGION_LIKE: 'x' } } },
    );
    const { payload, $metadata, log } = await test.invoke(
      name,
      {},
      {
        ClientContext: Buffer.from('{"custom":{"foo":"bär"},"client":{},"env":{}}').toString('base64'),
      },
    );
    const { context, remaining, cwd, env } = payload as {
      context: Record<string, unknown>;
      remaining: number;
      cwd: string;
      env: Record<string, string>;
    };
    expect(context).toEqual({
      callbackWaitsForEmptyEventLoop: true,
      functionVersion: '$LATEST',
      functionName: name,
      memoryLimitInMB: '256',
      logGroupName: `/aws/lambda/${name}`,
      logStreamName: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/),
      clientContext: { custom: { foo: 'bär' }, client: {}, env: {} },
      invokedFunctionArn: arn(`function:${name}`),
      awsRequestId: $metadata.requestId,
    });
    expect(remaining).toBeGreaterThan(5000);
    expect(remaining).toBeLessThanOrEqual(7000);
    expect(cwd).toBe(env.LAMBDA_TASK_ROOT);
    expect(env).toMatchObject({
      GREETING: 'hällo',
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x',
      AWS_ACCESS_KEY_ID: expect.stringMatching(/^ASIA/),
      _HANDLER: 'index.handler',
      _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-/),
      AWS_ENDPOINT_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(Object.keys(env).filter((key) => key.startsWith('VITEST') || key.startsWith('EMULATOR_'))).toEqual([]);
    expect(log).toMatch(
      /^START RequestId: \S+ Version: \$LATEST\nEND RequestId: \S+\nREPORT RequestId: \S+\tDuration: [\d.]+ ms\tBilled Duration: \d+ ms\tMemory Size: 256 MB\tMax Memory Used: [1-9]\d* MB\tInit Duration: [\d.]+ ms\t\n$/,
    );
  });

  it('see whether their environment is provisioned', async () => {
    const FunctionName = await test.define(
      {
        'index.js': `exports.handler = async ({ wait }) => {
          await new Promise((resolve) => setTimeout(resolve, wait));
          return process.env.AWS_LAMBDA_INITIALIZATION_TYPE;
        };`,
      },
      { Publish: true },
    );
    await test.lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
    const type = async (Qualifier?: string, wait = 0) =>
      (await test.invoke(FunctionName, { wait }, { Qualifier })).payload;
    expect(await type('live')).toBe('on-demand');
    const provisioned = { FunctionName, Qualifier: 'live' };
    await test.lambda.putProvisionedConcurrencyConfig({ ...provisioned, ProvisionedConcurrentExecutions: 1 });
    await expect
      .poll(() => test.lambda.getProvisionedConcurrencyConfig(provisioned))
      .toMatchObject({ Status: 'READY' });
    expect([await type('live'), await type('live'), await type('1'), await type()]).toEqual([
      'provisioned-concurrency',
      'provisioned-concurrency',
      'on-demand',
      'on-demand',
    ]);
    // Invocations beyond the provisioned number run on demand.
    const both = await Promise.all([type('live', 500), type('live', 500)]);
    expect(both.sort()).toEqual(['on-demand', 'provisioned-concurrency']);
    await test.lambda.deleteProvisionedConcurrencyConfig(provisioned);
    expect(await type('live')).toBe('on-demand');
  });

  it('run warm after the first time, one invocation per environment, and keep module state', async () => {
    const name = await test.define({ 'index.js': 'let count = 0; exports.handler = async () => ++count;' });
    const counts = [];
    for (let turn = 0; turn < 3; turn++) counts.push((await test.invoke(name)).payload);
    expect(counts).toEqual([1, 2, 3]);
    const { json } = await test.emulator.control('GET', '/_emulator/lambda/warm-containers');
    const { containers } = json as { containers: Record<string, unknown>[] };
    expect(containers.filter(({ functionName }) => functionName === name)).toEqual([
      {
        accountId: '000000000000',
        region: 'us-east-1',
        functionName: name,
        functionArn: arn(`function:${name}`),
        version: '$LATEST',
        containerId: expect.stringMatching(/^process-\d+$/),
        backend: 'process',
        busy: false,
        startedAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ]);
    const evicted = await test.emulator.control('POST', `/_emulator/lambda/${name}/evict-container`);
    expect(evicted.json).toEqual({ evictedContainers: 1 });
    expect((await test.invoke(name)).payload).toBe(1);
    await test.lambda.updateFunctionConfiguration({
      FunctionName: name,
      Description: 'new',
      Environment: { Variables: { AB: 'b' } },
    });
    expect((await test.invoke(name)).payload).toBe(1);
  });

  it("write lines in AWS's format", async () => {
    const name = await test.define({
      'index.js': `
        console.log('at init');
        exports.handler = async () => {
          console.log('two\\nlines', { a: 1 }); console.warn('careful'); console.error(new Error('inside')); console.debug('d');
          process.stdout.write('raw\\n'); process.stderr.write('err\\n');
        };`,
    });
    const {
      log,
      $metadata: { requestId },
    } = await test.invoke(name);
    const lines = log.split('\n').map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z/, 'TIME'));
    const trace = lines.findIndex((line) => line.startsWith('    at '));
    const other = lines.findIndex((line, index) => index > trace && !line.startsWith('    at '));
    expect([...lines.slice(0, trace), lines[other]]).toEqual([
      `START RequestId: ${requestId} Version: $LATEST`,
      `TIME\t${requestId}\tINFO\ttwo`,
      'lines { a: 1 }',
      `TIME\t${requestId}\tWARN\tcareful`,
      `TIME\t${requestId}\tERROR\tError: inside`,
      `TIME\t${requestId}\tDEBUG\td`,
    ]);
    expect(lines).toContain('raw');
    expect(lines).toContain('err');
    expect(log).not.toContain('at init');
  });

  it('find the locally installed SDK', async () => {
    const name = await test.define({
      'index.mjs': `import { SQSClient } from '@aws-sdk/client-sqs'; import { createRequire } from 'node:module';
        export const handler = async () => [typeof SQSClient, typeof createRequire(import.meta.url)('@aws-sdk/client-sqs').SQSClient];`,
    });
    expect((await test.invoke(name)).payload).toEqual(['function', 'function']);
  });

  it('log JSON if the function requests it', async () => {
    const name = await test.define(
      {
        'index.js': `exports.handler = async () => { console.debug('hidden'); console.info({ a: 1 }); console.error('failed', new RangeError('r')); };`,
      },
      { LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'INFO', SystemLogLevel: 'INFO' } },
    );
    const {
      log,
      $metadata: { requestId },
    } = await test.invoke(name);
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: 'platform.start', record: { requestId, version: '$LATEST' } },
      { level: 'INFO', requestId, message: { a: 1 } },
      { level: 'ERROR', requestId, errorType: 'RangeError', errorMessage: 'r', stackTrace: expect.any(Array) },
      { type: 'platform.report', record: { requestId, status: 'success' } },
    ]);
  });
});

describe('errors of handlers in Node.js', () => {
  const failing = async (code: string, input = {}) => {
    const name = await test.define({ 'index.js': code }, input);
    return test.invoke(name);
  };

  it('are returned with type, message and trace', async () => {
    const result =
      await failing(`class Broken extends Error { constructor() { super('it broke'); this.name = 'Broken'; this.code = 7; } }
      exports.handler = async () => { throw new Broken(); };`);
    expect(result).toMatchObject({
      StatusCode: 200,
      FunctionError: 'Unhandled',
      ExecutedVersion: '$LATEST',
      payload: {
        errorType: 'Broken',
        errorMessage: 'it broke',
        trace: expect.arrayContaining([expect.stringContaining('index.js')]),
      },
    });
    expect(result.log).toMatch(
      /\tERROR\tInvoke Error \t\{"errorType":"Broken","errorMessage":"it broke","name":"Broken","code":7,"stack":\[/,
    );
    expect((await failing('exports.handler = async () => { throw "text"; };')).payload).toEqual({
      errorType: 'string',
      errorMessage: 'text',
      trace: [],
    });
    expect((await failing('exports.handler = (e, c, done) => done(new Error("by callback"));')).payload).toMatchObject({
      errorType: 'Error',
      errorMessage: 'by callback',
    });
    expect((await failing('exports.handler = async () => ({ big: 1n });')).payload).toMatchObject({
      errorType: 'Runtime.MarshalError',
    });
  });

  it('of missing modules and handlers have AWS types', async () => {
    expect((await failing('exports.other = 1;')).payload).toMatchObject({
      errorType: 'Runtime.HandlerNotFound',
      errorMessage: 'index.handler is undefined or not exported',
    });
    expect((await failing('', { Handler: 'missing.handler' })).payload).toMatchObject({
      errorType: 'Runtime.ImportModuleError',
      errorMessage: expect.stringContaining("Error: Cannot find module 'missing'"),
    });
    expect((await failing('const x = ;')).payload).toMatchObject({ errorType: 'Runtime.UserCodeSyntaxError' });
    expect((await failing('', { Handler: 'nodot' })).payload).toMatchObject({
      errorType: 'Runtime.MalformedHandlerName',
      errorMessage: 'Bad handler',
    });
    const init = await failing('throw new TypeError("at init");');
    expect(init.payload).toMatchObject({ errorType: 'TypeError', errorMessage: 'at init' });
    expect(init.FunctionError).toBe('Unhandled');
    expect(init.log).toContain('Uncaught Exception');
    expect(init.log).toContain('Phase: init\tStatus: error\tError Type: TypeError');
    expect(init.log).toContain(`START RequestId: ${init.$metadata.requestId}`);
  });

  it('end the environment if uncaught, and are reported', async () => {
    expect(
      (await failing('exports.handler = (e, c, done) => { setTimeout(() => { throw new Error("late"); }, 5); };'))
        .payload,
    ).toMatchObject({ errorType: 'Error', errorMessage: 'late' });
    expect(
      (
        await failing(
          'exports.handler = async () => { Promise.reject(new Error("lost")); await new Promise((r) => setTimeout(r, 500)); };',
        )
      ).payload,
    ).toMatchObject({ errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: 'Error: lost' });
    expect((await failing('exports.handler = async () => { await new Promise(() => {}); };')).payload).toMatchObject({
      errorType: 'Runtime.NodeJsExit',
    });
  });

  it('are reported for exits as on AWS', async () => {
    const one = await failing('exports.handler = async () => { process.exit(1); };');
    expect(one.payload).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: `RequestId: ${one.$metadata.requestId} Error: Runtime exited with error: exit status 1`,
    });
    expect(one.log).toContain(
      `RequestId: ${one.$metadata.requestId} Error: Runtime exited with error: exit status 1\nRuntime.ExitError\n`,
    );
    const zero = await failing('process.exit(0);');
    expect(zero.payload).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(
        new RegExp(`^RequestId: ${UUID.source} Error: Runtime exited without providing a reason$`),
      ),
    });
    const killed = await failing(
      'exports.handler = async () => { process.kill(process.pid, "SIGKILL"); await new Promise(r => setTimeout(r, 1000)); };',
    );
    expect(killed.payload).toMatchObject({
      errorMessage: expect.stringContaining('Runtime exited with error: signal: killed'),
    });
  });

  it('end the environment at a timeout', async () => {
    const name = await test.define(
      {
        'index.js': `let runs = 0; exports.handler = async (event) => { runs++; if (event.hang) for (;;); return runs; };`,
      },
      { Timeout: 1 },
    );
    expect((await test.invoke(name, {})).payload).toBe(1);
    const late = await test.invoke(name, { hang: true });
    expect(late).toMatchObject({
      FunctionError: 'Unhandled',
      payload: {
        errorType: 'Sandbox.Timedout',
        errorMessage: `RequestId: ${late.$metadata.requestId} Error: Task timed out after 1.00 seconds`,
      },
    });
    expect(late.log).toContain(`${late.$metadata.requestId} Task timed out after 1.00 seconds\n`);
    expect(late.log).toMatch(/\tStatus: timeout\t\n$/);
    expect((await test.invoke(name, {})).payload).toBe(1);
  });
});
