import type { SendCommandCommandInput } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fleet, makeFleet, node } from './nodes.ts';
import { ACCOUNT, DAY, failureOf, type SsmTest, startSsm } from './support.ts';

const ONE = 'i-00000000000000001';
const TWO = 'i-00000000000000002';
const OFF = 'i-0000000000000000f';
const WINDOWS = 'i-0000000000000000a';

let fleet: Fleet;
let t: SsmTest;
beforeAll(async () => {
  fleet = makeFleet(
    node(ONE, { name: 'first', tags: { stage: 'prod' } }),
    node(TWO, { tags: { stage: 'prod' } }),
    node(OFF, { online: false }),
    node(WINDOWS, { platform: 'Windows', platformName: 'Windows Server' }),
  );
  t = await startSsm({ manifests: [fleet.manifest] });
});
afterAll(() => t[Symbol.asyncDispose]());
const usual = (_id: string, { lines }: { lines: readonly string[] }) => ({
  code: 0,
  stdout: `${lines.join('; ')}\n`,
  stderr: '',
});
beforeEach(() => {
  fleet.scripts.length = 0;
  fleet.answer = usual;
});

const send = async (InstanceIds: string[] | undefined, more: Partial<SendCommandCommandInput> = {}) =>
  (
    await t.ssm.sendCommand({
      DocumentName: 'AWS-RunShellScript',
      Parameters: { commands: ['echo one', 'echo two'] },
      ...(InstanceIds && { InstanceIds }),
      ...more,
    })
  ).Command!;
const command = async (CommandId: string) => (await t.ssm.listCommands({ CommandId })).Commands![0]!;
const reaches = (id: string, status: string) =>
  expect.poll(async () => (await command(id)).StatusDetails, { interval: 5 }).toBe(status);

describe('SendCommand', () => {
  test('runs a script on each node and returns its result', async () => {
    const { CommandId, ...sent } = await send([ONE, TWO], { Comment: 'hello' });
    expect(sent).toMatchObject({
      DocumentName: 'AWS-RunShellScript',
      Status: 'Pending',
      StatusDetails: 'Pending',
      InstanceIds: [ONE, TWO],
      TargetCount: 2,
      CompletedCount: 0,
      MaxConcurrency: '50',
      MaxErrors: '0',
      TimeoutSeconds: 3600,
      Comment: 'hello',
    });
    await reaches(CommandId!, 'Success');
    expect(await command(CommandId!)).toMatchObject({ Status: 'Success', CompletedCount: 2, ErrorCount: 0 });
    expect(fleet.scripts).toEqual([
      { id: ONE, lines: ['echo one', 'echo two'], workingDirectory: undefined },
      { id: TWO, lines: ['echo one', 'echo two'], workingDirectory: undefined },
    ]);
    const { CommandInvocations } = await t.ssm.listCommandInvocations({ CommandId, Details: true });
    expect(CommandInvocations).toMatchObject([
      {
        InstanceId: ONE,
        InstanceName: 'first',
        Status: 'Success',
        CommandPlugins: [
          { Name: 'aws:runShellScript', Status: 'Success', ResponseCode: 0, Output: 'echo one; echo two\n' },
        ],
      },
      { InstanceId: TWO, Status: 'Success' },
    ]);
    expect(await t.ssm.getCommandInvocation({ CommandId, InstanceId: ONE })).toMatchObject({
      PluginName: 'aws:runShellScript',
      ResponseCode: 0,
      Status: 'Success',
      StandardOutputContent: 'echo one; echo two\n',
      StandardErrorContent: '',
    });
    expect(await failureOf(t.ssm.getCommandInvocation({ CommandId, InstanceId: OFF }))).toMatch(
      /^InvocationDoesNotExist/,
    );
    expect(
      await failureOf(t.ssm.getCommandInvocation({ CommandId, InstanceId: ONE, PluginName: 'aws:other' })),
    ).toMatch(/^InvalidPluginName/);
  });

  test('runs the steps of a document whose preconditions match', async () => {
    const step = (platform: string, action: string, line: string) => ({
      action,
      name: `on${platform}`,
      precondition: { StringEquals: ['platformType', platform] },
      inputs: { runCommand: [`${line} {{ Word }}`, '{{ Lines }}'], workingDirectory: '/tmp' },
    });
    const Content = JSON.stringify({
      schemaVersion: '2.2',
      parameters: { Word: { type: 'String', default: 'hi' }, Lines: { type: 'StringList', default: ['a', 'b'] } },
      mainSteps: [
        step('Linux', 'aws:runShellScript', 'echo'),
        step('Windows', 'aws:runPowerShellScript', 'Write-Host'),
      ],
    });
    await t.ssm.createDocument({ Name: 'both', Content, DocumentType: 'Command' });
    const { CommandId } = await send([ONE], { DocumentName: 'both', Parameters: { Word: ['yo'] } });
    await reaches(CommandId!, 'Success');
    expect(fleet.scripts).toEqual([{ id: ONE, lines: ['echo yo', 'a', 'b'], workingDirectory: '/tmp' }]);
    expect(
      (await t.ssm.getCommandInvocation({ CommandId, InstanceId: ONE, PluginName: 'onWindows' })).StandardOutputContent,
    ).toBe('Step execution skipped due to unsupported platform. Step name: onWindows');
  });

  test('rejects unknown nodes and parameters', async () => {
    expect(await failureOf(send(['i-0123456789abcdef0']))).toBe(
      `InvalidInstanceId: Instances [[i-0123456789abcdef0]] not in a valid state for account ${ACCOUNT}`,
    );
    expect(await failureOf(send([ONE, ONE]))).toMatch(/^DuplicateInstanceId/);
    expect(await failureOf(send([WINDOWS]))).toMatch(/^UnsupportedPlatformType/);
    expect(await failureOf(send([ONE], { Parameters: {} }))).toBe(
      'InvalidParameters: Parameter "commands" requires a value.',
    );
    expect(await failureOf(send([ONE], { Parameters: { commands: ['x'], other: ['y'] } }))).toMatch(
      /^InvalidParameters/,
    );
    expect(await failureOf(send([ONE], { Parameters: { commands: ['x'], executionTimeout: ['0'] } }))).toMatch(
      /^InvalidParameters: Parameter "executionTimeout" has value "0" not matching/,
    );
    expect(await failureOf(send([ONE], { DocumentName: 'unknown' }))).toMatch(/^InvalidDocument: /);
    expect(await failureOf(send([ONE], { DocumentName: 'SSM-SessionManagerRunShell' }))).toMatch(/^InvalidDocument: /);
    expect(await failureOf(send([ONE], { DocumentVersion: '9' }))).toMatch(/^InvalidDocumentVersion/);
    expect(await failureOf(send(undefined))).toMatch(/^InvalidParameters/);
    const NotificationConfig = { NotificationArn: 'x', NotificationEvents: ['All' as const] };
    expect(await failureOf(send([ONE], { NotificationConfig }))).toMatch(/^InvalidNotificationConfig/);
    expect(await failureOf(send([ONE], { ServiceRoleArn: 'x' }))).toMatch(/^InvalidRole/);
  });

  test('selects the nodes that match all targets', async () => {
    const Targets = [{ Key: 'tag:stage', Values: ['prod'] }];
    const { CommandId, TargetCount } = await send(undefined, { Targets });
    expect(TargetCount).toBe(2);
    await reaches(CommandId!, 'Success');
    const none = await send(undefined, { Targets: [{ Key: 'tag:stage', Values: ['dev'] }] });
    expect(none).toMatchObject({ TargetCount: 0, StatusDetails: 'NoInstancesInTag' });
  });

  test('fails the command if a script fails', async () => {
    fleet.answer = () => ({ code: 7, stdout: 'out', stderr: 'no such thing' });
    const { CommandId } = await send([ONE, TWO], { MaxConcurrency: '1' });
    await reaches(CommandId!, 'Failed');
    const { CommandInvocations } = await t.ssm.listCommandInvocations({ CommandId, Details: true });
    expect(CommandInvocations).toMatchObject([
      { Status: 'Failed', CommandPlugins: [{ ResponseCode: 7, Output: 'out\n----------ERROR-------\nno such thing' }] },
      { Status: 'Cancelled', StatusDetails: 'Terminated' },
    ]);
    const tolerant = await send([ONE], { MaxErrors: '1' });
    await reaches(tolerant.CommandId!, 'Incomplete');
  });

  test('times out the delivery to an unreachable node', async () => {
    const { CommandId } = await send([OFF], { TimeoutSeconds: 60 });
    await t.advance(59_000);
    expect((await command(CommandId!)).Status).toBe('Pending');
    await t.advance(1_000);
    expect(await command(CommandId!)).toMatchObject({
      Status: 'TimedOut',
      StatusDetails: 'DeliveryTimedOut',
      DeliveryTimedOutCount: 1,
    });
  });

  test('ends a script at its timeout', async () => {
    fleet.answer = (_id, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    const { CommandId } = await send([ONE], { Parameters: { commands: ['sleep'], executionTimeout: ['30'] } });
    await expect.poll(() => fleet.scripts.length).toBe(1);
    await t.advance(30_000);
    await reaches(CommandId!, 'ExecutionTimedOut');
  });
});

describe('CancelCommand', () => {
  test('cancels unfinished invocations', async () => {
    fleet.answer = (_id, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    const { CommandId } = await send([ONE, OFF]);
    await expect.poll(() => fleet.scripts.length).toBe(1);
    expect(await failureOf(t.ssm.cancelCommand({ CommandId, InstanceIds: [TWO] }))).toMatch(/^InvalidInstanceId/);
    await t.ssm.cancelCommand({ CommandId, InstanceIds: [OFF] });
    expect((await t.ssm.getCommandInvocation({ CommandId, InstanceId: OFF })).Status).toBe('Cancelled');
    await t.ssm.cancelCommand({ CommandId });
    await reaches(CommandId!, 'Cancelled');
    expect(await failureOf(t.ssm.cancelCommand({ CommandId: '00000000-0000-0000-0000-000000000000' }))).toMatch(
      /^InvalidCommandId/,
    );
  });
});

test('lists with filters', async () => {
  const { CommandId } = await send([OFF]);
  const ids = async (key: string, value: string) =>
    (await t.ssm.listCommands({ InstanceId: OFF, Filters: [{ key: key as 'Status', value }] })).Commands!.map(
      (one) => one.CommandId,
    );
  expect(await ids('Status', 'Pending')).toEqual([CommandId]);
  expect(await ids('ExecutionStage', 'Executing')).toEqual([CommandId]);
  expect(await ids('InvokedAfter', '2001-01-01T00:00:00Z')).toContain(CommandId);
  expect(await ids('InvokedBefore', '2001-01-01T00:00:00Z')).toEqual([]);
  expect(await ids('DocumentName', 'other')).toEqual([]);
  const Filters = [{ key: 'ExecutionStage' as const, value: 'Executing' }];
  expect(await failureOf(t.ssm.listCommandInvocations({ Filters }))).toMatch(/^InvalidFilterKey/);
});

test('sets the outcome of a command by control routes', async () => {
  const { CommandId } = await send([OFF]);
  const path = `/_emulator/ssm/commands/${CommandId}`;
  const set = await t.emulator.control('POST', `${path}/status`, {
    status: 'Success',
    instanceId: OFF,
    standardOutputContent: 'done',
  });
  expect(set.json).toEqual({
    commandId: CommandId,
    status: 'Success',
    invocations: [{ instanceId: OFF, status: 'Success', statusDetails: 'Success', responseCode: 0 }],
  });
  expect(await t.ssm.getCommandInvocation({ CommandId, InstanceId: OFF })).toMatchObject({
    Status: 'Success',
    StandardOutputContent: 'done',
  });
  const second = await send([OFF]);
  const failed = await t.emulator.control('POST', `/_emulator/ssm/commands/${second.CommandId}/fail`);
  expect(failed.json).toMatchObject({ status: 'Failed' });
  expect((await t.emulator.control('POST', `${path}/status`, { status: 'Odd' })).status).toBe(400);
  expect((await t.emulator.control('POST', '/_emulator/ssm/commands/none/fail')).status).toBe(404);
});

test('runs a command from a runbook', async () => {
  const Content = JSON.stringify({
    schemaVersion: '0.3',
    outputs: ['run.Output'],
    mainSteps: [
      {
        name: 'run',
        action: 'aws:runCommand',
        inputs: { DocumentName: 'AWS-RunShellScript', InstanceIds: [ONE], Parameters: { commands: ['uptime'] } },
      },
    ],
  });
  await t.ssm.createDocument({ Name: 'commanding', Content, DocumentType: 'Automation' });
  const { AutomationExecutionId } = await t.ssm.startAutomationExecution({ DocumentName: 'commanding' });
  const execution = async () => (await t.ssm.getAutomationExecution({ AutomationExecutionId })).AutomationExecution!;
  await expect.poll(async () => (await execution()).AutomationExecutionStatus, { interval: 5 }).toBe('Success');
  expect((await execution()).Outputs).toEqual({ 'run.Output': ['uptime\n'] });
});

describe('activations', () => {
  test('keeps activations until they expire and registers machines', async () => {
    const { ActivationId, ActivationCode } = await t.ssm.createActivation({
      IamRole: 'service-role/hybrid',
      Description: 'for tests',
      DefaultInstanceName: 'machine',
      Tags: [{ Key: 'team', Value: 'a' }],
    });
    expect(ActivationCode).toHaveLength(20);
    const listed = async () =>
      (await t.ssm.describeActivations({ Filters: [{ FilterKey: 'ActivationIds', FilterValues: [ActivationId!] }] }))
        .ActivationList!;
    expect(await listed()).toMatchObject([
      {
        ActivationId,
        Description: 'for tests',
        DefaultInstanceName: 'machine',
        IamRole: 'service-role/hybrid',
        RegistrationLimit: 1,
        RegistrationsCount: 0,
        Expired: false,
        Tags: [{ Key: 'team', Value: 'a' }],
      },
    ]);
    const register = (code: string) =>
      t.emulator.kernel.call('ssm', 'RegisterManagedInstance', { ActivationId: ActivationId!, ActivationCode: code });
    await expect(register('wrong')).rejects.toMatchObject({ code: 'InvalidActivation' });
    const { InstanceId } = await register(ActivationCode!);
    await expect(register(ActivationCode!)).rejects.toMatchObject({ code: 'InvalidActivation' });
    expect((await listed())[0]!.RegistrationsCount).toBe(1);
    const Filters = [{ Key: 'ActivationIds', Values: [ActivationId!] }];
    expect((await t.ssm.describeInstanceInformation({ Filters })).InstanceInformationList).toMatchObject([
      {
        InstanceId,
        Name: 'machine',
        ResourceType: 'ManagedInstance',
        PingStatus: 'ConnectionLost',
        IamRole: 'service-role/hybrid',
      },
    ]);
    await t.ssm.updateManagedInstanceRole({ InstanceId, IamRole: 'other' });
    const FiltersWithOperator = [{ Key: 'IamRole', Values: ['oth'], Operator: 'BeginWith' as const }];
    expect((await t.ssm.describeInstanceProperties({ FiltersWithOperator })).InstanceProperties).toMatchObject([
      { InstanceId },
    ]);
    const at = { ResourceType: 'ManagedInstance' as const, ResourceId: InstanceId };
    expect((await t.ssm.listTagsForResource(at)).TagList).toEqual([{ Key: 'team', Value: 'a' }]);
    await t.ssm.deregisterManagedInstance({ InstanceId });
    expect(await failureOf(t.ssm.deregisterManagedInstance({ InstanceId }))).toMatch(/^InvalidInstanceId/);
    expect(await failureOf(t.ssm.updateManagedInstanceRole({ InstanceId, IamRole: 'x' }))).toMatch(
      /^InvalidInstanceId/,
    );
    await t.advance(DAY);
    expect((await listed())[0]!.Expired).toBe(true);
    await t.ssm.deleteActivation({ ActivationId });
    expect(await listed()).toEqual([]);
    expect(await failureOf(t.ssm.deleteActivation({ ActivationId }))).toMatch(/^InvalidActivation/);
    const late = new Date(t.emulator.kernel.clock.now() + 31 * DAY);
    expect(await failureOf(t.ssm.createActivation({ IamRole: 'r', ExpirationDate: late }))).toMatch(
      /^InvalidParameters/,
    );
  });

  test('filters nodes', async () => {
    const ids = async (Key: string, ...Values: string[]) =>
      (await t.ssm.describeInstanceInformation({ Filters: [{ Key, Values }] })).InstanceInformationList!.map(
        ({ InstanceId }) => InstanceId,
      );
    expect(await ids('PlatformTypes', 'Windows')).toEqual([WINDOWS]);
    expect(await ids('PingStatus', 'ConnectionLost')).toEqual([OFF]);
    expect(await ids('tag:stage', 'prod')).toEqual([ONE, TWO]);
    expect(await ids('InstanceIds', TWO)).toEqual([TWO]);
    expect(await failureOf(ids('InstanceIds', 'x'))).toMatch(/^InvalidInstanceId/);
    expect(await failureOf(ids('Colour', 'x'))).toMatch(/^InvalidFilterKey/);
    const InstanceInformationFilterList = [{ key: 'ResourceType' as const, valueSet: ['EC2Instance'] }];
    const page = await t.ssm.describeInstanceInformation({ InstanceInformationFilterList, MaxResults: 5 });
    expect(page.InstanceInformationList).toHaveLength(4);
  });
});

describe('sessions', () => {
  test('starts sessions on connected nodes and ends them', async () => {
    const started = await t.ssm.startSession({ Target: ONE, Reason: 'look' });
    const { SessionId } = started;
    expect(started.StreamUrl).toContain(`/v1/data-channel/${SessionId}`);
    expect(started.TokenValue).not.toBe('');
    const listed = async (State: 'Active' | 'History') =>
      (await t.ssm.describeSessions({ State, Filters: [{ key: 'Target', value: ONE }] })).Sessions!;
    expect(await listed('Active')).toMatchObject([
      {
        SessionId,
        Target: ONE,
        Status: 'Connected',
        Reason: 'look',
        Owner: `arn:aws:iam::${ACCOUNT}:root`,
        DocumentName: 'SSM-SessionManagerRunShell',
      },
    ]);
    expect((await t.ssm.resumeSession({ SessionId })).TokenValue).not.toBe(started.TokenValue);
    expect(await t.ssm.terminateSession({ SessionId })).toMatchObject({ SessionId });
    expect(await listed('Active')).toEqual([]);
    expect(await listed('History')).toMatchObject([{ SessionId, Status: 'Terminated' }]);
    expect(await failureOf(t.ssm.resumeSession({ SessionId }))).toMatch(/^DoesNotExistException/);
    expect(await failureOf(t.ssm.terminateSession({ SessionId: 'none-1' }))).toMatch(/^DoesNotExistException/);
    expect(await failureOf(t.ssm.startSession({ Target: OFF }))).toBe(`TargetNotConnected: ${OFF} is not connected.`);
    expect(await failureOf(t.ssm.startSession({ Target: ONE, DocumentName: 'AWS-RunShellScript' }))).toMatch(
      /^InvalidDocument: /,
    );
    expect((await t.ssm.getConnectionStatus({ Target: ONE })).Status).toBe('connected');
    expect((await t.ssm.getConnectionStatus({ Target: OFF })).Status).toBe('notconnected');
  });

  test('ends idle sessions', async () => {
    await t.ssm.startSession({ Target: TWO });
    const Filters = [{ key: 'Target' as const, value: TWO }];
    await t.advance(19 * 60_000);
    expect((await t.ssm.describeSessions({ State: 'Active', Filters })).Sessions).toHaveLength(1);
    await t.advance(60_000);
    expect((await t.ssm.describeSessions({ State: 'Active', Filters })).Sessions).toHaveLength(0);
  });

  test('creates sessions by the control route', async () => {
    const path = '/_emulator/ssm/sessions/inject';
    const { json } = await t.emulator.control('POST', path, { sessionId: 'jane-1', target: OFF, reason: 'made' });
    expect(json).toMatchObject({ sessionId: 'jane-1', target: OFF, status: 'Connected', accountId: ACCOUNT });
    const Filters = [{ key: 'SessionId' as const, value: 'jane-1' }];
    expect((await t.ssm.describeSessions({ State: 'Active', Filters })).Sessions).toMatchObject([{ Reason: 'made' }]);
    expect((await t.emulator.control('POST', path, {})).status).toBe(400);
  });
});

describe('GetCalendarState', () => {
  const calendar = (type: string, ...events: string[]): string =>
    [
      'BEGIN:VCALENDAR',
      'PRODID:-//AWS//Change Calendar 1.0//EN',
      'VERSION:2.0',
      `X-CALENDAR-TYPE:${type}`,
      ...events.flatMap((event, index) => [
        'BEGIN:VEVENT',
        `UID:${index}`,
        'DTSTAMP:20240101T000000Z',
        ...event.split('|'),
        'END:VEVENT',
      ]),
      'END:VCALENDAR',
    ].join('\r\n');
  const make = (Name: string, Content: string) =>
    t.ssm.createDocument({ Name, Content, DocumentType: 'ChangeCalendar', DocumentFormat: 'TEXT' });

  test('opens or closes a calendar by its events, also recurring ones', async () => {
    await make('freeze', calendar('DEFAULT_OPEN', 'DTSTART:20300101T100000Z|DTEND:20300101T120000Z'));
    await make(
      'windows',
      calendar('DEFAULT_CLOSED', 'DTSTART:20300101T080000Z|DTEND:20300101T110000Z|RRULE:FREQ=DAILY'),
    );
    const at = async (AtTime: string, ...CalendarNames: string[]) => {
      const { State, NextTransitionTime } = await t.ssm.getCalendarState({ CalendarNames, AtTime });
      return [State, NextTransitionTime];
    };
    expect(await at('2030-01-01T09:00:00Z', 'freeze')).toEqual(['OPEN', '2030-01-01T10:00:00Z']);
    expect(await at('2030-01-01T10:30:00Z', 'freeze')).toEqual(['CLOSED', '2030-01-01T12:00:00Z']);
    expect(await at('2030-01-02T09:00:00Z', 'freeze')).toEqual(['OPEN', undefined]);
    expect(await at('2030-01-05T09:00:00Z', 'windows')).toEqual(['OPEN', '2030-01-05T11:00:00Z']);
    expect(await at('2030-01-05T12:00:00Z', 'windows')).toEqual(['CLOSED', '2030-01-06T08:00:00Z']);
    expect(await at('2030-01-01T09:00:00Z', 'freeze', 'windows')).toEqual(['OPEN', '2030-01-01T10:00:00Z']);
    expect(await at('2030-01-01T10:30:00Z', 'freeze', 'windows')).toEqual(['CLOSED', '2030-01-02T08:00:00Z']);
  });

  test('rejects content that is not a calendar', async () => {
    await make('busy', calendar('DEFAULT_OPEN', 'DTSTART:20300101T100000Z|DTEND:20300101T100001Z|RRULE:FREQ=SECONDLY'));
    const state = (...CalendarNames: string[]) => failureOf(t.ssm.getCalendarState({ CalendarNames }));
    expect(await state('none-such')).toMatch(/^InvalidDocument: /);
    expect(await state('AWS-RunShellScript')).toMatch(/^InvalidDocumentType/);
    expect(await state('busy')).toMatch(/^UnsupportedCalendarException/);
    expect(await failureOf(t.ssm.getCalendarState({ CalendarNames: ['busy'], AtTime: 'soon' }))).toMatch(
      /^ValidationException/,
    );
  });
});
