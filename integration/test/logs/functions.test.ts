import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';

let test: RunningTest;
let logs: CloudWatchLogs;
beforeAll(async () => {
  test = await startRunning({ manifests: [logsManifest] });
  logs = new CloudWatchLogs(test.emulator.clientConfig());
});
afterAll(() => test[Symbol.asyncDispose]());

/** Functions and services start at their first use, which takes longer on a busy machine. */
const WAIT = { timeout: 20_000 };
const CODE = { 'index.js': 'exports.handler = async (event) => { console.log("got", event.n); return event.n; };' };

const messages = async (logGroupName: string): Promise<string[]> =>
  (await logs.filterLogEvents({ logGroupName })).events!.map(({ message }) => message!);

it("a function's output is in its log group, in order, between the platform's lines", async () => {
  const name = await test.define(CODE);
  const group = `/aws/lambda/${name}`;
  for (const n of [1, 2]) await test.lambda.invoke({ FunctionName: name, Payload: JSON.stringify({ n }) });
  const all = await vi.waitFor(async () => {
    const found = await messages(group);
    expect(found.filter((line) => line.startsWith('REPORT'))).toHaveLength(2);
    return found;
  }, WAIT);
  const kinds = all.map((line) => /^(\w+) RequestId|\tINFO\t(got \d)/.exec(line)?.slice(1).find(Boolean));
  expect(kinds.filter(Boolean)).toEqual(['START', 'got 1', 'END', 'REPORT', 'START', 'got 2', 'END', 'REPORT']);
  const { logStreams } = await logs.describeLogStreams({ logGroupName: group });
  expect(logStreams!.map(({ logStreamName }) => logStreamName)).toEqual([
    expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/),
  ]);
});

it('goes to a configured group, in JSON', async () => {
  const name = await test.define(CODE, { LoggingConfig: { LogFormat: 'JSON', LogGroup: 'chosen' } });
  await test.lambda.invoke({ FunctionName: name, Payload: '{"n":3}' });
  const events = await vi.waitFor(async () => {
    const found = (await messages('chosen')).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(found.some(({ type }) => type === 'platform.report')).toBe(true);
    return found;
  }, WAIT);
  expect(events).toContainEqual(expect.objectContaining({ level: 'INFO', message: 'got 3' }));
});

it('is delivered to a function that subscribes to it', async () => {
  const name = await test.define(CODE);
  const sink = await test.define({
    'index.js':
      'const { gunzipSync } = require("node:zlib");\n' +
      'exports.handler = async ({ awslogs }) => {\n' +
      '  const { logEvents } = JSON.parse(gunzipSync(Buffer.from(awslogs.data, "base64")));\n' +
      '  console.log("SEEN", JSON.stringify(logEvents.map(({ message }) => message)));\n' +
      '};',
  });
  const { FunctionArn } = await test.lambda.getFunctionConfiguration({ FunctionName: sink });
  const logGroupName = `/aws/lambda/${name}`;
  await logs.createLogGroup({ logGroupName });
  const filter = { filterName: 'sub', filterPattern: 'got', destinationArn: FunctionArn! };
  await logs.putSubscriptionFilter({ logGroupName, ...filter });
  await test.emulator.control('PUT', '/_emulator/requests', { recording: true });
  await test.lambda.invoke({ FunctionName: name, Payload: '{"n":4}' });
  await vi.waitFor(
    async () => {
      const seen = (await messages(`/aws/lambda/${sink}`)).filter((line) => line.includes('SEEN'));
      expect(seen).toHaveLength(1);
      expect(seen[0]).toContain('got 4');
    },
    { timeout: 20_000 },
  );
  // The line is between the invocation that wrote it and the one that it caused.
  const { json } = await test.emulator.control('GET', '/_emulator/requests/tree?operation=Invoke');
  const { requests } = json as { requests: unknown[] };
  expect(requests).toMatchObject([
    {
      input: { FunctionName: name },
      caused: [{ operation: 'Invoke', via: 'logs', input: { FunctionName: FunctionArn } }],
    },
  ]);
});
