import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ACCOUNT, DAY, failureOf, type SsmTest, startSsm } from './support.ts';

const HOUR = DAY / 24;
const START = Date.parse('2026-03-02T00:30:00Z');
const NODE = 'i-00000000000000001';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** A runbook that waits a minute and returns its parameter. */
const RUNBOOK = {
  schemaVersion: '0.3',
  parameters: { Who: { type: 'String', default: 'nobody' } },
  mainSteps: [{ name: 'wait', action: 'aws:sleep', inputs: { Duration: 'PT1M' }, isEnd: true }],
};
const OLD_COMMAND = {
  schemaVersion: '1.2',
  description: 'runs a script',
  runtimeConfig: { 'aws:runShellScript': { properties: [{ id: 'a', runCommand: ['true'] }] } },
};

/** Names of the alarms in the state ALARM. */
const alarming = new Set<string>();
const cloudwatch = fakeService('cloudwatch', {
  DescribeAlarms: ({ AlarmNames }) => ({
    MetricAlarms: (AlarmNames as string[]).map((AlarmName) => ({
      AlarmName,
      StateValue: alarming.has(AlarmName) ? 'ALARM' : 'OK',
    })),
  }),
});

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm({ manifests: [cloudwatch] });
  t.emulator.kernel.clock.set(START);
  await t.ssm.createDocument({ Name: 'runbook', DocumentType: 'Automation', Content: JSON.stringify(RUNBOOK) });
  await t.ssm.createDocument({ Name: 'old', DocumentType: 'Command', Content: JSON.stringify(OLD_COMMAND) });
});
afterAll(() => t[Symbol.asyncDispose]());

const create = async (more: object = {}): Promise<string> =>
  (await t.ssm.createAssociation({ Name: 'runbook', ...more })).AssociationDescription!.AssociationId!;
const describeOne = async (AssociationId: string) =>
  (await t.ssm.describeAssociation({ AssociationId })).AssociationDescription!;
const executionsOf = async (AssociationId: string) =>
  (await t.ssm.describeAssociationExecutions({ AssociationId })).AssociationExecutions!;
/** Waits until an association has a number of executions that have all ended. */
const ended = (AssociationId: string, count: number) =>
  vi.waitFor(async () => {
    await t.advance(30_000);
    const executions = await executionsOf(AssociationId);
    expect(executions.map(({ LastExecutionDate }) => LastExecutionDate !== undefined)).toEqual(Array(count).fill(true));
    return executions;
  });

test('runs an association of a runbook at once and by its schedule', async () => {
  const AssociationId = await create({
    AssociationName: 'nightly',
    ScheduleExpression: 'cron(0 2 ? * * *)',
    Parameters: { Who: ['me'] },
  });
  const [first] = await ended(AssociationId, 1);
  expect(first).toMatchObject({ Status: 'Success', AssociationVersion: '1', ResourceCountByStatus: '{Success=1}' });
  expect(await describeOne(AssociationId)).toMatchObject({
    AssociationName: 'nightly',
    DocumentVersion: '$DEFAULT',
    Overview: { Status: 'Success', AssociationStatusAggregatedCount: { Success: 1 } },
  });
  const { AssociationExecutionTargets } = await t.ssm.describeAssociationExecutionTargets({
    AssociationId,
    ExecutionId: first!.ExecutionId,
  });
  const source = AssociationExecutionTargets![0]!.OutputSource!;
  expect(source.OutputSourceType).toBe('Automation');
  const { AutomationExecution } = await t.ssm.getAutomationExecution({ AutomationExecutionId: source.OutputSourceId });
  expect(AutomationExecution).toMatchObject({ DocumentName: 'runbook', Parameters: { Who: ['me'] } });
  await t.advance(2 * HOUR);
  expect(await ended(AssociationId, 2)).toHaveLength(2);
  await t.ssm.startAssociationsOnce({ AssociationIds: [AssociationId] });
  await ended(AssociationId, 3);
  const Filters = [{ Key: 'ExecutionId', Value: first!.ExecutionId!, Type: 'EQUAL' }] as const;
  const found = await t.ssm.describeAssociationExecutions({ AssociationId, Filters: [...Filters] });
  expect(found.AssociationExecutions).toHaveLength(1);
  const before = [{ Key: 'CreatedTime' as const, Value: '2026-03-02T01:00:00Z', Type: 'LESS_THAN' as const }];
  expect((await t.ssm.describeAssociationExecutions({ AssociationId, Filters: before })).AssociationExecutions).toEqual(
    found.AssociationExecutions,
  );
  await t.ssm.deleteAssociation({ AssociationId });
  expect(await failureOf(executionsOf(AssociationId))).toMatch(/^AssociationDoesNotExist/);
});

test('does not run a waiting association at once', async () => {
  const AssociationId = await create({
    ScheduleExpression: 'cron(0 2 ? * * *)',
    ApplyOnlyAtCronInterval: true,
    ScheduleOffset: 1,
  });
  await t.advance(HOUR);
  expect(await executionsOf(AssociationId)).toEqual([]);
  expect((await describeOne(AssociationId)).Overview).toMatchObject({ Status: 'Pending', DetailedStatus: 'Creating' });
  await t.ssm.deleteAssociation({ AssociationId });
});

test('lists the versions of an association', async () => {
  const AssociationId = await create({ AssociationName: 'first', MaxErrors: '1' });
  const { AssociationDescription } = await t.ssm.updateAssociation({ AssociationId, AssociationName: 'second' });
  expect(AssociationDescription).toMatchObject({ AssociationVersion: '2', AssociationName: 'second', Name: 'runbook' });
  expect(AssociationDescription!.MaxErrors).toBeUndefined();
  const { AssociationVersions } = await t.ssm.listAssociationVersions({ AssociationId });
  expect(AssociationVersions!.map(({ AssociationName }) => AssociationName)).toEqual(['first', 'second']);
  const old = await t.ssm.describeAssociation({ AssociationId, AssociationVersion: '1' });
  expect(old.AssociationDescription).toMatchObject({ AssociationName: 'first', MaxErrors: '1' });
  expect(await failureOf(t.ssm.describeAssociation({ AssociationId, AssociationVersion: '3' }))).toMatch(
    /^InvalidAssociationVersion/,
  );
  expect(await failureOf(t.ssm.updateAssociation({ AssociationId, AssociationVersion: '1' }))).toMatch(
    /^InvalidAssociationVersion/,
  );
  const AssociationFilterList = [{ key: 'AssociationName' as const, value: 'second' }];
  expect((await t.ssm.listAssociations({ AssociationFilterList })).Associations).toMatchObject([
    { AssociationId, AssociationVersion: '2' },
  ]);
  const at = { ResourceType: 'Association', ResourceId: AssociationId } as const;
  await t.ssm.addTagsToResource({ ...at, Tags: [{ Key: 'a', Value: 'b' }] });
  expect((await t.ssm.listTagsForResource(at)).TagList).toEqual([{ Key: 'a', Value: 'b' }]);
});

test('skips runs and ends executions during an alarm', async () => {
  const AlarmConfiguration = { Alarms: [{ Name: 'stop' }] };
  alarming.add('stop');
  const kept = await create({ AlarmConfiguration });
  const [first] = await ended(kept, 1);
  const TriggeredAlarms = [{ Name: 'stop', State: 'ALARM' }];
  expect(first).toMatchObject({ Status: 'Failed', AlarmConfiguration, TriggeredAlarms });
  expect(await describeOne(kept)).toMatchObject({
    AlarmConfiguration,
    TriggeredAlarms,
    Overview: { Status: 'Failed' },
  });
  alarming.clear();
  await t.ssm.startAssociationsOnce({ AssociationIds: [kept] });
  const executions = await ended(kept, 2);
  expect(executions.map(({ Status }) => Status)).toEqual(['Success', 'Failed']);
  expect((await describeOne(kept)).TriggeredAlarms).toBeUndefined();
});

test('runs an association of a runbook in other regions', async () => {
  const elsewhere = t.client({ region: 'eu-west-1' });
  await elsewhere.createDocument({ Name: 'runbook', DocumentType: 'Automation', Content: JSON.stringify(RUNBOOK) });
  const TargetLocations = [{ Accounts: [ACCOUNT], Regions: ['eu-west-1'] }];
  const id = await create({ TargetLocations });
  expect((await describeOne(id)).TargetLocations).toEqual(TargetLocations);
  const [execution] = await ended(id, 1);
  expect(execution).toMatchObject({ Status: 'Success' });
  const { AutomationExecutionMetadataList } = await elsewhere.describeAutomationExecutions({});
  expect(AutomationExecutionMetadataList).toMatchObject([{ AutomationExecutionStatus: 'Success' }]);
  const Name = 'AWS-RunShellScript';
  const Targets = [{ Key: 'InstanceIds', Values: [NODE] }];
  const commands = { Name, Parameters: { commands: ['true'] }, Targets, TargetLocations };
  expect(await failureOf(create(commands))).toMatch(/^NotImplemented/);
});

test.each([
  [{ Name: 'missing' }, /^InvalidDocument/],
  [{ DocumentVersion: '7' }, /^InvalidDocumentVersion/],
  [{ Parameters: { Other: ['x'] } }, /^InvalidParameters/],
  [{ ScheduleExpression: 'daily' }, /^InvalidSchedule/],
  [{ ScheduleExpression: 'rate(5 minutes)' }, /^InvalidSchedule/],
  [{ ScheduleExpression: 'rate(1 day)', ApplyOnlyAtCronInterval: true }, /^InvalidSchedule/],
  [{ Targets: [{ Key: 'InstanceIds', Values: [NODE] }] }, /^ValidationException/],
  [{ Name: 'AWS-RunShellScript', Parameters: { commands: ['true'] } }, /^InvalidTarget/],
  [{ TargetMaps: [{ a: ['b'] }], Targets: [{ Key: 'a', Values: ['b'] }] }, /^InvalidTargetMaps/],
  [{ TargetLocations: [{ Accounts: ['ou-abcd'], Regions: ['us-west-2'] }] }, /^NotImplemented/],
])('rejects %j', async (more, failure) => {
  expect(await failureOf(create(more))).toMatch(failure);
});

test('identifies associations of the older kind by document and node', async () => {
  const of = { Name: 'old', InstanceId: NODE };
  const { AssociationDescription } = await t.ssm.createAssociation(of);
  expect(AssociationDescription).toMatchObject({ ...of, Targets: [{ Key: 'InstanceIds', Values: [NODE] }] });
  const { AssociationId } = AssociationDescription!;
  expect(await failureOf(t.ssm.createAssociation(of))).toMatch(/^AssociationAlreadyExists/);
  expect(await failureOf(t.ssm.createAssociation({ ...of, Name: 'runbook' }))).toMatch(/^ValidationException/);
  const AssociationStatus = { Date: new Date(START), Name: 'Success' as const, Message: 'done' };
  const updated = await t.ssm.updateAssociationStatus({ ...of, AssociationStatus });
  expect(updated.AssociationDescription!.Status).toEqual(AssociationStatus);
  expect(await failureOf(t.ssm.updateAssociationStatus({ ...of, AssociationStatus }))).toMatch(/^StatusUnchanged/);
  expect((await t.ssm.describeAssociation(of)).AssociationDescription!.AssociationId).toBe(AssociationId);
  const effective = await t.ssm.describeEffectiveInstanceAssociations({ InstanceId: NODE });
  expect(effective.Associations).toEqual([
    { AssociationId, InstanceId: NODE, AssociationVersion: '1', Content: JSON.stringify(OLD_COMMAND) },
  ]);
  const { InstanceAssociationStatusInfos } = await t.ssm.describeInstanceAssociationsStatus({ InstanceId: NODE });
  expect(InstanceAssociationStatusInfos).toMatchObject([{ AssociationId, Name: 'old', InstanceId: NODE }]);
  await t.ssm.deleteAssociation(of);
  expect(await failureOf(t.ssm.deleteAssociation(of))).toMatch(/^AssociationDoesNotExist/);
});

test('creates the valid associations of a batch and reports the others', async () => {
  const { Successful, Failed } = await t.ssm.createAssociationBatch({
    Entries: [{ Name: 'runbook', AssociationName: 'good' }, { Name: 'missing' }],
  });
  expect(Successful).toMatchObject([{ AssociationName: 'good' }]);
  expect(Failed).toMatchObject([{ Entry: { Name: 'missing' }, Fault: 'Client' }]);
});

test('reports unknown associations', async () => {
  const at = { AssociationId: UNKNOWN };
  expect(await failureOf(describeOne(UNKNOWN))).toMatch(/^AssociationDoesNotExist/);
  expect(await failureOf(t.ssm.updateAssociation(at))).toMatch(/^AssociationDoesNotExist/);
  expect(await failureOf(t.ssm.listAssociationVersions(at))).toMatch(/^AssociationDoesNotExist/);
  expect(await failureOf(t.ssm.startAssociationsOnce({ AssociationIds: [UNKNOWN] }))).toMatch(
    /^AssociationDoesNotExist/,
  );
  const AssociationId = await create();
  expect(await failureOf(t.ssm.describeAssociationExecutionTargets({ AssociationId, ExecutionId: UNKNOWN }))).toMatch(
    /^AssociationExecutionDoesNotExist/,
  );
});
