import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Fleet, makeFleet, node } from './nodes.ts';
import { ACCOUNT, DAY, failureOf, REGION, type SsmTest, startSsm } from './support.ts';

const HOUR = DAY / 24;
const WEB = 'i-00000000000000001';
const DATABASE = 'i-00000000000000002';
const called: string[] = [];
const lambda = fakeService('lambda', {
  Invoke({ Payload }) {
    called.push(Buffer.from(Payload as Uint8Array).toString());
    return { StatusCode: 200 };
  },
});

let fleet: Fleet;
let t: SsmTest;
beforeAll(async () => {
  fleet = makeFleet(
    node(WEB, { tags: { role: 'web' } }),
    node(DATABASE, { tags: { role: 'database' }, platform: 'Windows', platformName: 'Windows Server' }),
  );
  t = await startSsm({ manifests: [fleet.manifest, lambda] });
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(() => {
  called.length = 0;
  fleet.scripts.length = 0;
});

const commands = { commands: ['echo hello'] };
const tagged = (value: string) => [{ Key: 'tag:role', Values: [value] }];

/** Advances time until a check passes. */
const eventually = <Result>(check: () => Promise<Result>) =>
  vi.waitFor(async () => {
    await t.advance(2000);
    return check();
  });

test("runs commands on a window's targets and functions for the nodes they match", async () => {
  const { WindowId } = await t.ssm.createMaintenanceWindow({
    Name: 'window',
    Schedule: 'rate(1 day)',
    Duration: 2,
    Cutoff: 1,
    AllowUnassociatedTargets: false,
  });
  const { WindowTargetId } = await t.ssm.registerTargetWithMaintenanceWindow({
    WindowId,
    ResourceType: 'INSTANCE',
    Targets: tagged('web'),
    OwnerInformation: 'team',
  });
  const task = {
    WindowId,
    Targets: [{ Key: 'WindowTargetIds', Values: [WindowTargetId!] }],
    MaxConcurrency: '1',
    MaxErrors: '0',
  };
  await t.ssm.registerTaskWithMaintenanceWindow({
    ...task,
    TaskType: 'RUN_COMMAND',
    TaskArn: 'AWS-RunShellScript',
    TaskInvocationParameters: { RunCommand: { Comment: 'nightly', Parameters: commands } },
  });
  await t.ssm.registerTaskWithMaintenanceWindow({
    ...task,
    TaskType: 'LAMBDA',
    TaskArn: 'clean',
    TaskInvocationParameters: { Lambda: { Payload: Buffer.from('{{RESOURCE_ID}} {{TARGET_TYPE}}') } },
  });
  await t.advance(24 * HOUR);
  const execution = await eventually(async () => {
    const { WindowExecutions } = await t.ssm.describeMaintenanceWindowExecutions({ WindowId });
    expect(WindowExecutions![0]!.EndTime).toBeDefined();
    return WindowExecutions![0]!;
  });
  expect(execution.Status).toBe('SUCCESS');
  expect(fleet.scripts).toMatchObject([{ id: WEB, lines: ['echo hello'] }]);
  expect(called).toEqual([`${WEB} INSTANCE`]);
  const { WindowExecutionId } = execution;
  const { TaskIds } = await t.ssm.getMaintenanceWindowExecution({ WindowExecutionId });
  const invocations = await t.ssm.describeMaintenanceWindowExecutionTaskInvocations({
    WindowExecutionId,
    TaskId: TaskIds![0],
  });
  const [invocation] = invocations.WindowExecutionTaskInvocationIdentities!;
  expect(invocation).toMatchObject({ WindowTargetId, OwnerInformation: 'team', TaskType: 'RUN_COMMAND' });
  const { Commands } = await t.ssm.listCommands({ CommandId: invocation!.ExecutionId });
  expect(Commands).toMatchObject([{ Comment: 'nightly', Status: 'Success', Targets: tagged('web') }]);
  await t.ssm.deleteMaintenanceWindow({ WindowId });
});

test('runs an association on nodes by tags and reports their compliance', async () => {
  const { AssociationDescription } = await t.ssm.createAssociation({
    Name: 'AWS-RunShellScript',
    AssociationName: 'greeting',
    Parameters: commands,
    Targets: tagged('web'),
    ComplianceSeverity: 'HIGH',
  });
  const AssociationId = AssociationDescription!.AssociationId!;
  const execution = await eventually(async () => {
    const { AssociationExecutions } = await t.ssm.describeAssociationExecutions({ AssociationId });
    expect(AssociationExecutions![0]!.Status).toBe('Success');
    return AssociationExecutions![0]!;
  });
  expect(execution.ResourceCountByStatus).toBe('{Success=1}');
  const { AssociationExecutionTargets } = await t.ssm.describeAssociationExecutionTargets({
    AssociationId,
    ExecutionId: execution.ExecutionId,
    Filters: [{ Key: 'Status', Value: 'Success' }],
  });
  expect(AssociationExecutionTargets).toMatchObject([
    { ResourceId: WEB, ResourceType: 'ManagedInstance', OutputSource: { OutputSourceType: 'RunCommand' } },
  ]);
  const { ComplianceItems } = await t.ssm.listComplianceItems({ ResourceIds: [WEB] });
  expect(ComplianceItems).toMatchObject([
    { ComplianceType: 'Association', Id: AssociationId, Title: 'greeting', Severity: 'HIGH', Status: 'COMPLIANT' },
  ]);
  const { InstanceAssociationStatusInfos } = await t.ssm.describeInstanceAssociationsStatus({ InstanceId: WEB });
  expect(InstanceAssociationStatusInfos).toMatchObject([{ AssociationId, Status: 'Success' }]);
  const { Associations } = await t.ssm.describeEffectiveInstanceAssociations({ InstanceId: WEB });
  expect(Associations).toMatchObject([{ AssociationId }]);
  fleet.answer = () => ({ code: 1, stdout: '', stderr: 'no' });
  await t.ssm.startAssociationsOnce({ AssociationIds: [AssociationId] });
  await eventually(async () => {
    const after = await t.ssm.listComplianceItems({ ResourceIds: [WEB] });
    expect(after.ComplianceItems).toMatchObject([{ Status: 'NON_COMPLIANT' }]);
  });
  const { Overview } = (await t.ssm.describeAssociation({ AssociationId })).AssociationDescription!;
  expect(Overview).toMatchObject({ Status: 'Failed', AssociationStatusAggregatedCount: { Failed: 1 } });
});

test('lists and counts nodes', async () => {
  const Filters = [{ Key: 'PlatformType' as const, Values: ['Linux'] }];
  const { Nodes } = await t.ssm.listNodes({ Filters });
  expect(Nodes).toMatchObject([
    {
      Id: WEB,
      Region: REGION,
      Owner: { AccountId: ACCOUNT },
      NodeType: { Instance: { ManagedStatus: 'Managed', PlatformType: 'Linux', ResourceType: 'EC2Instance' } },
    },
  ]);
  const aggregator = (AttributeName: 'PlatformType' | 'Region') => ({
    AggregatorType: 'Count' as const,
    TypeName: 'Instance' as const,
    AttributeName,
  });
  const { Summary } = await t.ssm.listNodesSummary({
    Aggregators: [{ ...aggregator('Region'), Aggregators: [aggregator('PlatformType')] }],
  });
  expect(Summary).toEqual([
    { Region: REGION, PlatformType: 'Linux', Count: '1' },
    { Region: REGION, PlatformType: 'Windows', Count: '1' },
  ]);
  expect(await failureOf(t.ssm.listNodes({ SyncName: 'none' }))).toMatch(/^ResourceDataSyncNotFoundException/);
});
