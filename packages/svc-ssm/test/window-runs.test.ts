import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type SsmTest, startSsm } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Recorded function calls. A function's name determines whether it fails or waits. */
const called: { name: string; payload: string }[] = [];
let answer: () => void = () => undefined;
const lambda = fakeService('lambda', {
  async Invoke({ FunctionName, Payload }) {
    const name = String(FunctionName);
    called.push({ name, payload: Payload ? Buffer.from(Payload as Uint8Array).toString() : '' });
    if (name === 'slow') await new Promise<void>((resolve) => (answer = resolve));
    if (name === 'missing') throw new Error('there is no such function');
    return name === 'bad' ? { StatusCode: 200, FunctionError: 'Unhandled' } : { StatusCode: 200 };
  },
});
const runs = new Map<string, string>();
const stepfunctions = fakeService('stepfunctions', {
  StartExecution({ name }) {
    runs.set(`arn:${name}`, 'RUNNING');
    return { executionArn: `arn:${name}`, startDate: new Date(0) };
  },
  DescribeExecution: ({ executionArn }) => ({ status: runs.get(String(executionArn)), cause: 'because' }),
});

/** Names of the alarms in the state ALARM; one name makes the lookup fail. */
const alarming = new Set<string>();
const cloudwatch = fakeService('cloudwatch', {
  DescribeAlarms({ AlarmNames }) {
    const names = AlarmNames as string[];
    if (names.includes('untold')) throw new Error('nobody knows');
    return {
      MetricAlarms: names.map((AlarmName) => ({ AlarmName, StateValue: alarming.has(AlarmName) ? 'ALARM' : 'OK' })),
    };
  },
});

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm({ manifests: [lambda, stepfunctions, cloudwatch] });
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(() => {
  called.length = 0;
});

/** Creates a window that opens in an hour, with tasks. */
async function windowWith(...tasks: object[]): Promise<string> {
  const { WindowId } = await t.ssm.createMaintenanceWindow({
    Name: 'window',
    Schedule: 'rate(1 hour)',
    Duration: 2,
    Cutoff: 1,
    AllowUnassociatedTargets: true,
  });
  for (const task of tasks)
    await t.ssm.registerTaskWithMaintenanceWindow({ WindowId, TaskType: 'LAMBDA', TaskArn: 'good', ...task });
  return WindowId!;
}

const executionsOf = async (WindowId: string) =>
  (await t.ssm.describeMaintenanceWindowExecutions({ WindowId })).WindowExecutions!;
const tasksOf = async (WindowExecutionId: string) =>
  (await t.ssm.describeMaintenanceWindowExecutionTasks({ WindowExecutionId })).WindowExecutionTaskIdentities!;
const invocationsOf = async (WindowExecutionId: string, TaskId: string) =>
  (await t.ssm.describeMaintenanceWindowExecutionTaskInvocations({ WindowExecutionId, TaskId }))
    .WindowExecutionTaskInvocationIdentities!;

/** Waits until the oldest execution of a window ends, then deletes the window. */
async function ended(WindowId: string) {
  const execution = await vi.waitFor(async () => {
    const first = (await executionsOf(WindowId)).at(-1)!;
    expect(first.EndTime).toBeDefined();
    return first;
  });
  await t.ssm.deleteMaintenanceWindow({ WindowId });
  return execution;
}

test('runs tasks by priority on each node with pseudo parameters', async () => {
  const Targets = [{ Key: 'InstanceIds', Values: ['i-00000000000000001', 'i-00000000000000002'] }];
  const Payload = Buffer.from('{"id":"{{RESOURCE_ID}}","window":"{{WINDOW_ID}}","other":"{{OTHER}}"}');
  const WindowId = await windowWith(
    { TaskArn: 'last', Priority: 5 },
    {
      TaskArn: 'first',
      Priority: 1,
      Targets,
      MaxConcurrency: '1',
      MaxErrors: '0',
      TaskInvocationParameters: { Lambda: { Payload } },
    },
  );
  await t.advance(HOUR);
  const { WindowExecutionId, Status } = await ended(WindowId);
  expect(Status).toBe('SUCCESS');
  const payload = (id: string) => `{"id":"${id}","window":"${WindowId}","other":"{{OTHER}}"}`;
  expect(called).toEqual([
    { name: 'first', payload: payload('i-00000000000000001') },
    { name: 'first', payload: payload('i-00000000000000002') },
    { name: 'last', payload: '' },
  ]);
  const { TaskIds } = await t.ssm.getMaintenanceWindowExecution({ WindowExecutionId });
  const TaskId = TaskIds![0]!;
  expect(await t.ssm.getMaintenanceWindowExecutionTask({ WindowExecutionId, TaskId })).toMatchObject({
    TaskArn: 'first',
    Type: 'LAMBDA',
    Priority: 1,
    Status: 'SUCCESS',
  });
  const invocations = await invocationsOf(WindowExecutionId!, TaskId);
  expect(invocations.map(({ Status }) => Status)).toEqual(['SUCCESS', 'SUCCESS']);
  const { InvocationId, Parameters } = invocations[0]!;
  expect(
    await t.ssm.getMaintenanceWindowExecutionTaskInvocation({ WindowExecutionId, TaskId, InvocationId }),
  ).toMatchObject({ Parameters, TaskType: 'LAMBDA', Status: 'SUCCESS' });
});

test('fails the execution with a task, and ends the task after too many errors', async () => {
  const Targets = [{ Key: 'InstanceIds', Values: [1, 2, 3].map((digit) => `i-0000000000000000${digit}`) }];
  const WindowId = await windowWith({ TaskArn: 'bad', Targets, MaxConcurrency: '1', MaxErrors: '0' });
  await t.advance(HOUR);
  const { WindowExecutionId, Status, StatusDetails } = await ended(WindowId);
  expect([Status, StatusDetails]).toEqual(['FAILED', 'One or more tasks in the orchestration failed.']);
  const [task] = await tasksOf(WindowExecutionId!);
  const invocations = await invocationsOf(WindowExecutionId!, task!.TaskExecutionId!);
  expect(invocations.map(({ Status }) => Status).sort()).toEqual(['CANCELLED', 'CANCELLED', 'FAILED']);
  expect(called).toHaveLength(1);
});

test('reports the error of a failed call', async () => {
  const WindowId = await windowWith({ TaskArn: 'missing' });
  await t.advance(HOUR);
  const { WindowExecutionId } = await ended(WindowId);
  const [task] = await tasksOf(WindowExecutionId!);
  const [invocation] = await invocationsOf(WindowExecutionId!, task!.TaskExecutionId!);
  expect(invocation!.Status).toBe('FAILED');
  expect(invocation!.StatusDetails).toBeTruthy();
});

test('does not reopen an open window, and cancels its execution', async () => {
  const WindowId = await windowWith({ TaskArn: 'slow', Priority: 1 }, { TaskArn: 'good', Priority: 2 });
  await t.advance(HOUR);
  await vi.waitFor(() => expect(called).toHaveLength(1));
  await t.advance(HOUR - MINUTE);
  const [first] = await executionsOf(WindowId);
  expect(first!.Status).toBe('IN_PROGRESS');
  const { WindowExecutionId } = await t.ssm.cancelMaintenanceWindowExecution({
    WindowExecutionId: first!.WindowExecutionId,
  });
  expect((await executionsOf(WindowId))[0]!.Status).toBe('CANCELLING');
  await t.advance(MINUTE);
  expect((await executionsOf(WindowId))[0]).toMatchObject({ Status: 'SKIPPED_OVERLAPPING' });
  answer();
  expect((await ended(WindowId)).Status).toBe('CANCELLED');
  expect((await tasksOf(WindowExecutionId!)).map(({ Status }) => Status)).toEqual(['SUCCESS', 'CANCELLED']);
});

test('starts nothing after the cutoff', async () => {
  const WindowId = await windowWith({ TaskArn: 'slow', Priority: 1 }, { TaskArn: 'good', Priority: 2 });
  await t.advance(HOUR);
  await vi.waitFor(() => expect(called).toHaveLength(1));
  await t.advance(HOUR);
  answer();
  const { WindowExecutionId, Status } = await ended(WindowId);
  expect(Status).toBe('TIMED_OUT');
  expect((await tasksOf(WindowExecutionId!)).map((task) => task.Status)).toEqual(['SUCCESS', 'TIMED_OUT']);
  expect(called).toHaveLength(1);
});

test('waits for a state machine', async () => {
  const WindowId = await windowWith({
    TaskType: 'STEP_FUNCTIONS',
    TaskArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:work',
    TaskInvocationParameters: { StepFunctions: { Name: 'run-{{WINDOW_ID}}', Input: '{}' } },
  });
  await t.advance(HOUR);
  const run = `arn:run-${WindowId}`;
  await vi.waitFor(() => expect(runs.get(run)).toBe('RUNNING'));
  await t.advance(10 * MINUTE);
  expect((await executionsOf(WindowId))[0]!.Status).toBe('IN_PROGRESS');
  runs.set(run, 'FAILED');
  await t.advance(2 * MINUTE);
  const { WindowExecutionId, Status } = await ended(WindowId);
  expect(Status).toBe('FAILED');
  const [task] = await tasksOf(WindowExecutionId!);
  expect(await invocationsOf(WindowExecutionId!, task!.TaskExecutionId!)).toMatchObject([
    { ExecutionId: run, Status: 'FAILED', StatusDetails: 'because' },
  ]);
});

test('prevents or stops a task during an alarm', async () => {
  const AlarmConfiguration = { Alarms: [{ Name: 'stop' }] };
  const Targets = [{ Key: 'InstanceIds', Values: ['i-00000000000000001', 'i-00000000000000002'] }];
  const task = { TaskArn: 'slow', AlarmConfiguration, Targets, MaxConcurrency: '1', MaxErrors: '2' };
  alarming.add('stop');
  const first = await windowWith(task);
  const { Tasks } = await t.ssm.describeMaintenanceWindowTasks({ WindowId: first });
  expect(Tasks![0]).toMatchObject({ AlarmConfiguration });
  await t.advance(HOUR);
  const kept = await ended(first);
  expect(kept.Status).toBe('CANCELLED');
  const TriggeredAlarms = [{ Name: 'stop', State: 'ALARM' }];
  expect(await tasksOf(kept.WindowExecutionId!)).toMatchObject([
    { Status: 'CANCELLED', AlarmConfiguration, TriggeredAlarms },
  ]);
  expect(called).toEqual([]);

  alarming.clear();
  const second = await windowWith(task);
  await t.advance(HOUR);
  await vi.waitFor(() => expect(called).toHaveLength(1));
  alarming.add('stop');
  await t.advance(MINUTE);
  const { WindowExecutionId } = (await executionsOf(second))[0]!;
  const TaskId = (await tasksOf(WindowExecutionId!))[0]!.TaskExecutionId!;
  const statuses = async () => (await invocationsOf(WindowExecutionId!, TaskId)).map(({ Status }) => Status);
  await vi.waitFor(async () => expect(await statuses()).toEqual(['IN_PROGRESS', 'CANCELLED']));
  answer();
  await ended(second);
  expect(await t.ssm.getMaintenanceWindowExecutionTask({ WindowExecutionId, TaskId })).toMatchObject({
    Status: 'CANCELLED',
    AlarmConfiguration,
    TriggeredAlarms,
  });
  expect(called).toHaveLength(1);
});

test("stops a task if an alarm's state is unavailable, unless ignored", async () => {
  const Alarms = [{ Name: 'untold' }];
  const run = async (IgnorePollAlarmFailure: boolean) => {
    const WindowId = await windowWith({ AlarmConfiguration: { Alarms, IgnorePollAlarmFailure } });
    await t.advance(HOUR);
    return (await ended(WindowId)).Status;
  };
  expect(await run(false)).toBe('CANCELLED');
  expect(called).toEqual([]);
  expect(await run(true)).toBe('SUCCESS');
  expect(called).toHaveLength(1);
});
