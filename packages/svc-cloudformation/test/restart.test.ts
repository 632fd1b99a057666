import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeThings, startStacks, thing } from './support.ts';

test('resumes stack operations after a restart', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'emu-cfn-'));
  try {
    const things = makeThings();
    let release = () => {};
    things.held.set(
      'B',
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    const TemplateBody = JSON.stringify({
      Resources: { A: thing(), B: thing({ Value: { Ref: 'A' } }), C: thing({ Value: { Ref: 'B' } }) },
    });
    {
      await using emu = await startStacks([], { dataPath }, things);
      await emu.cfn.createStack({ StackName: 's', TemplateBody });
      await expect.poll(() => things.calls).toEqual(['create A', 'create B']);
    }
    things.held.clear();
    await using emu = await startStacks([], { dataPath }, things);
    expect((await emu.settled('s')).StackStatus).toBe('CREATE_COMPLETE');
    release();
    expect(things.calls).toEqual(['create A', 'create B', 'create B', 'create C']);
    const { StackResources } = await emu.cfn.describeStackResources({ StackName: 's' });
    expect(StackResources!.map(({ ResourceStatus }) => ResourceStatus)).toEqual(Array(3).fill('CREATE_COMPLETE'));
  } finally {
    await rm(dataPath, { recursive: true, force: true });
  }
});

test('rolls back a cancelled update, and continues a failed rollback', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing({ Value: '1' }), B: thing({ Value: '1' }) } });
  let release = () => {};
  emu.held.set(
    'N',
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  await emu.cfn.updateStack({
    StackName: 's',
    TemplateBody: JSON.stringify({ Resources: { A: thing({ Value: '2' }), B: thing({ Value: '1' }), N: thing() } }),
  });
  await expect.poll(() => emu.calls).toContain('create N');
  const cancel = { StackName: 's', ClientRequestToken: 't' };
  await emu.cfn.cancelUpdateStack(cancel);
  release();
  expect((await emu.settled('s')).StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  // A repeated request starts no second operation.
  await emu.cfn.cancelUpdateStack(cancel);
  expect([...emu.things.values()].map(({ properties }) => properties.Value)).toEqual(['1', '1']);

  const kept = await emu.update(
    's',
    { Resources: { A: thing({ Value: '3' }), B: thing({ Value: '1', Fail: 'update' }, { DependsOn: 'A' }) } },
    { DisableRollback: true },
  );
  expect(kept).toMatchObject({ StackStatus: 'UPDATE_FAILED', DisableRollback: true });
  expect([...emu.things.values()][0]!.properties.Value).toBe('3');
  await emu.cfn.rollbackStack({ StackName: 's' });
  expect((await emu.settled('s')).StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect([...emu.things.values()][0]!.properties.Value).toBe('1');
});
