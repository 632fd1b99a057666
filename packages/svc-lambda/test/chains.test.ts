import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';

/** Calls itself a number of times, each call within the previous one, through a client without trace headers. */
const CALLS_ITSELF = `exports.handler = async (depth, context) => {
  if (depth === 0) return 0;
  const scope = process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/lambda/aws4_request';
  const answer = await fetch(process.env.AWS_ENDPOINT_URL + '/2015-03-31/functions/' + context.functionName + '/invocations', {
    method: 'POST',
    body: String(depth - 1),
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=' + scope + ', SignedHeaders=host, Signature=0' },
  });
  const body = await answer.json();
  return answer.ok ? 1 + body : answer.headers.get('x-amzn-errortype');
};`;

let test: RunningTest;
beforeAll(async () => {
  test = await startRunning({ settings: { values: { EMULATOR_LAMBDA_MAX_CONCURRENCY: 2 } } });
});
afterAll(() => test[Symbol.asyncDispose]());

const environments = async (name: string): Promise<number> => {
  const { json } = await test.emulator.control('GET', '/_emulator/lambda/warm-containers');
  return JSON.stringify(json).split(`"${name}"`).length - 1;
};

it('a function that waits for itself gets environments beyond the limit, which end afterwards', async () => {
  const name = await test.define({ 'index.js': CALLS_ITSELF }, { Timeout: 30 });
  expect((await test.invoke(name, 4)).payload).toBe(4);
  await expect.poll(() => environments(name)).toBe(2);
});

it('stops endless recursion after 16 runs, whatever the client sends', async () => {
  const name = await test.define({ 'index.js': CALLS_ITSELF }, { Timeout: 60 });
  const { payload } = await test.invoke(name, 20);
  // The innermost of 16 runs returns its number, and each outer one adds to it.
  expect(payload).toBe(`${'1'.repeat(15)}RecursiveInvocationException`);
});
