import { expect, it } from 'vitest';
import { startRunning } from './running.ts';

const TRACE = { 'index.js': 'exports.handler = async () => process.env._X_AMZN_TRACE_ID;' };

it("samples traced functions by X-Ray's default rule, others on the caller's request", async () => {
  await using test = await startRunning();
  const traced = await test.define(TRACE, { TracingConfig: { Mode: 'Active' } });
  const other = await test.define(TRACE);
  const run = async (name: string) => {
    const { payload, log } = await test.invoke(name);
    return { header: payload as string, log };
  };
  test.emulator.kernel.clock.freeze();
  // The first request of a second is always sampled, few of the others are.
  const first = await run(traced);
  const [, root, segment] = /^Root=([^;]+);Parent=([0-9a-f]{16});Sampled=1;/.exec(first.header)!;
  expect(first.log).toContain(`\nXRAY TraceId: ${root}\tSegmentId: ${segment}\tSampled: true\t\n`);
  const rest: string[] = [];
  for (let count = 0; count < 12; count++) rest.push((await run(traced)).header);
  expect(rest.filter((header) => header.includes('Sampled=0')).length).toBeGreaterThan(0);
  const passed = await run(other);
  expect(passed.header).toContain('Sampled=0');
  expect(passed.log).not.toContain('XRAY');
  const scope = 'test/20260101/us-east-1/lambda/aws4_request';
  const answer = await test.emulator.gateway.fetch(
    new Request(`http://localhost/2015-03-31/functions/${other}/invocations`, {
      method: 'POST',
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
        'x-amzn-trace-id': 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
      },
    }),
  );
  expect(await answer.json()).toMatch(
    /^Root=1-5759e988-bd862e3fe1be46a994272793;Parent=(?!53995c3f42cd8ad8)\w{16};Sampled=1;/,
  );
});
