import { enforceQuota } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, startStacks, thing } from './support.ts';

const FULL = 'LimitExceededException: Limit for stack has been exceeded';
const template = { Resources: { A: thing() } };
const TemplateBody = JSON.stringify(template);

test('enforces the quota of stacks, including those in review', async () => {
  await using t = await startStacks();
  await enforceQuota(t.emulator, 'cloudformation/L-0485CB21', 2);
  await t.create('one', template);
  await t.cfn.createChangeSet({ StackName: 'two', ChangeSetName: 'c', ChangeSetType: 'CREATE', TemplateBody });
  expect(await failureOf(t.cfn.createStack({ StackName: 'three', TemplateBody }))).toBe(FULL);
  const change = { StackName: 'three', ChangeSetName: 'c', ChangeSetType: 'CREATE' as const, TemplateBody };
  expect(await failureOf(t.cfn.createChangeSet(change))).toBe(FULL);
  expect(await failureOf(t.cfn.createStack({ StackName: 'one', TemplateBody }))).toMatch(/^AlreadyExistsException/);
  const { AccountLimits } = await t.cfn.describeAccountLimits({});
  expect(AccountLimits).toContainEqual({ Name: 'StackLimit', Value: 2 });
  await t.cfn.deleteStack({ StackName: 'one' });
  await t.cfn.deleteStack({ StackName: 'two' });
  await t.settled((await t.create('three', template)).StackId!);
  expect((await t.cfn.describeStacks({})).Stacks!.map(({ StackName }) => StackName)).toContain('three');
});

test('enforces quotas of template outputs and stack sets', async () => {
  await using t = await startStacks();
  await enforceQuota(t.emulator, 'cloudformation/L-87D14FB7', 1);
  await enforceQuota(t.emulator, 'cloudformation/L-EC62D81A', 1);
  const Export = (Name: string) => ({ Value: { Ref: 'A' }, Export: { Name } });
  await t.create('one', { ...template, Outputs: { X: Export('x') } });
  const two = JSON.stringify({ ...template, Outputs: { Y: Export('y'), Z: Export('z') } });
  expect(await failureOf(t.cfn.createStack({ StackName: 'two', TemplateBody: two }))).toBe(
    'ValidationError: Template format error: Number of outputs, 2, is greater than maximum allowed, 1',
  );
  expect((await t.cfn.listExports({})).Exports!.map(({ Name }) => Name)).toEqual(['x']);
  await t.cfn.createStackSet({ StackSetName: 'first', TemplateBody });
  expect(await failureOf(t.cfn.createStackSet({ StackSetName: 'second', TemplateBody }))).toBe(
    'LimitExceededException: The maximum number of stack sets (1) has been reached.',
  );
  expect(await failureOf(t.cfn.createStackSet({ StackSetName: 'first', TemplateBody }))).toMatch(
    /^NameAlreadyExistsException/,
  );
});
