import type { Listener } from '@emu/gateway';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet, node } from './nodes.ts';
import { failureOf, type SsmTest, startSsm } from './support.ts';

const LINUX = 'i-0123456789abcde01';
const OTHER = 'i-0123456789abcde02';
const WINDOWS = 'i-0123456789abcde03';
const ODD = 'i-0123456789abcde04';
const SNAPSHOT = '521c3536-930c-4aa9-950e-01234567abcd';

let t: SsmTest;
let listener: Listener;
beforeAll(async () => {
  const windows = { platform: 'Windows' as const, platformName: 'Microsoft Windows Server 2022 Datacenter' };
  const fleet = makeFleet(
    node(LINUX, { tags: { 'Patch Group': 'web' } }),
    node(OTHER, { platformName: 'Ubuntu', platformVersion: '22.04' }),
    node(WINDOWS, windows),
    node(ODD, { platformName: 'Plan 9' }),
  );
  t = await startSsm({ manifests: [fleet.manifest] });
  listener = await t.emulator.gateway.listen({ port: 0 });
});
afterAll(async () => {
  await listener.close(100);
  await t[Symbol.asyncDispose]();
});

const ask = (InstanceId: string, more: object = {}) =>
  t.ssm.getDeployablePatchSnapshotForInstance({ InstanceId, SnapshotId: SNAPSHOT, ...more });
/** Returns the snapshot that a node downloads. */
const download = async (InstanceId: string, more: object = {}) => {
  const { SnapshotDownloadUrl } = await ask(InstanceId, more);
  const answer = await fetch(`${listener.url}${new URL(SnapshotDownloadUrl!).pathname}`);
  return (await answer.json()) as { product: string; patchGroup: string; patchBaseline: object; patches: object[] };
};

test('returns the baseline of the patch group, unchanged for the same snapshot id', async () => {
  const { BaselineId } = await t.ssm.createPatchBaseline({
    Name: 'web-servers',
    OperatingSystem: 'AMAZON_LINUX_2023',
    ApprovedPatches: ['kernel'],
  });
  await t.ssm.registerPatchBaselineForPatchGroup({ BaselineId, PatchGroup: 'web' });
  expect(await ask(LINUX)).toMatchObject({ InstanceId: LINUX, SnapshotId: SNAPSHOT, Product: 'AmazonLinux2023' });
  const first = await download(LINUX);
  expect(first).toMatchObject({
    product: 'AmazonLinux2023',
    patchGroup: 'web',
    patchBaseline: { baselineId: BaselineId, operatingSystem: 'AMAZON_LINUX_2023', approvedPatches: ['kernel'] },
  });
  await t.ssm.updatePatchBaseline({ BaselineId, ApprovedPatches: ['curl'] });
  expect(await download(LINUX)).toEqual(first);
  expect(await download(LINUX, { SnapshotId: SNAPSHOT.replace('521c', '621c') })).toMatchObject({
    patchBaseline: { approvedPatches: ['curl'] },
  });
});

test('returns the default or an overriding baseline to nodes without patch group', async () => {
  expect(await download(OTHER)).toMatchObject({
    product: 'Ubuntu22.04',
    patchGroup: '',
    patchBaseline: { name: 'AWS-UbuntuDefaultPatchBaseline' },
  });
  const windows = await download(WINDOWS);
  expect(windows.product).toBe('WindowsServer2022');
  expect(windows.patches.length).toBeGreaterThan(0);
  const BaselineOverride = { OperatingSystem: 'UBUNTU' as const, RejectedPatches: ['bad'] };
  expect(await download(OTHER, { BaselineOverride })).toMatchObject({ patchBaseline: { rejectedPatches: ['bad'] } });
});

test('rejects unknown nodes, systems and downloads', async () => {
  expect(await failureOf(ask('i-0123456789abcdeff'))).toMatch(/^InvalidInstanceId/);
  expect(await failureOf(ask(ODD))).toMatch(/^UnsupportedOperatingSystem/);
  const gone = `${listener.url}/patch-baseline-snapshot-us-east-1/000000000000/${'0'.repeat(64)}`;
  expect((await fetch(gone)).status).toBe(404);
});
