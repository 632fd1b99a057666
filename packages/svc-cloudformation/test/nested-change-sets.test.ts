import { fakeService } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, startStacks, thing } from './support.ts';

/** Emulator with templates in a bucket. */
async function withTemplates() {
  const objects = new Map<string, object>();
  const s3 = fakeService('s3', {
    GetObject: ({ Key }) => ({ Body: [Buffer.from(JSON.stringify(objects.get(String(Key))))] }),
  });
  return { emu: await startStacks([s3]), objects };
}

const nested = (file: string, Parameters: object = {}) => ({
  Type: 'AWS::CloudFormation::Stack',
  Properties: { TemplateURL: `https://b.s3.us-east-1.amazonaws.com/${file}`, Parameters },
});
const inner = (value: unknown, more: object = {}) => ({
  Parameters: { V: { Type: 'String', Default: '' } },
  Resources: { A: thing({ Value: value }), ...more },
});

test('lists change sets of nested stacks, and executes them with the root change set', async () => {
  const { emu, objects } = await withTemplates();
  await using _ = emu;
  const { cfn } = emu;
  objects.set('in', { ...inner({ Ref: 'V' }, { Deep: nested('deep') }) });
  objects.set('deep', inner('deep'));
  const body = (value: string) =>
    JSON.stringify({ Resources: { B: thing({ Name: value }), N: nested('in', { V: { Ref: 'B' } }) } });
  const change = (ChangeSetName: string, TemplateBody: string, more: object = {}) =>
    cfn.createChangeSet({ StackName: 's', ChangeSetName, TemplateBody, IncludeNestedStacks: true, ...more });
  const described = (ChangeSetName: string) => cfn.describeChangeSet({ ChangeSetName, StackName: 's' });
  const nestedId = (found: Awaited<ReturnType<typeof described>>, id: string) =>
    found.Changes!.find(({ ResourceChange }) => ResourceChange!.LogicalResourceId === id)!.ResourceChange!.ChangeSetId!;

  const { Id } = await change('first', body('one'), { ChangeSetType: 'CREATE' });
  const first = await described('first');
  const child = await cfn.describeChangeSet({ ChangeSetName: nestedId(first, 'N') });
  expect(child).toMatchObject({
    ParentChangeSetId: Id,
    RootChangeSetId: Id,
    IncludeNestedStacks: true,
    Status: 'CREATE_COMPLETE',
    StackName: expect.stringMatching(/^s-N-[A-Z0-9]{12}$/),
  });
  const deep = await cfn.describeChangeSet({ ChangeSetName: nestedId(child, 'Deep') });
  expect(deep).toMatchObject({ ParentChangeSetId: child.ChangeSetId, RootChangeSetId: Id });
  expect(await failureOf(cfn.executeChangeSet({ ChangeSetName: child.ChangeSetId }))).toContain('is nested');
  expect(await failureOf(cfn.deleteChangeSet({ ChangeSetName: child.ChangeSetId }))).toContain('is nested');
  await cfn.executeChangeSet({ ChangeSetName: Id });
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
  // The announced stacks are created with values that are known only now.
  const { Stacks } = await cfn.describeStacks({});
  expect(Stacks!.map(({ StackName, StackStatus }) => `${StackName} ${StackStatus}`).sort()).toEqual(
    ['s', child.StackName, deep.StackName].map((name) => `${name} CREATE_COMPLETE`).sort(),
  );
  expect([...emu.things.values()].map(({ properties }) => properties.Value)).toEqual([undefined, 'one', 'deep']);

  // Only the innermost template changes.
  objects.set('deep', inner('deeper'));
  await change('second', body('one'));
  const second = await described('second');
  expect(second).toMatchObject({ Status: 'CREATE_COMPLETE', ExecutionStatus: 'AVAILABLE' });
  expect(second.Changes!.map(({ ResourceChange: one }) => [one!.Action, one!.LogicalResourceId])).toEqual([
    ['Modify', 'N'],
  ]);
  expect(second.Changes![0]!.ResourceChange!.Details![0]!.ChangeSource).toBe('Automatic');
  await cfn.executeChangeSet({ ChangeSetName: 'second', StackName: 's' });
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' });
  expect([...emu.things.values()].map(({ properties }) => properties.Value)).toEqual([undefined, 'one', 'deeper']);

  // Without any change, the change set fails.
  await change('third', body('one'));
  expect(await described('third')).toMatchObject({ Status: 'FAILED', Changes: [] });
});

test('a failing nested change set fails its parent and is deleted with it', async () => {
  const { emu, objects } = await withTemplates();
  await using _ = emu;
  const { cfn } = emu;
  objects.set('in', { ...inner('x'), Transform: 'Nowhere' });
  await cfn.createChangeSet({
    StackName: 's',
    ChangeSetName: 'c',
    ChangeSetType: 'CREATE',
    IncludeNestedStacks: true,
    TemplateBody: JSON.stringify({ Resources: { N: nested('in') } }),
  });
  const found = await cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'c' });
  expect(found).toMatchObject({
    Status: 'FAILED',
    StatusReason: expect.stringMatching(
      /^Nested change set arn:\S+ was not successfully created: Currently in FAILED\.$/,
    ),
  });
  const [, id] = /(arn:\S+)/.exec(found.StatusReason!)!;
  await cfn.deleteChangeSet({ StackName: 's', ChangeSetName: 'c' });
  expect(await failureOf(cfn.describeChangeSet({ ChangeSetName: id! }))).toContain('ChangeSetNotFound');
});

test('reports and reverts drift in nested stacks, if the change set includes them', async () => {
  const { emu, objects } = await withTemplates();
  await using _ = emu;
  const { cfn } = emu;
  objects.set('in', { Resources: { A: thing({ Name: 'a', Value: '1' }), Deep: nested('deep') } });
  objects.set('deep', { Resources: { B: thing({ Name: 'b', Value: '1' }) } });
  const template = { Resources: { N: nested('in'), M: nested('deep-too') } };
  objects.set('deep-too', { Resources: { C: thing({ Name: 'c', Value: '1' }) } });
  await emu.create('s', template);
  const change = (name: string, Value: string) => {
    const known = emu.things.get(name)!;
    emu.things.set(name, { ...known, properties: { ...known.properties, Value } });
  };
  change('b', '9');
  const revert = async (ChangeSetName: string, IncludeNestedStacks: boolean) => {
    await cfn.createChangeSet({
      StackName: 's',
      ChangeSetName,
      DeploymentMode: 'REVERT_DRIFT',
      IncludeNestedStacks,
      TemplateBody: JSON.stringify(template),
    });
    return cfn.describeChangeSet({ StackName: 's', ChangeSetName });
  };
  expect(await revert('outer', false)).toMatchObject({ Status: 'FAILED', Changes: [] });
  const all = await revert('all', true);
  const inside = async (Changes: typeof all.Changes) =>
    cfn.describeChangeSet({ ChangeSetName: Changes![0]!.ResourceChange!.ChangeSetId! });
  expect(all.Changes!.map(({ ResourceChange: one }) => one!.LogicalResourceId)).toEqual(['N']);
  const deep = await inside((await inside(all.Changes)).Changes);
  expect(deep).toMatchObject({ DeploymentMode: 'REVERT_DRIFT', StackDriftStatus: 'DRIFTED' });
  expect(deep.Changes![0]!.ResourceChange).toMatchObject({
    Action: 'Modify',
    LogicalResourceId: 'B',
    ResourceDriftStatus: 'MODIFIED',
  });
  emu.calls.length = 0;
  await cfn.executeChangeSet({ StackName: 's', ChangeSetName: 'all' });
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' });
  expect(emu.calls).toEqual(['update B']);
  expect(emu.things.get('b')!.properties).toMatchObject({ Value: '1' });
  expect(await revert('again', true)).toMatchObject({ Status: 'FAILED', Changes: [] });
});

test.each([
  ['once', { N: nested('self') }],
  ['twice', { N: nested('self'), M: nested('self') }],
])('a template that contains itself %s fails as a stack and as a change set', async (_, Resources) => {
  const { emu, objects } = await withTemplates();
  await using __ = emu;
  const { cfn } = emu;
  objects.set('self', { Resources });
  const TemplateBody = JSON.stringify({ Resources });
  await cfn.createStack({ StackName: 'stack', TemplateBody });
  expect((await emu.settled('stack')).StackStatus).toBe('ROLLBACK_COMPLETE');
  await cfn.createChangeSet({
    StackName: 's',
    ChangeSetName: 'c',
    ChangeSetType: 'CREATE',
    IncludeNestedStacks: true,
    TemplateBody,
  });
  expect((await cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'c' })).Status).toBe('FAILED');
});

test('a failure cancels a nested stack in progress, and the rollback deletes it', async () => {
  const { emu, objects } = await withTemplates();
  await using _ = emu;
  emu.emulator.kernel.clock.freeze();
  const Properties = { Handle: { Ref: 'H' }, Timeout: '3600' };
  objects.set('waiting', {
    Resources: {
      H: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
      W: { Type: 'AWS::CloudFormation::WaitCondition', Properties },
    },
  });
  let fail = (): void => undefined;
  emu.held.set('F', new Promise((resolve) => (fail = resolve)));
  const TemplateBody = JSON.stringify({ Resources: { N: nested('waiting'), F: thing({ Fail: 'create' }) } });
  const { StackId } = await emu.cfn.createStack({ StackName: 's', TemplateBody });
  const child = async () =>
    (await emu.cfn.describeStackResources({ StackName: 's' })).StackResources!.find(
      ({ LogicalResourceId }) => LogicalResourceId === 'N',
    )?.PhysicalResourceId;
  await expect.poll(child).toMatch(/^arn:/);
  const inside = (await child())!;
  await expect.poll(async () => (await emu.events(inside)).join('\n')).toContain('W CREATE_IN_PROGRESS');
  fail();
  expect((await emu.settled(StackId!)).StackStatus).toBe('ROLLBACK_COMPLETE');
  expect((await emu.events('s')).join('\n')).toContain('N CREATE_FAILED Resource creation cancelled');
  expect((await emu.events(inside)).join('\n')).toContain('W CREATE_FAILED Resource creation cancelled');
  expect((await emu.cfn.describeStacks({ StackName: inside })).Stacks![0]!.StackStatus).toBe('DELETE_COMPLETE');
});
