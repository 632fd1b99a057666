import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SfnTest, startSfn } from './support.ts';

let t: SfnTest;
beforeAll(async () => {
  t = await startSfn();
});
afterAll(() => t[Symbol.asyncDispose]());

const pass = { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } };

test('returns an execution with those started by its tasks and maps', async () => {
  const inner = await t.machine(pass, { name: 'inner' });
  const nested = {
    StartAt: 'Nest',
    States: {
      Nest: {
        Type: 'Task',
        Resource: 'arn:aws:states:::states:startExecution.sync:2',
        Parameters: { StateMachineArn: inner, Input: {} },
        Next: 'Each',
      },
      Each: {
        Type: 'Map',
        Label: 'L',
        ItemsPath: '$$.Execution.Input.list',
        ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...pass },
        End: true,
      },
    },
  };
  const executionArn = await t.start(await t.machine(nested, { name: 'outer' }), { list: [1, 2] });
  await expect.poll(async () => (await t.sfn.describeExecution({ executionArn })).status).toBe('SUCCEEDED');
  const path = (arn: string) => `/_emulator/stepfunctions/executions/${encodeURIComponent(arn)}/tree`;
  const { json } = await t.emulator.control('GET', path(executionArn));
  const part = { stateMachineArn: expect.stringMatching(/:outer\/L$/), parentStateName: 'Each', children: [] };
  expect(json).toMatchObject({
    executionArn,
    status: 'SUCCEEDED',
    children: [{ stateMachineArn: inner, parentStateName: 'Nest', children: [] }, part, part],
  });
  expect(await t.emulator.control('GET', path(`${executionArn}x`))).toMatchObject({
    status: 404,
    json: { error: { code: 'ExecutionNotFound' } },
  });
});

test('returns synchronous executions with their billing', async () => {
  const stateMachineArn = await t.machine(pass, { name: 'express', type: 'EXPRESS' });
  await t.sfn.startExecution({ stateMachineArn, name: 'other' });
  await t.sfn.startSyncExecution({ stateMachineArn, name: 'awaited' });
  const { json } = await t.emulator.control('GET', '/_emulator/stepfunctions/sync-executions');
  expect(json).toMatchObject({
    executions: [{ name: 'awaited', status: 'SUCCEEDED', billedDurationInMilliseconds: 100, billedMemoryUsedInMB: 64 }],
  });
});
