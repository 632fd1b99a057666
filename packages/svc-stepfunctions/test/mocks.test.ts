import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'emu-mocks-'));
const path = join(folder, 'mocks.json');
const write = (MockedResponses: object) =>
  writeFileSync(
    path,
    JSON.stringify({
      StateMachines: {
        Orders: {
          TestCases: { Happy: { Pay: 'Paid', Approve: 'Approved' }, Retry: { Pay: 'Late', Approve: 'Approved' } },
        },
      },
      MockedResponses,
    }),
  );
const responses = {
  Paid: { '0': { Return: { Payload: { paid: true } } } },
  Late: {
    '0': { Throw: { Error: 'Lambda.ServiceException', Cause: 'busy' } },
    '1-2': { Throw: { Error: 'Mine' } },
    '3': { Return: { Payload: 'at last' } },
  },
  Approved: { '0': { Return: { approved: true } } },
};
const definition = JSON.stringify({
  StartAt: 'Pay',
  States: {
    Pay: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'pay', 'Payload.$': '$' },
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 60, MaxAttempts: 3 }],
      Next: 'Approve',
    },
    Approve: {
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
      Parameters: { QueueUrl: 'q', 'MessageBody.$': '$$.Task.Token' },
      ResultPath: '$.approval',
      End: true,
    },
  },
});

let t: SfnTest;
let arn: string;
beforeAll(async () => {
  write(responses);
  t = await startSfn({ settings: { values: { SFN_MOCK_CONFIG: path } } });
  arn = (await t.sfn.createStateMachine({ name: 'Orders', definition, roleArn: ROLE })).stateMachineArn!;
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Runs a test case to its end, advancing the clock while it waits. */
async function run(testCase: string) {
  const { executionArn } = await t.sfn.startExecution({ stateMachineArn: `${arn}#${testCase}` });
  let described = await t.sfn.describeExecution({ executionArn });
  for (let round = 0; described.status === 'RUNNING' && round < 20; round++) {
    await t.advance(60_000);
    described = await t.sfn.describeExecution({ executionArn });
  }
  return { ...described, types: (await t.events(executionArn!)).map(({ type }) => type) };
}

test('mocks services including callbacks by a test case', async () => {
  const { status, output, types } = await run('Happy');
  expect(status).toBe('SUCCEEDED');
  expect(JSON.parse(output!)).toEqual({ Payload: { paid: true }, approval: { approved: true } });
  expect(types.filter((type) => type.startsWith('Task'))).toEqual([
    'TaskStateEntered',
    'TaskScheduled',
    'TaskStarted',
    'TaskSucceeded',
    'TaskStateExited',
    'TaskStateEntered',
    'TaskScheduled',
    'TaskStarted',
    'TaskSubmitted',
    'TaskSucceeded',
    'TaskStateExited',
  ]);
});

test('fails attempts according to the file, which is reloaded after changes', async () => {
  const { status, output, types } = await run('Retry');
  expect([status, JSON.parse(output!)]).toEqual(['SUCCEEDED', { Payload: 'at last', approval: { approved: true } }]);
  expect(types.filter((type) => type === 'TaskFailed')).toHaveLength(3);
  write({ ...responses, Late: { '0': { Throw: { Error: 'Mine' } } } });
  expect(await run('Retry')).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
});

test('rejects an unknown test case', async () => {
  await expect(t.sfn.startExecution({ stateMachineArn: `${arn}#None` })).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'The mocked integrations have no test case None of Orders.',
  });
});
