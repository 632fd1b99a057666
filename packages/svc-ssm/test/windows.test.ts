import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, failureOf, type SsmTest, startSsm } from './support.ts';

const HOUR = DAY / 24;
const START = Date.parse('2026-03-02T00:30:00Z');

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm();
  t.emulator.kernel.clock.set(START);
});
afterAll(() => t[Symbol.asyncDispose]());

const create = async (more: object = {}): Promise<string> =>
  (
    await t.ssm.createMaintenanceWindow({
      Name: 'window',
      Schedule: 'cron(0 4 ? * * *)',
      Duration: 3,
      Cutoff: 1,
      AllowUnassociatedTargets: true,
      ...more,
    })
  ).WindowId!;
const nextOf = async (WindowId: string) => (await t.ssm.getMaintenanceWindow({ WindowId })).NextExecutionTime;

test.each([
  ['cron in UTC', {}, '2026-03-02T04:00Z'],
  ['cron in a time zone', { ScheduleTimezone: 'Europe/Berlin' }, '2026-03-02T03:00Z'],
  ['cron with an offset', { Schedule: 'cron(0 4 ? * MON *)', ScheduleOffset: 2 }, '2026-03-04T04:00Z'],
  ['the third Thursday', { Schedule: 'cron(0 2 ? * THU#3 *)' }, '2026-03-19T02:00Z'],
  ['a rate', { Schedule: 'rate(7 days)' }, '2026-03-09T00:30Z'],
  ['a rate with a start', { Schedule: 'rate(7 days)', StartDate: '2026-03-05T10:00:00Z' }, '2026-03-05T10:00Z'],
  ['a time', { Schedule: 'at(2026-04-01T12:00:00)', ScheduleTimezone: 'Asia/Tokyo' }, '2026-04-01T03:00Z'],
  ['a start', { StartDate: '2026-06-01' }, '2026-06-01T04:00Z'],
  ['an end that has come', { EndDate: '2026-03-02T01:00:00Z' }, undefined],
])('opens next by %s', async (_what, more, expected) => {
  expect(await nextOf(await create(more))).toBe(expected);
});

test.each([
  [{ Schedule: 'daily' }, 'ValidationException: The schedule expression daily is not valid.'],
  [{ ScheduleTimezone: 'Mars/Base' }, 'ValidationException: The timezone Mars/Base is not valid.'],
  [{ Cutoff: 3 }, 'ValidationException: The cutoff must be less than the duration.'],
  [{ StartDate: 'soon' }, 'ValidationException: The date soon is not of ISO 8601.'],
  [
    { StartDate: '2026-05-01', EndDate: '2026-04-01' },
    'ValidationException: The end date must be after the start date.',
  ],
  [
    { Schedule: 'rate(1 day)', ScheduleOffset: 1 },
    'ValidationException: A schedule offset is valid for cron expressions only.',
  ],
])('rejects %j', async (more, failure) => {
  expect(await failureOf(create(more))).toBe(failure);
});

test('changes, lists and deletes a window', async () => {
  const WindowId = await create({ Name: 'listed', Description: 'nightly', ClientToken: 'token' });
  expect(WindowId).toMatch(/^mw-[0-9a-f]{17}$/);
  expect(await create({ Name: 'listed', Description: 'nightly', ClientToken: 'token' })).toBe(WindowId);
  await t.ssm.updateMaintenanceWindow({ WindowId, Enabled: false, Duration: 5 });
  const told = await t.ssm.getMaintenanceWindow({ WindowId });
  expect(told).toMatchObject({ Enabled: false, Duration: 5, Description: 'nightly', Cutoff: 1 });
  expect(told.NextExecutionTime).toBeUndefined();
  const filter = (Key: string, Value: string) => ({ Filters: [{ Key, Values: [Value] }] });
  const { WindowIdentities } = await t.ssm.describeMaintenanceWindows(filter('Name', 'listed'));
  expect(WindowIdentities).toMatchObject([{ WindowId, Enabled: false }]);
  const disabled = await t.ssm.describeMaintenanceWindows(filter('Enabled', 'False'));
  expect(disabled.WindowIdentities!.map((window) => window.WindowId)).toEqual([WindowId]);
  expect(await failureOf(t.ssm.updateMaintenanceWindow({ WindowId, Replace: true, Name: 'other' }))).toBe(
    'ValidationException: Schedule is required where Replace is true.',
  );
  const whole = { Name: 'other', Schedule: 'rate(1 day)', Duration: 2, Cutoff: 0, AllowUnassociatedTargets: false };
  const replaced = await t.ssm.updateMaintenanceWindow({ WindowId, Replace: true, ...whole });
  expect(replaced).toMatchObject(whole);
  expect(replaced.Description).toBeUndefined();
  await t.ssm.deleteMaintenanceWindow({ WindowId });
  await t.ssm.deleteMaintenanceWindow({ WindowId });
  expect(await failureOf(t.ssm.getMaintenanceWindow({ WindowId }))).toBe(
    `DoesNotExistException: Maintenance window ${WindowId} does not exist.`,
  );
});

test('lists upcoming openings', async () => {
  const WindowId = await create({ Name: 'coming' });
  const { ScheduledWindowExecutions } = await t.ssm.describeMaintenanceWindowSchedule({
    WindowId,
    Filters: [{ Key: 'ScheduledBefore', Values: ['2026-03-04T12:00:00Z'] }],
  });
  expect(ScheduledWindowExecutions!.map(({ ExecutionTime }) => ExecutionTime)).toEqual([
    '2026-03-02T04:00Z',
    '2026-03-03T04:00Z',
    '2026-03-04T04:00Z',
  ]);
  const after = await t.ssm.describeMaintenanceWindowSchedule({
    WindowId,
    MaxResults: 1,
    Filters: [{ Key: 'ScheduledAfter', Values: ['2027-01-01T00:00:00Z'] }],
  });
  expect(after.ScheduledWindowExecutions).toMatchObject([{ Name: 'coming', ExecutionTime: '2027-01-01T04:00Z' }]);
});

test('registers, finds and keeps targets while a task needs them', async () => {
  const WindowId = await create({ AllowUnassociatedTargets: false });
  const Values = ['i-00000000000000001'];
  const target = { WindowId, ResourceType: 'INSTANCE', Targets: [{ Key: 'InstanceIds', Values }] } as const;
  const { WindowTargetId } = await t.ssm.registerTargetWithMaintenanceWindow({
    ...target,
    Targets: [{ Key: 'InstanceIds', Values }],
    OwnerInformation: 'me',
  });
  const found = await t.ssm.describeMaintenanceWindowsForTarget({
    ResourceType: 'INSTANCE',
    Targets: [{ Key: 'InstanceIds', Values }],
  });
  expect(found.WindowIdentities).toEqual([{ WindowId, Name: 'window' }]);
  await t.ssm.updateMaintenanceWindowTarget({ WindowId, WindowTargetId, Name: 'web' });
  const { Targets } = await t.ssm.describeMaintenanceWindowTargets({
    WindowId,
    Filters: [{ Key: 'OwnerInformation', Values: ['me'] }],
  });
  expect(Targets).toMatchObject([{ WindowTargetId, Name: 'web', OwnerInformation: 'me', ResourceType: 'INSTANCE' }]);
  const register = (more: object) =>
    t.ssm.registerTaskWithMaintenanceWindow({
      WindowId,
      TaskArn: 'AWS-RunShellScript',
      TaskType: 'RUN_COMMAND',
      MaxConcurrency: '1',
      MaxErrors: '0',
      ...more,
    });
  expect(await failureOf(register({}))).toBe('ValidationException: A task of type RUN_COMMAND needs targets.');
  const stranger = [{ Key: 'InstanceIds', Values: ['i-00000000000000002'] }];
  expect(await failureOf(register({ Targets: stranger }))).toMatch(/is not a registered target/);
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await failureOf(register({ Targets: [{ Key: 'WindowTargetIds', Values: [unknown] }] }))).toMatch(
    /^DoesNotExistException/,
  );
  await register({ Targets: [{ Key: 'WindowTargetIds', Values: [WindowTargetId] }] });
  const deregister = (Safe: boolean) => t.ssm.deregisterTargetFromMaintenanceWindow({ WindowId, WindowTargetId, Safe });
  expect(await failureOf(deregister(true))).toMatch(/^TargetInUseException/);
  await deregister(false);
  expect(await failureOf(deregister(false))).toMatch(/^DoesNotExistException/);
  expect(
    await failureOf(
      t.ssm.registerTargetWithMaintenanceWindow({
        WindowId,
        ResourceType: 'RESOURCE_GROUP',
        Targets: [{ Key: 'InstanceIds', Values }],
      }),
    ),
  ).toMatch(/^ValidationException/);
});

test('registers, changes and removes tasks', async () => {
  const WindowId = await create();
  const TaskArn = 'arn:aws:lambda:us-east-1:000000000000:function:clean';
  const { WindowTaskId } = await t.ssm.registerTaskWithMaintenanceWindow({
    WindowId,
    TaskArn,
    TaskType: 'LAMBDA',
    Priority: 3,
    Name: 'clean',
    TaskInvocationParameters: { Lambda: { Payload: Buffer.from('{"a":1}'), Qualifier: 'live' } },
  });
  const read = () => t.ssm.getMaintenanceWindowTask({ WindowId, WindowTaskId });
  const told = await read();
  expect(told).toMatchObject({ TaskArn, TaskType: 'LAMBDA', Priority: 3, MaxConcurrency: '1', MaxErrors: '1' });
  expect(Buffer.from(told.TaskInvocationParameters!.Lambda!.Payload!).toString()).toBe('{"a":1}');
  await t.ssm.updateMaintenanceWindowTask({ WindowId, WindowTaskId, Priority: 1, CutoffBehavior: 'CANCEL_TASK' });
  expect(await read()).toMatchObject({ Priority: 1, Name: 'clean', CutoffBehavior: 'CANCEL_TASK' });
  await t.ssm.updateMaintenanceWindowTask({ WindowId, WindowTaskId, TaskArn, Replace: true });
  expect((await read()).Name).toBeUndefined();
  const { Tasks } = await t.ssm.describeMaintenanceWindowTasks({
    WindowId,
    Filters: [{ Key: 'TaskType', Values: ['LAMBDA'] }],
  });
  expect(Tasks).toMatchObject([{ WindowTaskId, Type: 'LAMBDA' }]);
  const change = (more: object) => failureOf(t.ssm.updateMaintenanceWindowTask({ WindowId, WindowTaskId, ...more }));
  expect(await change({ TaskInvocationParameters: { StepFunctions: { Input: '{}' } } })).toMatch(
    /^ValidationException/,
  );
  expect(await change({ ServiceRoleArn: 'role' })).toMatch(/^ValidationException/);
  await t.ssm.deregisterTaskFromMaintenanceWindow({ WindowId, WindowTaskId });
  expect(await failureOf(read())).toMatch(/^DoesNotExistException/);
});

test('opens and closes a window without tasks', async () => {
  const WindowId = await create({ Name: 'idle', Schedule: 'rate(1 hour)' });
  await t.advance(2 * HOUR);
  const { WindowExecutions } = await t.ssm.describeMaintenanceWindowExecutions({ WindowId });
  expect(WindowExecutions).toMatchObject([
    { Status: 'SUCCESS', StatusDetails: 'No tasks to execute.' },
    { Status: 'SUCCESS' },
  ]);
  const [last, first] = WindowExecutions!;
  expect(last!.StartTime!.getTime() - first!.StartTime!.getTime()).toBe(HOUR);
  const { WindowExecutionId } = last!;
  expect(await t.ssm.getMaintenanceWindowExecution({ WindowExecutionId })).toMatchObject({ TaskIds: [] });
  const ExecutedAfter = [{ Key: 'ExecutedAfter', Values: [first!.StartTime!.toISOString()] }];
  const after = await t.ssm.describeMaintenanceWindowExecutions({ WindowId, Filters: ExecutedAfter });
  expect(after.WindowExecutions).toHaveLength(1);
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await failureOf(t.ssm.getMaintenanceWindowExecution({ WindowExecutionId: unknown }))).toMatch(
    /^DoesNotExistException/,
  );
  expect(await failureOf(t.ssm.cancelMaintenanceWindowExecution({ WindowExecutionId: unknown }))).toMatch(
    /^DoesNotExistException/,
  );
});
