import { expect, test } from 'vitest';
import { failureOf, startStacks, thing } from './support.ts';

const body = (Resources: object) => JSON.stringify({ Resources });

test('rolls back a creation at its timeout', async () => {
  await using emu = await startStacks();
  emu.emulator.kernel.clock.freeze();
  let release = () => {};
  emu.held.set(
    'Slow',
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  const { StackId } = await emu.cfn.createStack({
    StackName: 's',
    TemplateBody: body({ Slow: thing() }),
    TimeoutInMinutes: 1,
  });
  await expect.poll(() => emu.calls).toContain('create Slow');
  await emu.emulator.kernel.clock.advance(61_000);
  release();
  expect(await emu.settled(StackId!)).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE', TimeoutInMinutes: 1 });
  expect((await emu.events('s')).join('\n')).toContain('Stack creation time exceeded the specified timeout.');
  expect(emu.things.size).toBe(0);
});

test('a change set sets the failure behaviour of its stack', async () => {
  await using emu = await startStacks();
  const failing = body({ A: thing(), Z: thing({ Fail: 'create' }, { DependsOn: 'A' }) });
  const made = async (StackName: string, OnStackFailure: 'DELETE' | 'DO_NOTHING' | 'ROLLBACK') => {
    const place = { StackName, ChangeSetName: 'c' };
    const { StackId } = await emu.cfn.createChangeSet({
      ...place,
      ChangeSetType: 'CREATE',
      TemplateBody: failing,
      OnStackFailure,
    });
    expect(await emu.cfn.describeChangeSet(place)).toMatchObject({ OnStackFailure });
    expect(await failureOf(emu.cfn.executeChangeSet({ ...place, DisableRollback: true }))).toContain('ValidationError');
    await emu.cfn.executeChangeSet(place);
    return (await emu.settled(StackId!)).StackStatus;
  };
  expect(await made('deleted', 'DELETE')).toBe('DELETE_COMPLETE');
  expect(await made('kept', 'DO_NOTHING')).toBe('CREATE_FAILED');
  expect(await made('back', 'ROLLBACK')).toBe('ROLLBACK_COMPLETE');
  expect(emu.things.size).toBe(1);
  expect(
    await failureOf(
      emu.cfn.createStack({ StackName: 'both', TemplateBody: failing, OnFailure: 'DELETE', DisableRollback: true }),
    ),
  ).toBe('ValidationError: You can specify either OnFailure or DisableRollback, but not both.');
});

test('a forced deletion retains resources, and is allowed only after a failed one', async () => {
  await using emu = await startStacks();
  const { StackId } = await emu.create('s', { Resources: { A: thing(), B: thing() } });
  const force = { StackName: 's', DeletionMode: 'FORCE_DELETE_STACK' as const };
  expect(await failureOf(emu.cfn.deleteStack(force))).toContain('Invalid operation on stack');
  emu.stuck.add('A');
  await emu.cfn.deleteStack({ StackName: 's' });
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'DELETE_FAILED' });
  await emu.cfn.deleteStack(force);
  expect(await emu.settled(StackId!)).toMatchObject({
    StackStatus: 'DELETE_COMPLETE',
    DeletionMode: 'FORCE_DELETE_STACK',
  });
  expect(await emu.events(StackId!)).toContain('A DELETE_SKIPPED');
  expect(emu.things.size).toBe(1);
});

test('a failed rollback continues without the skipped resources', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing({ Value: '1', Fail: 'update' }), B: thing({ Value: '1' }) } });
  const template = {
    Resources: {
      A: thing({ Value: '2' }),
      B: thing({ Value: '2' }),
      Z: thing({ Fail: 'create' }, { DependsOn: ['A', 'B'] }),
    },
  };
  // The previous state of A cannot be restored.
  expect(await emu.update('s', template)).toMatchObject({
    StackStatus: 'UPDATE_ROLLBACK_FAILED',
    StackStatusReason: 'The following resource(s) failed to update: [A]. ',
  });
  expect(await failureOf(emu.cfn.updateStack({ StackName: 's', TemplateBody: JSON.stringify(template) }))).toContain(
    'is in UPDATE_ROLLBACK_FAILED state and can not be updated.',
  );
  await emu.cfn.continueUpdateRollback({ StackName: 's' });
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'UPDATE_ROLLBACK_FAILED' });
  expect(await failureOf(emu.cfn.continueUpdateRollback({ StackName: 's', ResourcesToSkip: ['B'] }))).toContain(
    'cannot be skipped: [B]',
  );
  const skip = { StackName: 's', ResourcesToSkip: ['A'], ClientRequestToken: 'once' };
  await emu.cfn.continueUpdateRollback(skip);
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'UPDATE_ROLLBACK_COMPLETE' });
  await emu.cfn.continueUpdateRollback(skip);
  expect([...emu.things.values()].map(({ properties }) => properties.Value)).toEqual(['2', '1']);
  expect(await failureOf(emu.cfn.continueUpdateRollback({ StackName: 's' }))).toContain(
    'is in UPDATE_ROLLBACK_COMPLETE state and can not be rolled back.',
  );
});

test('retains replaced resources by policy, and rejects the replacement of fixed names', async () => {
  await using emu = await startStacks();
  const kept = (Kind: string) => thing({ Kind }, { UpdateReplacePolicy: 'Retain' });
  await emu.create('s', {
    Resources: { A: kept('a'), B: thing({ Kind: 'a' }), Named: thing({ Name: 'fixed', Kind: 'a' }) },
  });
  const Named = thing({ Name: 'fixed', Kind: 'a' });
  await emu.update('s', { Resources: { A: kept('b'), B: thing({ Kind: 'b' }), Named } });
  // The replaced A remains in addition to the stack's three.
  expect(emu.things.size).toBe(4);
  expect(await emu.events('s')).toContain('A DELETE_SKIPPED');
  const renamed = await emu.update('s', {
    Resources: { A: kept('b'), B: thing({ Kind: 'b' }), Named: thing({ Name: 'fixed', Kind: 'b' }) },
  });
  expect(renamed).toMatchObject({ StackStatus: 'UPDATE_ROLLBACK_COMPLETE' });
  expect(await emu.events('s')).toContain(
    'Named UPDATE_FAILED CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename fixed and update the stack again.',
  );
  expect(emu.things.size).toBe(4);
});

test('imports existing resources by their names in a template', async () => {
  await using emu = await startStacks();
  await emu.create('first', { Resources: { A: thing({ Name: 'mine' }, { DeletionPolicy: 'Retain' }) } });
  const { StackId } = await emu.cfn.describeStacks({ StackName: 'first' }).then(({ Stacks }) => Stacks![0]!);
  await emu.cfn.deleteStack({ StackName: 'first' });
  await emu.settled(StackId!);
  const place = { StackName: 'second', ChangeSetName: 'c' };
  await emu.cfn.createChangeSet({
    ...place,
    ChangeSetType: 'CREATE',
    ImportExistingResources: true,
    TemplateBody: body({ Taken: thing({ Name: 'mine' }, { DeletionPolicy: 'Retain' }), New: thing() }),
  });
  const { Changes, ImportExistingResources } = await emu.cfn.describeChangeSet(place);
  expect(ImportExistingResources).toBe(true);
  expect(Changes!.map(({ ResourceChange: one }) => `${one!.Action} ${one!.LogicalResourceId}`)).toEqual([
    'Add New',
    'Import Taken',
  ]);
  emu.calls.length = 0;
  await emu.cfn.executeChangeSet(place);
  expect(await emu.settled('second')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
  expect(emu.calls).toEqual(['create New']);
  const taken = { StackName: 'second', LogicalResourceId: 'Taken' };
  expect((await emu.cfn.describeStackResource(taken)).StackResourceDetail).toMatchObject({
    PhysicalResourceId: 'mine',
  });
});

test('accepts the id of a stack in place of its name', async () => {
  await using emu = await startStacks();
  const { StackId: StackName } = await emu.create('s', { Resources: { A: thing({ Value: '1' }) } });
  const { cfn } = emu;
  const place = { StackName: StackName! };
  for (const [what, asked] of Object.entries({
    describeStacks: cfn.describeStacks(place),
    describeStackEvents: cfn.describeStackEvents(place),
    describeStackResources: cfn.describeStackResources(place),
    describeStackResource: cfn.describeStackResource({ ...place, LogicalResourceId: 'A' }),
    listStackResources: cfn.listStackResources(place),
    getTemplate: cfn.getTemplate(place),
    getTemplateSummary: cfn.getTemplateSummary(place),
    getStackPolicy: cfn.getStackPolicy(place),
    listChangeSets: cfn.listChangeSets(place),
    describeEvents: cfn.describeEvents(place),
    updateTerminationProtection: cfn.updateTerminationProtection({ ...place, EnableTerminationProtection: false }),
    setStackPolicy: cfn.setStackPolicy({ ...place, StackPolicyBody: '{}' }),
    detectStackDrift: cfn.detectStackDrift(place),
    describeStackResourceDrifts: cfn.describeStackResourceDrifts(place),
  }))
    expect(await asked, what).toMatchObject({ $metadata: { httpStatusCode: 200 } });
  const change = { ...place, ChangeSetName: 'c' };
  await cfn.createChangeSet({ ...change, TemplateBody: body({ A: thing({ Value: '2' }) }) });
  expect(await cfn.describeChangeSet(change)).toMatchObject({ StackId: StackName, Status: 'CREATE_COMPLETE' });
  await cfn.executeChangeSet(change);
  await emu.settled(StackName!);
  await cfn.updateStack({ ...place, TemplateBody: body({ A: thing({ Value: '3' }) }) });
  expect(await emu.settled(StackName!)).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' });
  expect([...emu.things.values()].map(({ properties }) => properties.Value)).toEqual(['3']);
  const deleting = { ...place, ClientRequestToken: 'd' };
  await cfn.deleteStack(deleting);
  expect(await emu.settled(StackName!)).toMatchObject({ StackStatus: 'DELETE_COMPLETE' });
  // A deleted stack can be described by its id, and deleting it again has no effect.
  await cfn.deleteStack(deleting);
  expect((await cfn.getTemplate(place)).TemplateBody).toContain('"3"');
  const { StackSummaries } = await cfn.listStacks({});
  expect(StackSummaries).toHaveLength(1);
});
