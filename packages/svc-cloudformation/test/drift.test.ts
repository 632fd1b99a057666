import { expect, test } from 'vitest';
import { compared } from '../src/drift/compare.ts';
import { failureOf, type StackTest, startStacks, thing } from './support.ts';

/** Runs drift detection on a stack and waits for the result. */
async function detect(emu: StackTest, StackName: string, LogicalResourceIds?: string[]) {
  const { StackDriftDetectionId } = await emu.cfn.detectStackDrift({
    StackName,
    ...(LogicalResourceIds && { LogicalResourceIds }),
  });
  for (let turn = 0; turn < 1000; turn++) {
    const found = await emu.cfn.describeStackDriftDetectionStatus({ StackDriftDetectionId });
    if (found.DetectionStatus !== 'DETECTION_IN_PROGRESS') return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the detection does not end');
}

test('detects changes and deletions outside the stack, by properties in the template', async () => {
  await using emu = await startStacks();
  await emu.create(
    's',
    {
      Resources: {
        Same: thing({ Value: '1', Size: '3', Tags: [{ Key: 'own', Value: 'x' }] }),
        Changed: thing({ Name: 'changed', Value: '1', Settings: { a: '1', b: '2' } }),
        Gone: thing({ Name: 'gone' }),
        Meta: { Type: 'AWS::CDK::Metadata', Properties: { Analytics: 'x' } },
      },
    },
    { Tags: [{ Key: 'team', Value: 'y' }] },
  );
  expect(await detect(emu, 's')).toMatchObject({
    DetectionStatus: 'DETECTION_COMPLETE',
    StackDriftStatus: 'IN_SYNC',
    DriftedStackResourceCount: 0,
  });
  const changed = emu.things.get('changed')!;
  emu.things.set('changed', {
    ...changed,
    properties: { ...changed.properties, Value: '2', Size: 9, Settings: { a: '1', b: '3', c: '4' } },
  });
  emu.things.delete('gone');
  expect(await detect(emu, 's')).toMatchObject({ StackDriftStatus: 'DRIFTED', DriftedStackResourceCount: 2 });
  const { Stacks } = await emu.cfn.describeStacks({ StackName: 's' });
  expect(Stacks![0]!.DriftInformation).toMatchObject({ StackDriftStatus: 'DRIFTED' });

  const { StackResourceDrifts } = await emu.cfn.describeStackResourceDrifts({ StackName: 's' });
  expect(StackResourceDrifts!.map((one) => [one.LogicalResourceId, one.StackResourceDriftStatus])).toEqual([
    ['Changed', 'MODIFIED'],
    ['Gone', 'DELETED'],
    ['Same', 'IN_SYNC'],
  ]);
  const [modified, deleted] = StackResourceDrifts!;
  expect(JSON.parse(modified!.ActualProperties!)).toEqual({
    Name: 'changed',
    Value: '2',
    Settings: { a: '1', b: '3', c: '4' },
  });
  expect(modified!.PropertyDifferences).toEqual([
    { PropertyPath: '/Settings/b', ExpectedValue: '2', ActualValue: '3', DifferenceType: 'NOT_EQUAL' },
    { PropertyPath: '/Settings/c', ExpectedValue: 'null', ActualValue: '4', DifferenceType: 'ADD' },
    { PropertyPath: '/Value', ExpectedValue: '1', ActualValue: '2', DifferenceType: 'NOT_EQUAL' },
  ]);
  expect(deleted).not.toHaveProperty('ExpectedProperties');
  const filtered = await emu.cfn.describeStackResourceDrifts({
    StackName: 's',
    StackResourceDriftStatusFilters: ['DELETED'],
    MaxResults: 1,
  });
  expect(filtered.StackResourceDrifts).toHaveLength(1);

  const one = await emu.cfn.detectStackResourceDrift({ StackName: 's', LogicalResourceId: 'Same' });
  expect(one.StackResourceDrift).toMatchObject({
    StackResourceDriftStatus: 'IN_SYNC',
    ResourceType: 'Test::Thing::Thing',
    PropertyDifferences: [],
  });
  const { StackResourceDetail } = await emu.cfn.describeStackResource({ StackName: 's', LogicalResourceId: 'Changed' });
  expect(StackResourceDetail!.DriftInformation).toMatchObject({ StackResourceDriftStatus: 'MODIFIED' });
});

test('compares only the named resources', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing({ Name: 'a' }), B: thing({ Name: 'b' }) } });
  emu.things.delete('a');
  expect(await detect(emu, 's', ['B'])).toMatchObject({ StackDriftStatus: 'IN_SYNC' });
  const { StackResourceDrifts } = await emu.cfn.describeStackResourceDrifts({ StackName: 's' });
  expect(StackResourceDrifts).toHaveLength(1);
});

test('rejects unknown stacks, resources and detections, and unsupported types', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing(), M: { Type: 'AWS::CDK::Metadata' } } });
  await emu.create('bad', { Resources: { A: thing({ Fail: 'create' }) } });
  const { cfn } = emu;
  expect(await failureOf(cfn.detectStackDrift({ StackName: 'none' }))).toBe(
    'ValidationError: Stack [none] does not exist',
  );
  expect(await failureOf(cfn.detectStackDrift({ StackName: 'bad' }))).toContain('in the status ROLLBACK_COMPLETE');
  expect(await failureOf(cfn.detectStackDrift({ StackName: 's', LogicalResourceIds: ['X'] }))).toBe(
    'ValidationError: Resource X does not exist for stack s',
  );
  expect(await failureOf(cfn.detectStackResourceDrift({ StackName: 's', LogicalResourceId: 'M' }))).toBe(
    'ValidationError: Resource type AWS::CDK::Metadata does not support drift detection',
  );
  expect(await failureOf(cfn.describeStackResourceDrifts({ StackName: 'none' }))).toBe(
    'ValidationError: Stack [none] does not exist',
  );
  expect(
    await failureOf(
      cfn.describeStackDriftDetectionStatus({ StackDriftDetectionId: 'b78ac9b0-0000-0000-0000-000000000000' }),
    ),
  ).toContain('does not exist');
});

test('compares lists, documents, defaults and masked values as AWS does', () => {
  const facts = {
    properties: {
      Names: { type: { list: 'string' } },
      Policy: { type: 'json' },
      Delay: { type: 'integer', default: 0 },
      Secret: { type: 'string' },
      Password: { type: 'string' },
      Nested: { type: { ref: 'Nested' } },
    },
    definitions: { Nested: { A: { type: 'string' }, B: { type: 'string' } } },
    writeOnly: ['Password'],
  } as const;
  const found = compared(
    facts,
    {
      Names: ['a', 'b', 'c'],
      Policy: '{"Version":"1"}',
      Delay: 0,
      Secret: '{{resolve:secretsmanager:x}}',
      Password: 'x',
      Nested: { A: '1' },
    },
    { Names: ['c', 'a', 'd', 'e'], Policy: { Version: '1' }, Nested: { A: '1', B: 'default' } },
    new Set(),
  );
  expect(Object.keys(found.expected)).toEqual(['Names', 'Policy', 'Delay', 'Nested']);
  expect(found.differences).toEqual([
    { PropertyPath: '/Names/1', ExpectedValue: 'b', ActualValue: 'null', DifferenceType: 'REMOVE' },
    { PropertyPath: '/Names/2', ExpectedValue: 'null', ActualValue: 'd', DifferenceType: 'ADD' },
    { PropertyPath: '/Names/3', ExpectedValue: 'null', ActualValue: 'e', DifferenceType: 'ADD' },
  ]);
});
