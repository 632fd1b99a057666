import type { Change } from '@aws-sdk/client-cloudformation';
import { expect, test } from 'vitest';
import { failureOf, type StackTest, startStacks, thing } from './support.ts';

/** Creates a change set that reverts drift, with property values. */
async function revertDrift(emu: StackTest, template: object, ChangeSetName = 'revert') {
  await emu.cfn.createChangeSet({
    StackName: 's',
    ChangeSetName,
    DeploymentMode: 'REVERT_DRIFT',
    TemplateBody: JSON.stringify(template),
  });
  return emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName, IncludePropertyValues: true });
}

async function execute(emu: StackTest, ChangeSetName = 'revert') {
  await emu.cfn.executeChangeSet({ StackName: 's', ChangeSetName });
  return emu.settled('s');
}

/** Changes a thing outside the stack. */
function drift(emu: StackTest, name: string, properties: object): void {
  const known = emu.things.get(name)!;
  emu.things.set(name, { ...known, properties: { ...known.properties, ...properties } });
}

const summary = (changes: Change[] | undefined) =>
  changes!.map(({ ResourceChange: one }) => `${one!.Action} ${one!.LogicalResourceId} ${one!.ResourceDriftStatus}`);

test('reverts drift to the template, recreates deleted resources, and adopts drift that the template matches', async () => {
  await using emu = await startStacks();
  const resources = {
    Changed: thing({ Name: 'changed', Value: '1', Size: 2 }),
    Followed: thing({ Name: 'followed', Value: '1' }),
    Gone: thing({ Name: 'gone', Value: '1' }),
    Same: thing({ Name: 'same', Tags: [{ Key: 'own', Value: 'x' }] }),
    Meta: { Type: 'AWS::CDK::Metadata' },
  };
  await emu.create('s', { Resources: resources }, { Tags: [{ Key: 'team', Value: 'y' }] });
  drift(emu, 'changed', { Value: '9' });
  drift(emu, 'followed', { Value: '3' });
  drift(emu, 'same', {
    Tags: [
      { Key: 'own', Value: 'x' },
      { Key: 'foreign', Value: 'z' },
    ],
  });
  emu.things.delete('gone');
  await emu.cfn.detectStackResourceDrift({ StackName: 's', LogicalResourceId: 'Changed' });
  const template = { Resources: { ...resources, Followed: thing({ Name: 'followed', Value: '3' }) } };

  const described = await revertDrift(emu, template);
  expect(described).toMatchObject({
    DeploymentMode: 'REVERT_DRIFT',
    StackDriftStatus: 'DRIFTED',
    Status: 'CREATE_COMPLETE',
  });
  expect(summary(described.Changes)).toEqual([
    'Modify Changed MODIFIED',
    'SyncWithActual Followed MODIFIED',
    'Add Gone DELETED',
  ]);
  const [changed, followed] = described.Changes!.map(({ ResourceChange }) => ResourceChange!);
  expect(changed).toMatchObject({
    Replacement: 'False',
    BeforeContext: JSON.stringify({ Properties: { Name: 'changed', Value: '9', Size: 2 } }),
    PreviousDeploymentContext: JSON.stringify({ Properties: { Name: 'changed', Value: '1', Size: 2 } }),
    Details: [
      {
        Target: {
          Name: 'Value',
          AttributeChangeType: 'Modify',
          BeforeValue: '9',
          AfterValue: '1',
          BeforeValueFrom: 'ACTUAL_STATE',
          AfterValueFrom: 'TEMPLATE',
          Drift: { PreviousValue: '1', ActualValue: '9', DriftDetectionTimestamp: expect.any(Date) },
        },
      },
    ],
  });
  expect(followed!.Details![0]!.Target).toMatchObject({
    AttributeChangeType: 'SyncWithActual',
    BeforeValue: '3',
    AfterValue: '3',
    Drift: { PreviousValue: '1', ActualValue: '3' },
  });

  emu.calls.length = 0;
  const stack = await execute(emu);
  expect(stack).toMatchObject({
    StackStatus: 'UPDATE_COMPLETE',
    DriftInformation: { StackDriftStatus: 'NOT_CHECKED' },
  });
  expect([...emu.calls].sort()).toEqual(['create Gone', 'update Changed']);
  expect(emu.things.get('changed')!.properties).toMatchObject({ Value: '1', Size: 2 });
  expect(emu.things.get('gone')!.properties).toMatchObject({ Value: '1' });
  // An ordinary change set compares only templates.
  await emu.cfn.createChangeSet({ StackName: 's', ChangeSetName: 'plain', TemplateBody: JSON.stringify(template) });
  expect(await emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'plain' })).toMatchObject({
    Status: 'FAILED',
    StatusReason: expect.stringContaining("didn't contain changes"),
  });
});

test('a rollback restores the live state instead of the previous template', async () => {
  await using emu = await startStacks();
  const resources = {
    Changed: thing({ Name: 'changed', Value: '1' }),
    Gone: thing({ Name: 'gone' }),
  };
  await emu.create('s', { Resources: resources });
  drift(emu, 'changed', { Value: '9' });
  emu.things.delete('gone');
  await revertDrift(emu, {
    Resources: { ...resources, Bad: thing({ Fail: 'create' }, { DependsOn: ['Changed', 'Gone'] }) },
  });
  expect(await execute(emu)).toMatchObject({ StackStatus: 'UPDATE_ROLLBACK_COMPLETE' });
  expect(emu.things.get('changed')!.properties).toMatchObject({ Value: '9' });
  expect(emu.things.has('gone')).toBe(false);
  // The stack's deployed state is its template, so the drift remains.
  const again = await revertDrift(emu, { Resources: resources }, 'again');
  expect(summary(again.Changes)).toEqual(['Modify Changed MODIFIED', 'Add Gone DELETED']);
  expect(await execute(emu, 'again')).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' });
  expect(emu.things.get('changed')!.properties).toMatchObject({ Value: '1' });
});

test('fails without drift and changes, and rejects an unknown mode', async () => {
  await using emu = await startStacks();
  const template = { Resources: { A: thing({ Name: 'a', Value: '1' }) } };
  await emu.create('s', template);
  const found = await revertDrift(emu, template);
  expect(found).toMatchObject({ Status: 'FAILED', StackDriftStatus: 'IN_SYNC' });
  expect(
    await failureOf(
      emu.cfn.createChangeSet({
        StackName: 's',
        ChangeSetName: 'x',
        DeploymentMode: 'KEEP' as 'REVERT_DRIFT',
        TemplateBody: JSON.stringify(template),
      }),
    ),
  ).toContain("Value 'KEEP' at 'deploymentMode' failed to satisfy constraint");
});

test('reports a change beside drift with all of its values', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing({ Name: 'a', Value: '1', Size: 1 }) } });
  drift(emu, 'a', { Value: '2', Settings: { by: 'hand' } });
  const { Changes } = await revertDrift(emu, {
    Resources: { A: thing({ Name: 'a', Value: '3', Size: 2, Settings: { by: 'template' } }) },
  });
  const targets = Changes![0]!.ResourceChange!.Details!.map(({ Target }) => Target!);
  expect(targets.map(({ Name, BeforeValue, AfterValue, Drift }) => [Name, BeforeValue, AfterValue, !!Drift])).toEqual([
    ['Value', '2', '3', true],
    ['Size', '1', '2', false],
    ['Settings', '{"by":"hand"}', '{"by":"template"}', true],
  ]);
  expect(await execute(emu)).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' });
  expect(emu.things.get('a')!.properties).toMatchObject({ Value: '3', Size: 2, Settings: { by: 'template' } });
});
