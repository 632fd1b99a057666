import { expect, test } from 'vitest';
import { failureOf, type StackTest, startStacks, thing } from './support.ts';

const definition = (StackName: string, Resources: object, more: object = {}) => ({
  StackName,
  TemplateBody: JSON.stringify({ Resources, ...more }),
});

/**
 * Plans a refactor.
 * @returns its description
 */
async function planned(emu: StackTest, StackDefinitions: object[], more: object = {}) {
  const { StackRefactorId } = await emu.cfn.createStackRefactor({ StackDefinitions, ...more });
  return emu.cfn.describeStackRefactor({ StackRefactorId });
}

test('moves resources between stacks, under new names and into a new stack, without changing them', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  await emu.create(
    'one',
    {
      Resources: {
        Stays: thing({ Value: 'x' }),
        Moves: thing({ Value: { Ref: 'Stays' } }),
        Renamed: thing({ Value: 'r' }),
      },
    },
    { Tags: [{ Key: 'team', Value: 'x' }] },
  );
  const before = new Map(
    (await cfn.describeStackResources({ StackName: 'one' })).StackResources!.map((one) => [
      one.LogicalResourceId,
      one.PhysicalResourceId!,
    ]),
  );
  emu.calls.length = 0;
  const refactor = await planned(
    emu,
    [
      definition(
        'one',
        { Stays: thing({ Value: 'x' }), New: thing({ Value: 'r' }) },
        { Outputs: { Id: { Value: { Ref: 'Stays' }, Export: { Name: 'stays' } } } },
      ),
      definition('two', { Moves: thing({ Value: { 'Fn::ImportValue': 'stays' } }) }),
    ],
    {
      Description: 'split',
      EnableStackCreation: true,
      ResourceMappings: [
        {
          Source: { StackName: 'one', LogicalResourceId: 'Renamed' },
          Destination: { StackName: 'one', LogicalResourceId: 'New' },
        },
      ],
    },
  );
  expect(refactor).toMatchObject({ Status: 'CREATE_COMPLETE', ExecutionStatus: 'AVAILABLE', Description: 'split' });
  expect(refactor.StackIds).toHaveLength(2);
  const { StackRefactorId } = refactor;
  const { StackRefactorActions } = await cfn.listStackRefactorActions({ StackRefactorId });
  expect(StackRefactorActions).toMatchObject([
    { Action: 'CREATE', Entity: 'STACK', PhysicalResourceId: refactor.StackIds![1] },
    {
      Action: 'MOVE',
      Entity: 'RESOURCE',
      Detection: 'MANUAL',
      PhysicalResourceId: before.get('Renamed'),
      ResourceMapping: { Destination: { LogicalResourceId: 'New' } },
    },
    { Detection: 'AUTO', PhysicalResourceId: before.get('Moves'), UntagResources: ['team'] },
  ]);
  await cfn.executeStackRefactor({ StackRefactorId });
  expect((await cfn.describeStackRefactor({ StackRefactorId })).ExecutionStatus).toBe('EXECUTE_COMPLETE');
  expect(emu.calls).toEqual(['update undefined']);
  const resources = async (StackName: string) =>
    (await cfn.describeStackResources({ StackName })).StackResources!.map((one) => [
      one.LogicalResourceId,
      one.PhysicalResourceId,
    ]);
  expect(await resources('one')).toEqual([
    ['New', before.get('Renamed')],
    ['Stays', before.get('Stays')],
  ]);
  expect(await resources('two')).toEqual([['Moves', before.get('Moves')]]);
  expect(emu.things.get(before.get('Moves')!)!.properties).not.toHaveProperty('Tags');
  expect((await cfn.describeStacks({ StackName: 'two' })).Stacks![0]).toMatchObject({
    StackId: refactor.StackIds![1],
    StackStatus: 'CREATE_COMPLETE',
  });
  expect((await cfn.listImports({ ExportName: 'stays' })).Imports).toEqual(['two']);
  expect((await emu.events('one')).slice(-6)).toContain('Renamed EXPORT_COMPLETE');
  expect(
    await failureOf(
      cfn.updateStack({
        StackName: 'two',
        TemplateBody: definition('two', { Moves: thing({ Value: { 'Fn::ImportValue': 'stays' } }) }).TemplateBody,
      }),
    ),
  ).toBe('ValidationError: No updates are to be performed.');
  await cfn.deleteStack({ StackName: 'two' });
  await emu.settled(refactor.StackIds![1]!);
  expect(emu.things.has(before.get('Moves')!)).toBe(false);
});

test('rejects a refactor that would create, change or delete a resource', async () => {
  await using emu = await startStacks();
  await emu.create('one', { Resources: { A: thing({ Value: '1' }), B: thing() } });
  const cases: [object[], string][] = [
    [[definition('one', { A: thing({ Value: '1' }), B: thing(), C: thing() })], 'does not create resources: C of one'],
    [[definition('one', { A: thing({ Value: '1' }) })], 'does not delete resources: [B]'],
    [[definition('one', { A: thing({ Value: '2' }), B: thing() })], 'does not change resources'],
    [[definition('one', { A: thing({ Value: '1' }), B: thing() })], 'does not move any resources'],
  ];
  for (const [definitions, reason] of cases) {
    const refactor = await planned(emu, definitions);
    expect(refactor).toMatchObject({ Status: 'CREATE_FAILED', ExecutionStatus: 'UNAVAILABLE' });
    expect(refactor.StatusReason).toContain(reason);
  }
  await emu.create('policed', { Resources: { A: thing() } }, { StackPolicyBody: '{"Statement":[]}' });
  expect((await planned(emu, [definition('policed', { B: thing() })])).StatusReason).toContain('stack policy');
  const list = await emu.cfn.listStackRefactors({ ExecutionStatusFilter: ['UNAVAILABLE'], MaxResults: 2 });
  expect(list.StackRefactorSummaries).toHaveLength(2);
});

test('a refactor is obsolete after a change of its stacks; rejects unknown refactors', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  await emu.create('one', { Resources: { A: thing({ Value: '1' }) } });
  const { StackRefactorId } = await planned(emu, [definition('one', { B: thing({ Value: '1' }) })]);
  await emu.update('one', { Resources: { A: thing({ Value: '2' }) } });
  expect((await cfn.describeStackRefactor({ StackRefactorId })).ExecutionStatus).toBe('OBSOLETE');
  expect(await failureOf(cfn.executeStackRefactor({ StackRefactorId }))).toContain('[OBSOLETE]');
  expect(
    await failureOf(cfn.describeStackRefactor({ StackRefactorId: '00000000-0000-0000-0000-000000000000' })),
  ).toContain('StackRefactorNotFound');
  expect(await failureOf(cfn.createStackRefactor({ StackDefinitions: [definition('none', { A: thing() })] }))).toBe(
    'ValidationError: Stack [none] does not exist',
  );
});
