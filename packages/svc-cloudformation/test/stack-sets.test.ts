import { expect, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, type StackTest, startStacks, thing } from './support.ts';

const OTHER = '111111111111';
const WEST = 'us-west-2';

const template = (value: string, more: object = {}) =>
  JSON.stringify({
    Parameters: { Kind: { Type: 'String', Default: 'small' } },
    Resources: { A: thing({ Value: value, Kind: { Ref: 'Kind' }, ...more }) },
  });

/**
 * Waits for the end of a stack set operation.
 * @returns its status with the results of all places
 */
async function ended(emu: StackTest, StackSetName: string, { OperationId }: { OperationId?: string | undefined }) {
  for (let turn = 0; turn < 2000; turn++) {
    const { StackSetOperation } = await emu.cfn.describeStackSetOperation({ StackSetName, OperationId });
    if (!/^(RUNNING|STOPPING|QUEUED)$/.test(StackSetOperation!.Status!)) {
      const { Summaries } = await emu.cfn.listStackSetOperationResults({ StackSetName, OperationId });
      return [StackSetOperation!.Status, ...Summaries!.map((one) => `${one.Account} ${one.Region} ${one.Status}`)];
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the operation does not end');
}

const places = { Accounts: [ACCOUNT, OTHER], Regions: [REGION, WEST] };

test('creates, updates and deletes the stacks of a stack set in each account and region', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  const { StackSetId } = await cfn.createStackSet({
    StackSetName: 'fleet',
    Description: 'a fleet',
    TemplateBody: template('1'),
    Tags: [{ Key: 'team', Value: 'x' }],
  });
  expect(StackSetId).toMatch(/^fleet:[-0-9a-f]{36}$/);
  const made = await cfn.createStackInstances({
    StackSetName: 'fleet',
    ...places,
    OperationPreferences: { RegionOrder: [WEST, REGION] },
  });
  expect(await ended(emu, 'fleet', made)).toEqual([
    'SUCCEEDED',
    `${ACCOUNT} ${REGION} SUCCEEDED`,
    `${ACCOUNT} ${WEST} SUCCEEDED`,
    `${OTHER} ${REGION} SUCCEEDED`,
    `${OTHER} ${WEST} SUCCEEDED`,
  ]);
  expect(emu.things.size).toBe(4);
  const { Summaries } = await cfn.listStackInstances({ StackSetName: 'fleet', StackInstanceAccount: OTHER });
  expect(Summaries).toMatchObject([
    { Region: REGION, Status: 'CURRENT', StackInstanceStatus: { DetailedStatus: 'SUCCEEDED' } },
    { Region: WEST, Status: 'CURRENT', LastOperationId: made.OperationId },
  ]);
  expect(Summaries![1]!.StackId).toMatch(new RegExp(`^arn:aws:cloudformation:${WEST}:${OTHER}:stack/StackSet-fleet-`));
  const { StackSet } = await cfn.describeStackSet({ StackSetName: 'fleet' });
  expect(StackSet).toMatchObject({
    StackSetId,
    Status: 'ACTIVE',
    Description: 'a fleet',
    PermissionModel: 'SELF_MANAGED',
    StackSetARN: `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stackset/${StackSetId}`,
    AdministrationRoleARN: `arn:aws:iam::${ACCOUNT}:role/AWSCloudFormationStackSetAdministrationRole`,
    ExecutionRoleName: 'AWSCloudFormationStackSetExecutionRole',
  });

  const some = await cfn.updateStackInstances({
    StackSetName: 'fleet',
    Accounts: [OTHER],
    Regions: [WEST],
    ParameterOverrides: [{ ParameterKey: 'Kind', ParameterValue: 'large' }],
  });
  expect(await ended(emu, 'fleet', some)).toEqual(['SUCCEEDED', `${OTHER} ${WEST} SUCCEEDED`]);
  const updated = await cfn.updateStackSet({ StackSetName: 'fleet', TemplateBody: template('2') });
  expect((await ended(emu, 'fleet', updated))[0]).toBe('SUCCEEDED');
  const kinds = [...emu.things.values()].map(({ properties }) => [properties.Value, properties.Kind]);
  expect(kinds.sort()).toEqual([...Array.from({ length: 3 }, () => ['2', 'small']), ['2', 'large']].sort());
  const described = await cfn.describeStackInstance({
    StackSetName: 'fleet',
    StackInstanceAccount: OTHER,
    StackInstanceRegion: WEST,
  });
  expect(described.StackInstance!.ParameterOverrides).toEqual([{ ParameterKey: 'Kind', ParameterValue: 'large' }]);
  const operations = await cfn.listStackSetOperations({ StackSetName: 'fleet' });
  expect(operations.Summaries!.map((one) => one.Action)).toEqual(['UPDATE', 'UPDATE', 'CREATE']);

  expect(await failureOf(cfn.deleteStackSet({ StackSetName: 'fleet' }))).toBe(
    'StackSetNotEmptyException: StackSet is not empty',
  );
  const kept = await cfn.deleteStackInstances({
    StackSetName: 'fleet',
    Accounts: [ACCOUNT],
    Regions: [REGION],
    RetainStacks: true,
  });
  await ended(emu, 'fleet', kept);
  expect(emu.things.size).toBe(4);
  await ended(emu, 'fleet', await cfn.deleteStackInstances({ StackSetName: 'fleet', ...places, RetainStacks: false }));
  expect(emu.things.size).toBe(1);
  expect((await cfn.listStackInstances({ StackSetName: 'fleet' })).Summaries).toEqual([]);
  await cfn.deleteStackSet({ StackSetName: 'fleet' });
  expect(await failureOf(cfn.describeStackSetOperation({ StackSetName: 'fleet', OperationId: 'x' }))).toBe(
    'StackSetNotFoundException: StackSet fleet not found',
  );
  expect((await cfn.listStackSets({ Status: 'DELETED' })).Summaries).toMatchObject([{ StackSetId }]);
  expect((await cfn.listStackSets({ Status: 'ACTIVE' })).Summaries).toEqual([]);
});

test('failures beyond the tolerance end an operation; a later one creates the missing stack', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  await cfn.createStackSet({ StackSetName: 's', TemplateBody: template('1', { Fail: 'create' }) });
  const failing = await cfn.createStackInstances({ StackSetName: 's', ...places });
  expect(await ended(emu, 's', failing)).toEqual([
    'FAILED',
    `${ACCOUNT} ${REGION} FAILED`,
    `${ACCOUNT} ${WEST} CANCELLED`,
    `${OTHER} ${REGION} CANCELLED`,
    `${OTHER} ${WEST} CANCELLED`,
  ]);
  const { Summaries } = await cfn.listStackSetOperationResults({
    StackSetName: 's',
    OperationId: failing.OperationId,
    Filters: [{ Name: 'OPERATION_RESULT_STATUS', Values: 'FAILED' }],
  });
  expect(Summaries).toHaveLength(1);
  expect(Summaries![0]!.StatusReason).toContain('ResourceLogicalId:A, ResourceType:Test::Thing::Thing');
  const { Summaries: outdated } = await cfn.listStackInstances({
    StackSetName: 's',
    Filters: [{ Name: 'DETAILED_STATUS', Values: 'CANCELLED' }],
  });
  expect(outdated!.map((one) => one.Status)).toEqual(['OUTDATED', 'OUTDATED', 'OUTDATED']);
  const tolerant = await cfn.createStackInstances({
    StackSetName: 's',
    Accounts: [OTHER],
    Regions: [WEST],
    OperationPreferences: { FailureToleranceCount: 1, RegionConcurrencyType: 'PARALLEL' },
  });
  expect(await ended(emu, 's', tolerant)).toEqual(['SUCCEEDED', `${OTHER} ${WEST} FAILED`]);
});

test('runs one operation at a time or queues them, and stops a running one', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  let release: () => void = () => undefined;
  emu.held.set('A', new Promise((resolve) => (release = resolve)));
  await cfn.createStackSet({ StackSetName: 's', TemplateBody: template('1') });
  const first = await cfn.createStackInstances({ StackSetName: 's', ...places, OperationId: 'first' });
  expect(first.OperationId).toBe('first');
  expect((await cfn.createStackInstances({ StackSetName: 's', ...places, OperationId: 'first' })).OperationId).toBe(
    'first',
  );
  expect(
    await failureOf(
      cfn.createStackInstances({ StackSetName: 's', Accounts: [OTHER], Regions: [WEST], OperationId: 'first' }),
    ),
  ).toContain('OperationIdAlreadyExistsException');
  expect(await failureOf(cfn.createStackInstances({ StackSetName: 's', ...places }))).toMatch(
    /^OperationInProgressException: Another Operation on StackSet arn:aws:cloudformation:.+ is in progress: first$/,
  );
  expect(await failureOf(cfn.deleteStackSet({ StackSetName: 's' }))).toContain('OperationInProgressException');
  await cfn.stopStackSetOperation({ StackSetName: 's', OperationId: 'first' });
  release();
  expect(await ended(emu, 's', first)).toEqual([
    'STOPPED',
    `${ACCOUNT} ${REGION} SUCCEEDED`,
    `${ACCOUNT} ${WEST} CANCELLED`,
    `${OTHER} ${REGION} CANCELLED`,
    `${OTHER} ${WEST} CANCELLED`,
  ]);
  expect(await failureOf(cfn.stopStackSetOperation({ StackSetName: 's', OperationId: 'first' }))).toContain(
    'InvalidOperationException',
  );
  await cfn.createStackSet({ StackSetName: 'm', TemplateBody: template('1'), ManagedExecution: { Active: true } });
  const one = await cfn.createStackInstances({ StackSetName: 'm', ...places });
  const two = await cfn.updateStackSet({ StackSetName: 'm', UsePreviousTemplate: true });
  expect((await ended(emu, 'm', two))[0]).toBe('SUCCEEDED');
  expect((await ended(emu, 'm', one))[0]).toBe('SUCCEEDED');
});

test('drift of a stack set is the drift of its stacks', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  await cfn.createStackSet({ StackSetName: 's', TemplateBody: template('1') });
  await ended(emu, 's', await cfn.createStackInstances({ StackSetName: 's', ...places }));
  const [id, changed] = [...emu.things][0]!;
  emu.things.set(id, { ...changed, properties: { ...changed.properties, Value: 'other' } });
  const detection = await cfn.detectStackSetDrift({ StackSetName: 's' });
  expect((await ended(emu, 's', detection))[0]).toBe('SUCCEEDED');
  const { StackSet } = await cfn.describeStackSet({ StackSetName: 's' });
  expect(StackSet!.StackSetDriftDetectionDetails).toMatchObject({
    DriftStatus: 'DRIFTED',
    DriftDetectionStatus: 'COMPLETED',
    TotalStackInstancesCount: 4,
    DriftedStackInstancesCount: 1,
    InSyncStackInstancesCount: 3,
  });
  const drifted = await cfn.listStackInstances({
    StackSetName: 's',
    Filters: [{ Name: 'DRIFT_STATUS', Values: 'DRIFTED' }],
  });
  expect(drifted.Summaries).toHaveLength(1);
  const [{ Account, Region }] = drifted.Summaries! as [{ Account: string; Region: string }];
  const drifts = await cfn.listStackInstanceResourceDrifts({
    StackSetName: 's',
    StackInstanceAccount: Account,
    StackInstanceRegion: Region,
    OperationId: detection.OperationId,
  });
  expect(drifts.Summaries).toMatchObject([
    { LogicalResourceId: 'A', StackResourceDriftStatus: 'MODIFIED', PropertyDifferences: [{ PropertyPath: '/Value' }] },
  ]);
});

test('imports stacks with the same template into a stack set', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  const same = await emu.create('same', JSON.parse(template('1')), {
    Parameters: [{ ParameterKey: 'Kind', ParameterValue: 'huge' }],
  });
  await cfn.createStackSet({ StackSetName: 's', StackId: same.StackId });
  const { StackSet } = await cfn.describeStackSet({ StackSetName: 's' });
  expect(StackSet!.Parameters).toEqual([{ ParameterKey: 'Kind', ParameterValue: 'huge' }]);
  expect(
    await ended(emu, 's', await cfn.importStacksToStackSet({ StackSetName: 's', StackIds: [same.StackId!] })),
  ).toEqual(['SUCCEEDED', `${ACCOUNT} ${REGION} SUCCEEDED`]);
  await cfn.createStackSet({ StackSetName: 'different', TemplateBody: template('2') });
  await ended(
    emu,
    'different',
    await cfn.importStacksToStackSet({ StackSetName: 'different', StackIds: [same.StackId!] }),
  );
  const { Summaries } = await cfn.listStackInstances({ StackSetName: 'different' });
  expect(Summaries).toMatchObject([
    { Status: 'INOPERABLE', StackInstanceStatus: { DetailedStatus: 'FAILED_IMPORT' }, StackId: same.StackId },
  ]);
  expect(
    await failureOf(
      cfn.importStacksToStackSet({ StackSetName: 's', StackIds: [same.StackId!.replace(/[0-9a-f]{8}$/, '00000000')] }),
    ),
  ).toContain('StackNotFoundException');
});

test("rejects invalid requests with AWS's messages", async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  const TemplateBody = template('1');
  await cfn.createStackSet({ StackSetName: 's', TemplateBody });
  const refusals: [Promise<unknown>, string][] = [
    [cfn.createStackSet({ StackSetName: 's', TemplateBody }), 'NameAlreadyExistsException'],
    [cfn.createStackSet({ StackSetName: '1s', TemplateBody }), 'ValidationError: 1 validation error detected'],
    [
      cfn.createStackSet({ StackSetName: 'x', TemplateBody, PermissionModel: 'SERVICE_MANAGED' }),
      'ValidationError: You must be the master or delegated admin account of an organization before operating a SERVICE_MANAGED stack set',
    ],
    [
      cfn.createStackSet({ StackSetName: 'x', TemplateBody, Parameters: [{ ParameterKey: 'N', ParameterValue: '' }] }),
      'ValidationError: Parameters: [N] do not exist in the template',
    ],
    [
      cfn.createStackInstances({ StackSetName: 'none', ...places }),
      'StackSetNotFoundException: StackSet none not found',
    ],
    [cfn.createStackInstances({ StackSetName: 's', Regions: [WEST] }), 'ValidationError: You must specify'],
    [
      cfn.createStackInstances({
        StackSetName: 's',
        Regions: [WEST],
        DeploymentTargets: { OrganizationalUnitIds: ['ou-abcd-12345678'] },
      }),
      'ValidationError: StackSets with SELF_MANAGED permission model can only have accounts as target',
    ],
    [cfn.updateStackInstances({ StackSetName: 's', ...places }), 'StackInstanceNotFoundException'],
    [
      cfn.describeStackInstance({ StackSetName: 's', StackInstanceAccount: OTHER, StackInstanceRegion: WEST }),
      'StackInstanceNotFoundException',
    ],
    [cfn.describeStackSetOperation({ StackSetName: 's', OperationId: 'x' }), 'OperationNotFoundException'],
    [
      cfn.listStackSets({ CallAs: 'DELEGATED_ADMIN' }),
      'ValidationError: Account used is not a delegated administrator',
    ],
    [cfn.activateOrganizationsAccess({}), 'InvalidOperationException'],
    [cfn.deactivateOrganizationsAccess({}), 'InvalidOperationException'],
  ];
  for (const [request, expected] of refusals) expect(await failureOf(request)).toContain(expected);
  expect((await cfn.describeOrganizationsAccess({})).Status).toBe('DISABLED');
  expect((await cfn.listStackSetAutoDeploymentTargets({ StackSetName: 's' })).Summaries).toEqual([]);
  const summary = await cfn.getTemplateSummary({ StackSetName: 's' });
  expect(summary.ResourceTypes).toEqual(['Test::Thing::Thing']);
});
