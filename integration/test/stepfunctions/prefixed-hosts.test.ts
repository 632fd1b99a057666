import { Agent } from 'node:http';
import { SFN } from '@aws-sdk/client-sfn';
import type { Listener } from '@emu/gateway';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

let t: SfnTest;
let listener: Listener;
beforeAll(async () => {
  t = await startSfn();
  t.emulator.kernel.clock.resume();
  listener = await t.emulator.gateway.listen({ port: 0 });
});
afterAll(async () => {
  await listener.close();
  await t[Symbol.asyncDispose]();
});

// SDKs prefix the host with `sync-`, for any endpoint.
test.each(['localhost', 'states.us-east-1.amazonaws.com', 'emu'])(
  'an unmodified client runs and tests through the host sync-%s',
  async (name) => {
    const hosts: string[] = [];
    const httpAgent = new Agent({
      lookup: (host, options, done) => {
        hosts.push(host);
        if (options.all) (done as (error: null, found: object[]) => void)(null, [{ address: '127.0.0.1', family: 4 }]);
        else done(null, '127.0.0.1', 4);
      },
    });
    const sfn = new SFN({
      region: 'us-east-1',
      endpoint: `http://${name}:${new URL(listener.url).port}`,
      credentials: { accessKeyId: '111111111111', secretAccessKey: 'test' },
      requestHandler: { httpAgent },
    });
    const pass = { Type: 'Pass', End: true };
    const definition = JSON.stringify({ StartAt: 'P', States: { P: pass } });
    const created = await sfn.createStateMachine({ name: `m-${name}`, definition, roleArn: ROLE, type: 'EXPRESS' });
    const { stateMachineArn } = created;
    expect(await sfn.startSyncExecution({ stateMachineArn, input: '{"a":1}' })).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"a":1}',
    });
    const tested = await sfn.testState({ definition: JSON.stringify(pass), roleArn: ROLE, input: '{"b":2}' });
    expect(tested).toMatchObject({ status: 'SUCCEEDED', output: '{"b":2}' });
    expect(hosts).toContain(`sync-${name}`);
    sfn.destroy();
    httpAgent.destroy();
  },
);
