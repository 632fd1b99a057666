import { enforceQuota } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failureOf, type SsmTest, startSsm } from './support.ts';

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm();
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(() => t.emulator.kernel.quotas.setEnforcement({ overrides: [] }));

const enforce = (code: string, value: number) => enforceQuota(t.emulator, `ssm/${code}`, value);
const usage = async (code: string) => {
  const quota = (await t.emulator.kernel.quotas.find('ssm', code))!;
  return t.emulator.kernel.quotas.state(quota, '000000000000', 'us-east-1').usage;
};
const FULL =
  'ParameterLimitExceeded: You have exceeded the number of parameters for this AWS account. Delete one or more parameters and try again.';
const THROTTLED = 'ThrottlingException: Rate exceeded';
const RESOURCES = 'ResourceLimitExceededException: The caller has exceeded the default resource quotas.';

describe('quotas of Parameter Store', () => {
  it('limit parameters by tier', async () => {
    await t.put('/tiers/a');
    await t.put('/tiers/b', 'x', { Tier: 'Advanced' });
    await enforce('L-C3B871CB', 1);
    await enforce('L-527D1CD8', 2);
    expect(await failureOf(t.put('/tiers/c'))).toBe(FULL);
    await t.put('/tiers/a', 'y', { Overwrite: true });
    await t.put('/tiers/a', 'y', { Overwrite: true, Tier: 'Advanced' });
    expect([await usage('L-C3B871CB'), await usage('L-527D1CD8')]).toEqual([0, 2]);
    expect(await failureOf(t.put('/tiers/d', 'x', { Tier: 'Advanced' }))).toBe(FULL);
    await t.ssm.deleteParameter({ Name: '/tiers/a' });
    await t.put('/tiers/d', 'x', { Tier: 'Advanced' });
    await t.put('/tiers/c');
    expect([await usage('L-C3B871CB'), await usage('L-527D1CD8')]).toEqual([1, 2]);
    expect(await failureOf(t.put('/tiers/c'))).toMatch(/^ParameterAlreadyExists/);
  });

  it('limit shared read requests and write requests', async () => {
    await t.put('/rates/a');
    await enforce('L-E72257B6', 2);
    await enforce('L-D500163B', 1);
    await t.value('/rates/a');
    await t.ssm.getParametersByPath({ Path: '/rates' });
    expect(await failureOf(t.value('/rates/a'))).toBe(THROTTLED);
    expect(await failureOf(t.ssm.getParameters({ Names: ['/rates/a'] }))).toBe(THROTTLED);
    await t.ssm.describeParameters({});
    await t.put('/rates/b');
    expect(await failureOf(t.put('/rates/c'))).toBe(THROTTLED);
    await t.advance(1000);
    await t.put('/rates/c');
    expect(await t.value('/rates/c')).toBe('x');
  });

  it('allow more requests with higher throughput', async () => {
    await enforce('L-2912F481', 40);
    await enforce('L-D500163B', 3);
    const SettingId = '/ssm/parameter-store/high-throughput-enabled';
    await t.ssm.updateServiceSetting({ SettingId, SettingValue: 'true' });
    for (let put = 0; put < 10; put++) await t.put('/high/a', 'x', { Overwrite: true });
    expect(await failureOf(t.put('/high/a', 'x', { Overwrite: true }))).toBe(THROTTLED);
    for (let read = 0; read < 41; read++) await t.value('/high/a');
    for (let read = 0; read < 100; read++) await t.ssm.getParametersByPath({ Path: '/high' });
    expect(await failureOf(t.ssm.getParametersByPath({ Path: '/high' }))).toBe(THROTTLED);
    await t.ssm.resetServiceSetting({ SettingId });
  });
});

describe('quotas of Systems Manager', () => {
  const content = JSON.stringify({
    schemaVersion: '2.2',
    mainSteps: [{ action: 'aws:runShellScript', name: 'run', inputs: { runCommand: ['true'] } }],
  });

  it('limit documents and associations', async () => {
    await enforce('L-60D2045D', 1);
    await t.ssm.createDocument({ Name: 'first', Content: content, DocumentType: 'Command' });
    expect(await failureOf(t.ssm.createDocument({ Name: 'second', Content: content, DocumentType: 'Command' }))).toBe(
      'DocumentLimitExceeded: You can have at most 1 active SSM documents.',
    );
    await enforce('L-01B74EDA', 1);
    const Targets = [{ Key: 'tag:a', Values: ['b'] }];
    await t.ssm.createAssociation({ Name: 'first', Targets });
    const refusal = 'AssociationLimitExceeded: You can have at most 1 active associations.';
    expect(await failureOf(t.ssm.createAssociation({ Name: 'first', Targets }))).toBe(refusal);
    expect(await failureOf(t.ssm.createAssociationBatch({ Entries: [{ Name: 'first', Targets }] }))).toBe(refusal);
    expect((await t.ssm.listAssociations({})).Associations).toHaveLength(1);
  });

  it('limit maintenance windows with targets and tasks', async () => {
    for (const code of ['L-7727CE5B', 'L-B1A84B8B', 'L-3D9CCA6E']) await enforce(code, 1);
    const window = { Name: 'window', Schedule: 'rate(1 day)', Duration: 2, Cutoff: 1, AllowUnassociatedTargets: true };
    const { WindowId } = await t.ssm.createMaintenanceWindow(window);
    expect(await failureOf(t.ssm.createMaintenanceWindow({ ...window, Name: 'other' }))).toBe(RESOURCES);
    const target = {
      WindowId,
      ResourceType: 'INSTANCE' as const,
      Targets: [{ Key: 'tag:a', Values: ['b'] }],
    };
    await t.ssm.registerTargetWithMaintenanceWindow(target);
    expect(await failureOf(t.ssm.registerTargetWithMaintenanceWindow({ ...target, Name: 'more' }))).toBe(RESOURCES);
    const task = {
      WindowId,
      TaskArn: 'AWS-RunShellScript',
      TaskType: 'RUN_COMMAND' as const,
      Targets: [{ Key: 'InstanceIds', Values: ['mi-00000000000000000'] }],
      MaxConcurrency: '1',
      MaxErrors: '1',
    };
    await t.ssm.registerTaskWithMaintenanceWindow(task);
    expect(await failureOf(t.ssm.registerTaskWithMaintenanceWindow({ ...task, Name: 'more' }))).toBe(RESOURCES);
    expect((await t.ssm.describeMaintenanceWindowTasks({ WindowId })).Tasks).toHaveLength(1);
  });

  it('limit patch baselines and patch groups', async () => {
    await enforce('L-218CDBD4', 1);
    await enforce('L-F4012070', 1);
    const { BaselineId } = await t.ssm.createPatchBaseline({ Name: 'base' });
    expect(await failureOf(t.ssm.createPatchBaseline({ Name: 'more' }))).toBe(RESOURCES);
    await t.ssm.registerPatchBaselineForPatchGroup({ BaselineId, PatchGroup: 'one' });
    expect(await failureOf(t.ssm.registerPatchBaselineForPatchGroup({ BaselineId, PatchGroup: 'two' }))).toBe(
      RESOURCES,
    );
  });

  it('lists quotas that are not enforceable', async () => {
    const { kernel } = t.emulator;
    const listed = (await kernel.quotas.find('ssm', 'L-38E2D141'))!;
    await kernel.quotas.setEnforcement({ enforceAll: true });
    expect(kernel.quotas.state(listed, '000000000000', 'us-east-1')).toMatchObject({
      enforced: false,
      appliedValue: 64,
    });
    await kernel.quotas.setEnforcement({ enforceAll: false });
  });
});
