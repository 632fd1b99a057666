import { createLogger } from '@emu/core';
import { expect, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, startStacks, thing } from './support.ts';

const body = (Resources: object, more: object = {}) => JSON.stringify({ Resources, ...more });

test('a change set creates a stack', async () => {
  await using emu = await startStacks();
  const { Id, StackId } = await emu.cfn.createChangeSet({
    StackName: 's',
    ChangeSetName: 'first',
    ChangeSetType: 'CREATE',
    Description: 'd',
    TemplateBody: body({ A: thing({ Value: '1' }) }),
    Tags: [{ Key: 'a', Value: 'b' }],
  });
  expect(Id).toMatch(/^arn:aws:cloudformation:us-east-1:000000000000:changeSet\/first\/[-\da-f]{36}$/);
  expect(await emu.settled('s')).toMatchObject({
    StackId,
    StackStatus: 'REVIEW_IN_PROGRESS',
    StackStatusReason: 'User Initiated',
  });
  expect(await emu.cfn.describeChangeSet({ ChangeSetName: Id })).toMatchObject({
    ChangeSetName: 'first',
    Description: 'd',
    Status: 'CREATE_COMPLETE',
    ExecutionStatus: 'AVAILABLE',
    Changes: [{ Type: 'Resource', ResourceChange: { Action: 'Add', LogicalResourceId: 'A', Scope: [], Details: [] } }],
  });
  expect(
    await failureOf(
      emu.cfn.createChangeSet({ StackName: 's', ChangeSetName: 'u', TemplateBody: body({ A: thing() }) }),
    ),
  ).toBe(`ValidationError: Stack:${StackId} is in REVIEW_IN_PROGRESS state and can not be updated.`);
  await emu.cfn.executeChangeSet({ ChangeSetName: 'first', StackName: 's' });
  expect(await emu.settled('s')).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
    ChangeSetId: Id,
    Tags: [{ Key: 'a', Value: 'b' }],
  });
  expect(await failureOf(emu.cfn.executeChangeSet({ ChangeSetName: Id! }))).toBe(
    `InvalidChangeSetStatusException: ChangeSet [${Id}] cannot be executed in its current execution status of [EXECUTE_COMPLETE]`,
  );
  expect(
    await failureOf(
      emu.cfn.createChangeSet({
        StackName: 's',
        ChangeSetName: 'again',
        ChangeSetType: 'CREATE',
        TemplateBody: body({ A: thing() }),
      }),
    ),
  ).toBe('ValidationError: Stack [s] already exists and cannot be created again with the changeSet [again].');
});

test('a change set that creates a stack uses no previous template or values', async () => {
  await using emu = await startStacks();
  const change = { StackName: 's', ChangeSetName: 'first', ChangeSetType: 'CREATE' } as const;
  // https://github.com/glassechidna/stackit/issues/38
  expect(await failureOf(emu.cfn.createChangeSet({ ...change, UsePreviousTemplate: true }))).toBe(
    'ValidationError: Cannot specify usePreviousTemplate as true for a changeSetType CREATE',
  );
  // https://github.com/mapbox/cfn-config/issues/182
  const Parameters = [{ ParameterKey: 'P', UsePreviousValue: true }];
  const TemplateBody = body({ A: thing() }, { Parameters: { P: { Type: 'String' } } });
  expect(await failureOf(emu.cfn.createChangeSet({ ...change, TemplateBody, Parameters }))).toBe(
    'ValidationError: Cannot specify UsePreviousValue on Parameters when ChangeSetType is CREATE',
  );
});

test('a change set with types that emu lacks looks as on AWS; the log names them', async () => {
  const logged: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => logged.push(line) });
  await using emu = await startStacks([], { log, settings: { accountId: ACCOUNT, region: REGION } });
  const change = { StackName: 's', ChangeSetName: 'first' };
  const TemplateBody = body({ A: thing(), B: { Type: 'AWS::EC2::Instance' } });
  await emu.cfn.createChangeSet({ ...change, ChangeSetType: 'CREATE', TemplateBody });
  const described = await emu.cfn.describeChangeSet(change);
  expect(described).toMatchObject({ Status: 'CREATE_COMPLETE', ExecutionStatus: 'AVAILABLE' });
  expect(described.StatusReason).toBeUndefined();
  const line = 'the change set first of the stack s has types that emu lacks: AWS::EC2::Instance';
  expect(logged.filter((text) => text.includes(line))).toHaveLength(1);
});

test('a change set of an update lists changes with causes and replacements', async () => {
  await using emu = await startStacks();
  const resources = (value: string) => ({
    A: thing({ Kind: { Ref: 'Kind' } }),
    B: thing({ Value: { Ref: 'A' } }),
    C: thing({ Value: value }),
  });
  const Parameters = { Kind: { Type: 'String', Default: 'a' } };
  await emu.create('s', { Parameters, Resources: { ...resources('1'), D: thing() } });
  await emu.cfn.createChangeSet({
    StackName: 's',
    ChangeSetName: 'c',
    TemplateBody: body({ ...resources('2'), E: thing() }, { Parameters }),
    Parameters: [{ ParameterKey: 'Kind', ParameterValue: 'b' }],
  });
  const { Changes } = await emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'c' });
  const summary = Changes!.map(({ ResourceChange: one }) =>
    `${one!.Action} ${one!.LogicalResourceId} ${one!.Replacement ?? ''} ${one!.PolicyAction ?? ''}`.trim(),
  );
  expect(summary).toEqual([
    'Modify A True ReplaceAndDelete',
    'Modify B False',
    'Modify C False',
    'Remove D  Delete',
    'Add E',
  ]);
  expect(Changes![0]!.ResourceChange!.Details).toEqual([
    {
      CausingEntity: 'Kind',
      ChangeSource: 'ParameterReference',
      Evaluation: 'Static',
      Target: { Attribute: 'Properties', Name: 'Kind', RequiresRecreation: 'Always' },
    },
    {
      ChangeSource: 'DirectModification',
      Evaluation: 'Dynamic',
      Target: { Attribute: 'Properties', Name: 'Kind', RequiresRecreation: 'Always' },
    },
  ]);
  const detailed = await emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'c', IncludePropertyValues: true });
  expect(detailed.Changes![1]!.ResourceChange!.Details![0]!.Target).toMatchObject({
    Path: '/Properties/Value',
    AfterValue: '{{changeSet:KNOWN_AFTER_APPLY}}',
    AttributeChangeType: 'Modify',
  });
  await emu.cfn.createChangeSet({ StackName: 's', ChangeSetName: 'sibling', TemplateBody: body({ X: thing() }) });
  expect(
    (await emu.cfn.listChangeSets({ StackName: 's' })).Summaries!.map(({ ChangeSetName }) => ChangeSetName),
  ).toEqual(['c', 'sibling']);
  await emu.cfn.executeChangeSet({ StackName: 's', ChangeSetName: 'c' });
  expect((await emu.settled('s')).StackStatus).toBe('UPDATE_COMPLETE');
  expect(await failureOf(emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'sibling' }))).toMatch(
    /^ChangeSetNotFound(Exception)?: ChangeSet \[sibling\] does not exist$/,
  );
});

test('a change set without changes fails and can be deleted', async () => {
  await using emu = await startStacks();
  const TemplateBody = body({ A: thing() });
  await emu.create('s', JSON.parse(TemplateBody));
  await emu.cfn.createChangeSet({ StackName: 's', ChangeSetName: 'none', TemplateBody });
  expect(await emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'none' })).toMatchObject({
    Status: 'FAILED',
    ExecutionStatus: 'UNAVAILABLE',
    StatusReason:
      "The submitted information didn't contain changes. Submit different information to create a change set.",
  });
  await emu.cfn.deleteChangeSet({ StackName: 's', ChangeSetName: 'none' });
  expect(await failureOf(emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'none' }))).toContain(
    'ChangeSet [none] does not exist',
  );
  expect(await failureOf(emu.cfn.deleteChangeSet({ ChangeSetName: 'none' }))).toBe(
    'ValidationError: StackName must be specified if ChangeSetName is not specified as an ARN.',
  );
  expect(await failureOf(emu.cfn.describeChangeSet({ StackName: 'nostack', ChangeSetName: 'x' }))).toBe(
    'ValidationError: Stack [nostack] does not exist',
  );
});

test('imports an existing resource into a stack', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing({ Name: 'mine' }, { DeletionPolicy: 'Retain' }), B: thing() } });
  await emu.update('s', { Resources: { B: thing() } });
  expect(emu.things.has('mine')).toBe(true);
  await emu.cfn.createChangeSet({
    StackName: 's',
    ChangeSetName: 'import',
    ChangeSetType: 'IMPORT',
    TemplateBody: body({ A: thing({ Name: 'mine' }, { DeletionPolicy: 'Retain' }), B: thing() }),
    ResourcesToImport: [
      { ResourceType: 'Test::Thing::Thing', LogicalResourceId: 'A', ResourceIdentifier: { Name: 'mine' } },
    ],
  });
  const { Changes } = await emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'import' });
  expect(Changes).toMatchObject([{ ResourceChange: { Action: 'Import', LogicalResourceId: 'A' } }]);
  await emu.cfn.executeChangeSet({ StackName: 's', ChangeSetName: 'import' });
  expect((await emu.settled('s')).StackStatus).toBe('IMPORT_COMPLETE');
  const { StackResourceDetail } = await emu.cfn.describeStackResource({ StackName: 's', LogicalResourceId: 'A' });
  expect(StackResourceDetail).toMatchObject({ PhysicalResourceId: 'mine' });
});

/**
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeChangeSet.html
 * @see https://github.com/aws/amazon-chime-sdk-js/issues/1089
 */
test('a change set is obsolete after another update, and failed after a failed execution', async () => {
  await using emu = await startStacks();
  const change = (ChangeSetName: string, Value: string, more: object = {}) =>
    emu.cfn.createChangeSet({
      StackName: 's',
      ChangeSetName,
      TemplateBody: body({ A: thing({ Value, ...more }) }),
    });
  const executionOf = async (ChangeSetName: string) =>
    (await emu.cfn.describeChangeSet({ ChangeSetName })).ExecutionStatus;
  await emu.create('s', { Resources: { A: thing() } });
  const first = (await change('c', '1')).Id!;
  await emu.update('s', { Resources: { A: thing({ Value: '2' }) } });
  expect(await executionOf(first)).toBe('OBSOLETE');
  expect(await failureOf(emu.cfn.executeChangeSet({ ChangeSetName: first }))).toBe(
    `InvalidChangeSetStatusException: ChangeSet [${first}] cannot be executed in its current execution status of [OBSOLETE]`,
  );

  const failing = (await change('f', '3', { Fail: 'update' })).Id!;
  await emu.cfn.executeChangeSet({ ChangeSetName: failing });
  expect((await emu.settled('s')).StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(await executionOf(failing)).toBe('EXECUTE_FAILED');

  // A failed one releases its name, too.
  const last = (await change('f', '4')).Id!;
  let release = () => {};
  emu.held.set('B', new Promise((resolve) => (release = resolve)));
  await emu.cfn.deleteChangeSet({ ChangeSetName: last });
  const slow = { StackName: 's', ChangeSetName: 'g', TemplateBody: body({ A: thing(), B: thing() }) };
  const { Id } = await emu.cfn.createChangeSet(slow);
  const executing = emu.cfn.executeChangeSet({ ChangeSetName: Id! });
  await expect.poll(() => executionOf(Id!)).toBe('EXECUTE_IN_PROGRESS');
  release();
  await executing;
  expect((await emu.settled('s')).StackStatus).toBe('UPDATE_COMPLETE');
  expect(await executionOf(Id!)).toBe('EXECUTE_COMPLETE');
});
