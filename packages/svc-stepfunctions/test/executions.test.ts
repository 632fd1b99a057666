import { refusal } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SfnTest, startSfn } from './support.ts';

let test: SfnTest;
beforeAll(async () => {
  test = await startSfn();
});
afterAll(() => test[Symbol.asyncDispose]());

const WAIT = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 2_592_000, Next: 'D' }, D: { Type: 'Succeed' } } };
const PASS = { StartAt: 'P', States: { P: { Type: 'Pass', Result: { a: 1 }, End: true } } };

describe('executions', () => {
  it('waits thirty days of the clock', async () => {
    const executionArn = await test.start(await test.machine(WAIT));
    expect((await test.sfn.describeExecution({ executionArn })).status).toBe('RUNNING');
    await test.advance(2_592_000_000);
    await expect.poll(async () => (await test.sfn.describeExecution({ executionArn })).status).toBe('SUCCEEDED');
    expect((await test.events(executionArn)).map(({ type }) => type)).toEqual([
      'ExecutionStarted',
      'WaitStateEntered',
      'WaitStateExited',
      'SucceedStateEntered',
      'SucceedStateExited',
      'ExecutionSucceeded',
    ]);
  });

  it('stop at once after a restart', async () => {
    await using own = await startSfn();
    const { sfn, emulator } = own;
    const waiting = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 1000, End: true } } };
    const executionArn = await own.start(await own.machine(waiting));
    using checkpoint = emulator.kernel.snapshot();
    await emulator.kernel.restore(checkpoint);
    await sfn.stopExecution({ executionArn, error: 'E', cause: 'because' });
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'ABORTED',
      error: 'E',
      cause: 'because',
    });
    expect((await own.events(executionArn)).at(-1)).toMatchObject({
      type: 'ExecutionAborted',
      previousEventId: 0,
      executionAbortedEventDetails: { error: 'E', cause: 'because' },
    });
  });

  it('stops', async () => {
    const executionArn = await test.start(await test.machine(WAIT));
    await test.sfn.stopExecution({ executionArn, error: 'E', cause: 'because' });
    expect(await test.sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'ABORTED',
      error: 'E',
      cause: 'because',
    });
    expect((await test.events(executionArn)).at(-1)).toMatchObject({ type: 'ExecutionAborted', previousEventId: 0 });
  });

  it('starts once per name and input', async () => {
    const stateMachineArn = await test.machine(WAIT);
    const request = { stateMachineArn, name: 'once', input: '{}' };
    const first = await test.sfn.startExecution(request);
    expect((await test.sfn.startExecution(request)).executionArn).toBe(first.executionArn);
    const again = await refusal(test.sfn.startExecution({ ...request, input: '{"b":1}' }));
    expect([again.name, again.message]).toEqual([
      'ExecutionAlreadyExists',
      `Execution Already Exists: '${first.executionArn}'`,
    ]);
  });

  it('runs express machines synchronously', async () => {
    const stateMachineArn = await test.machine(PASS, { type: 'EXPRESS' });
    const { SFN } = await import('@aws-sdk/client-sfn');
    const sfn = new SFN({ ...test.emulator.clientConfig(), disableHostPrefix: true });
    const answer = await sfn.startSyncExecution({ stateMachineArn });
    expect(answer).toMatchObject({ status: 'SUCCEEDED', output: '{"a":1}' });
    expect(answer.billingDetails?.billedDurationInMilliseconds).toBe(100);
    const standard = await test.machine(PASS);
    const { name } = await refusal(sfn.startSyncExecution({ stateMachineArn: standard }));
    expect(name).toBe('StateMachineTypeNotSupported');
  });

  it('retries and catches', async () => {
    const { output, events } = await test.run({
      StartAt: 'P',
      States: {
        P: {
          Type: 'Parallel',
          Branches: [{ StartAt: 'F', States: { F: { Type: 'Fail', Error: 'E', Cause: 'C' } } }],
          Retry: [{ ErrorEquals: ['E'], MaxAttempts: 1, IntervalSeconds: 5 }],
          Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'D' }],
          Next: 'D',
        },
        D: { Type: 'Succeed' },
      },
    });
    expect(output).toEqual({ error: { Error: 'E', Cause: 'C' } });
    expect(events.filter(({ type }) => type === 'ParallelStateStarted')).toHaveLength(2);
  });

  it('hands activity tasks to workers', async () => {
    const { activityArn } = await test.sfn.createActivity({ name: 'work' });
    const machine = { StartAt: 'T', States: { T: { Type: 'Task', Resource: activityArn, End: true } } };
    const executionArn = await test.start(await test.machine(machine), { x: 1 });
    const { taskToken, input } = await test.sfn.getActivityTask({ activityArn, workerName: 'w' });
    expect(input).toBe('{"x":1}');
    await test.sfn.sendTaskHeartbeat({ taskToken });
    await test.sfn.sendTaskSuccess({ taskToken, output: '{"done":true}' });
    await expect.poll(async () => (await test.sfn.describeExecution({ executionArn })).output).toBe('{"done":true}');
    expect((await refusal(test.sfn.sendTaskSuccess({ taskToken: 'nonsense', output: '{}' }))).name).toBe(
      'InvalidToken',
    );
  });

  it('treats a missing heartbeat as a timeout that both names catch', async () => {
    const { activityArn } = await test.sfn.createActivity({ name: 'beats' });
    const catchOutcome = async (name: string) => {
      const Catch = [{ ErrorEquals: [name], Next: 'D' }];
      const T = { Type: 'Task', Resource: activityArn, TimeoutSeconds: 600, HeartbeatSeconds: 5, Catch, End: true };
      const States = { T, D: { Type: 'Succeed' } };
      const executionArn = await test.start(await test.machine({ StartAt: 'T', States }));
      await test.sfn.getActivityTask({ activityArn });
      await test.advance(5000);
      await expect.poll(async () => (await test.sfn.describeExecution({ executionArn })).status).toBe('SUCCEEDED');
      const { output } = await test.sfn.describeExecution({ executionArn });
      return [JSON.parse(output!), (await test.events(executionArn)).map(({ type }) => type)];
    };
    for (const name of ['States.Timeout', 'States.HeartbeatTimeout'])
      expect(await catchOutcome(name)).toEqual([
        { Error: 'States.Timeout', Cause: '' },
        expect.arrayContaining(['ActivityStarted', 'ActivityTimedOut']),
      ]);
  });

  // Recorded from AWS.
  it('fails by States.Runtime despite any catcher', async () => {
    const { status, error } = await test.run({
      StartAt: 'P',
      States: {
        P: {
          Type: 'Parallel',
          Branches: [{ StartAt: 'A', States: { A: { Type: 'Pass', End: true } } }],
          OutputPath: '$.no.such.path',
          Catch: [{ ErrorEquals: ['States.Runtime'], Next: 'D' }],
          End: true,
        },
        D: { Type: 'Succeed' },
      },
    });
    expect([status, error]).toEqual(['FAILED', 'States.Runtime']);
  });

  // Recorded from AWS.
  it('aborts a task that fails with its branch', async () => {
    const Resource = 'arn:aws:states:::aws-sdk:sfn:describeActivity';
    const Parameters = { ActivityArn: 'arn:aws:states:us-east-1:111111111111:activity:none' };
    const { events } = await test.run({
      StartAt: 'P',
      States: {
        P: {
          Type: 'Parallel',
          Branches: [{ StartAt: 'T', States: { T: { Type: 'Task', Resource, Parameters, End: true } } }],
          Catch: [{ ErrorEquals: ['States.ALL'], Next: 'D' }],
          End: true,
        },
        D: { Type: 'Succeed' },
      },
    });
    const types = events.map(({ type }) => type);
    const from = types.indexOf('TaskFailed');
    expect(types.slice(from, from + 3)).toEqual(['TaskFailed', 'TaskStateAborted', 'ParallelStateFailed']);
  });

  it('awaits nested executions', async () => {
    const child = await test.machine(PASS);
    const { status, output } = await test.run({
      StartAt: 'T',
      States: {
        T: {
          Type: 'Task',
          Resource: 'arn:aws:states:::states:startExecution.sync:2',
          Parameters: { StateMachineArn: child, Input: { i: 1 } },
          OutputPath: '$.Output',
          End: true,
        },
      },
    });
    expect([status, output]).toEqual(['SUCCEEDED', { a: 1 }]);
  });

  it("rejects definitions with AWS's messages", async () => {
    const { name, message } = await refusal(test.machine({ StartAt: 'A' }));
    expect([name, message]).toEqual([
      'InvalidDefinition',
      "Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: These fields are required: [States] at /'",
    ]);
  });
});
