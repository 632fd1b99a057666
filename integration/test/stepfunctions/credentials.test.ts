import { SFN } from '@aws-sdk/client-sfn';
import { SQS } from '@aws-sdk/client-sqs';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

const OTHER = '222222222222';
const RoleArn = `arn:aws:iam::${OTHER}:role/trusted`;

let t: SfnTest;
let other: SFN;
/** ARN of a state machine of the other account. */
let target: string;
beforeAll(async () => {
  t = await startSfn({ manifests: [sqs] });
  other = new SFN(t.emulator.clientConfig({ accessKeyId: OTHER }));
  const definition = JSON.stringify({ StartAt: 'P', States: { P: { Type: 'Pass', End: true } } });
  const made = await other.createStateMachine({ name: 'target', definition, roleArn: RoleArn });
  target = made.stateMachineArn!;
});
afterAll(() => t[Symbol.asyncDispose]());

const start = { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution.sync', End: true };
const Parameters = { 'StateMachineArn.$': '$.target', Input: { a: 1 } };
const before = (assign: object) => ({ Type: 'Pass', Assign: assign, Next: 'Start' });

// The recorded variants.
test.each([
  ['a text', { Start: { ...start, Parameters, Credentials: { RoleArn } } }],
  ['a path', { Start: { ...start, Parameters, Credentials: { 'RoleArn.$': '$.role' } } }],
  ['the context', { Start: { ...start, Parameters, Credentials: { 'RoleArn.$': '$$.Execution.Input.role' } } }],
  [
    'a variable',
    {
      Before: before({ 'roleArn.$': '$.role' }),
      Start: { ...start, Parameters, Credentials: { 'RoleArn.$': '$roleArn' } },
    },
  ],
  [
    'JSONata',
    {
      Start: {
        ...start,
        QueryLanguage: 'JSONata',
        Arguments: { StateMachineArn: '{% $states.input.target %}', Input: { a: 1 } },
        Credentials: { RoleArn: '{% $states.input.role %}' },
      },
    },
  ],
])('a task assumes a role of another account, given by %s', async (_, States) => {
  const [StartAt] = Object.keys(States);
  const { status, output, events } = await t.run({ StartAt, States }, { target, role: RoleArn });
  expect(status).toBe('SUCCEEDED');
  const { ExecutionArn } = output as { ExecutionArn: string };
  expect(ExecutionArn).toContain(`:${OTHER}:execution:target:`);
  expect((await other.describeExecution({ executionArn: ExecutionArn })).output).toBe('{"a":1}');
  const scheduled = events.find(({ type }) => type === 'TaskScheduled');
  expect(scheduled?.taskScheduledEventDetails).toMatchObject({ taskCredentials: { roleArn: RoleArn } });
});

test("a task runs in its role's account", async () => {
  const queues = new SQS(t.emulator.clientConfig({ accessKeyId: OTHER }));
  await queues.createQueue({ QueueName: 'theirs' });
  const Resource = 'arn:aws:states:::aws-sdk:sqs:listQueues';
  const list = { Type: 'Task', Resource, Parameters: {}, Credentials: { RoleArn }, End: true };
  const { output } = await t.run({ StartAt: 'L', States: { L: list } });
  expect(output).toMatchObject({ QueueUrls: [expect.stringContaining(`/${OTHER}/theirs`)] });
});

test('credentials without a role fail the state', async () => {
  const task = { ...start, Parameters, Credentials: { 'RoleArn.$': '$.role' } };
  const ended = await t.run({ StartAt: 'S', States: { S: task } }, { target, role: 'none' });
  expect(ended).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
});
