import { expect, test } from 'vitest';
import { failureOf, startStacks, thing } from './support.ts';

test('returns the events of an operation and of its rollback by their ids', async () => {
  await using emu = await startStacks();
  const stack = await emu.create('s', {
    Resources: { A: thing({ Fail: 'create' }), B: thing({}, { DependsOn: 'A' }) },
  });
  const [rollback, create] = stack.LastOperations!;
  expect([create!.OperationType, rollback!.OperationType]).toEqual(['CREATE_STACK', 'ROLLBACK']);
  const { OperationEvents: created } = await emu.cfn.describeEvents({ OperationId: create!.OperationId });
  expect(
    created!.reverse().map((one) => [one.EventType, one.LogicalResourceId, one.OperationStatus ?? one.ResourceStatus]),
  ).toEqual([
    ['STACK_EVENT', 's', 'IN_PROGRESS'],
    ['PROGRESS_EVENT', 'A', 'CREATE_IN_PROGRESS'],
    ['PROVISIONING_ERROR', 'A', 'CREATE_FAILED'],
  ]);
  const { OperationEvents: back } = await emu.cfn.describeEvents({ OperationId: rollback!.OperationId });
  expect(back!.at(0)).toMatchObject({
    OperationType: 'ROLLBACK',
    OperationStatus: 'SUCCEEDED',
    ResourceStatus: 'ROLLBACK_COMPLETE',
  });
  expect(back!.at(0)!.EndTime).toBeInstanceOf(Date);
  const { OperationEvents: failed } = await emu.cfn.describeEvents({
    StackName: 's',
    Filters: { FailedEvents: true },
  });
  expect(failed!.map((one) => one.ResourceStatus)).toEqual(['ROLLBACK_IN_PROGRESS', 'CREATE_FAILED']);
});

test('change set creation is an operation whose events the stack does not list', async () => {
  await using emu = await startStacks();
  const TemplateBody = JSON.stringify({ Resources: { A: thing() } });
  await emu.create('s', { Resources: { A: thing() } });
  await emu.cfn.createChangeSet({ StackName: 's', ChangeSetName: 'c', TemplateBody });
  const { OperationEvents } = await emu.cfn.describeEvents({ StackName: 's', ChangeSetName: 'c' });
  expect(OperationEvents).toMatchObject([
    {
      OperationType: 'CREATE_CHANGESET',
      OperationStatus: 'FAILED',
      EventType: 'STACK_EVENT',
      ResourceStatusReason: expect.stringContaining("didn't contain changes"),
    },
  ]);
  expect((await emu.events('s')).at(-1)).toBe('s CREATE_COMPLETE');
});

test('rejects event requests without or with unknown identifiers', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  expect(await failureOf(cfn.describeEvents({}))).toBe(
    'ValidationError: One of ChangeSetName, OperationId or StackName must be specified.',
  );
  expect(await failureOf(cfn.describeEvents({ OperationId: 'x' }))).toContain('does not exist');
  expect(await failureOf(cfn.describeEvents({ StackName: 'x' }))).toBe('ValidationError: Stack [x] does not exist');
});

test('validates a template before its cost estimate', async () => {
  await using emu = await startStacks();
  const TemplateBody = JSON.stringify({
    Parameters: { P: { Type: 'String' } },
    Resources: { A: thing({ Value: { Ref: 'P' } }) },
  });
  expect(await failureOf(emu.cfn.estimateTemplateCost({ TemplateBody }))).toBe(
    'ValidationError: Parameters: [P] must have values',
  );
  const Parameters = [{ ParameterKey: 'P', ParameterValue: 'x' }];
  const { Url } = await emu.cfn.estimateTemplateCost({ TemplateBody, Parameters });
  expect(Url).toMatch(/^http:\/\/calculator\.s3\.amazonaws\.com\/calc5\.html\?key=cloudformation\/[-0-9a-f]{36}$/);
  expect(await failureOf(emu.cfn.estimateTemplateCost({}))).toContain('must be specified');
});

test('the events of a stack have different times in their order, also those of a rollback', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing(), B: thing({}, { DependsOn: 'A' }) } });
  await emu.update('s', {
    Resources: { A: thing({ Value: '1' }), B: thing({ Value: '1' }), C: thing({ Fail: 'create' }, { DependsOn: 'B' }) },
  });
  const { StackEvents } = await emu.cfn.describeStackEvents({ StackName: 's' });
  expect(StackEvents!.at(0)!.ResourceStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  const times = StackEvents!.map(({ Timestamp }) => Timestamp!.getTime());
  expect([...new Set(times)].sort((a, b) => b - a)).toEqual(times);
});
