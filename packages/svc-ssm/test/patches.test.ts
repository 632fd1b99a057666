import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SsmTest, startSsm } from './support.ts';

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm();
});
afterAll(() => t[Symbol.asyncDispose]());

const rule = (more: object = {}) => ({
  PatchRules: [
    { PatchFilterGroup: { PatchFilters: [{ Key: 'PRODUCT' as const, Values: ['*'] }] }, ApproveAfterDays: 3, ...more },
  ],
});
const make = async (Name: string, more: object = {}): Promise<string> =>
  (await t.ssm.createPatchBaseline({ Name, OperatingSystem: 'AMAZON_LINUX_2023', ApprovalRules: rule(), ...more }))
    .BaselineId!;

test('creates, reads and changes a baseline', async () => {
  const BaselineId = await make('mine', { Description: 'first', ApprovedPatches: ['kernel'] });
  expect(BaselineId).toMatch(/^pb-[0-9a-f]{17}$/);
  const told = await t.ssm.getPatchBaseline({ BaselineId });
  expect(told).toMatchObject({
    Name: 'mine',
    OperatingSystem: 'AMAZON_LINUX_2023',
    GlobalFilters: { PatchFilters: [] },
    ApprovedPatches: ['kernel'],
    ApprovedPatchesComplianceLevel: 'UNSPECIFIED',
    ApprovedPatchesEnableNonSecurity: false,
    RejectedPatchesAction: 'ALLOW_AS_DEPENDENCY',
    PatchGroups: [],
    Description: 'first',
  });
  expect(told.ApprovalRules!.PatchRules).toMatchObject([{ ApproveAfterDays: 3, ComplianceLevel: 'UNSPECIFIED' }]);
  await t.ssm.updatePatchBaseline({ BaselineId, RejectedPatches: ['bad'] });
  expect(await t.ssm.getPatchBaseline({ BaselineId })).toMatchObject({
    RejectedPatches: ['bad'],
    ApprovedPatches: ['kernel'],
    Description: 'first',
  });
  const replaced = await t.ssm.updatePatchBaseline({ BaselineId, Name: 'other', Replace: true });
  expect(replaced).toMatchObject({ Name: 'other', ApprovedPatches: [], RejectedPatches: [] });
  expect(replaced.Description).toBeUndefined();
  expect(await failureOf(t.ssm.updatePatchBaseline({ BaselineId, Replace: true }))).toMatch(/^ValidationException/);
});

test('validates rules by operating system', async () => {
  expect(await failureOf(make('xyz', { ApprovalRules: rule({ ApproveAfterDays: undefined }) }))).toBe(
    'ValidationException: An approval rule needs ApproveAfterDays or ApproveUntilDate.',
  );
  expect(await failureOf(make('xyz', { ApprovalRules: rule({ ApproveUntilDate: '2026-01-01' }) }))).toMatch(
    /^ValidationException: An approval rule has either/,
  );
  const GlobalFilters = { PatchFilters: [{ Key: 'MSRC_SEVERITY', Values: ['Critical'] }] };
  expect(await failureOf(make('xyz', { GlobalFilters }))).toMatch(/MSRC_SEVERITY is not valid for AMAZON_LINUX_2023/);
  expect(await failureOf(make('xyz', { AvailableSecurityUpdatesComplianceStatus: 'COMPLIANT' }))).toMatch(
    /WINDOWS only/,
  );
});

test('creates one baseline per client token', async () => {
  const first = await make('token', { ClientToken: 'abc' });
  expect(await make('token', { ClientToken: 'abc' })).toBe(first);
  expect(await failureOf(make('other', { ClientToken: 'abc' }))).toMatch(/^IdempotentParameterMismatch/);
});

test("lists AWS's baselines as defaults", async () => {
  const { BaselineIdentities } = await t.ssm.describePatchBaselines({ Filters: [{ Key: 'OWNER', Values: ['AWS'] }] });
  expect(BaselineIdentities).toHaveLength(17);
  const amazon = BaselineIdentities!.find(({ OperatingSystem }) => OperatingSystem === 'AMAZON_LINUX_2')!;
  expect(amazon).toMatchObject({
    BaselineName: 'AWS-AmazonLinux2DefaultPatchBaseline',
    BaselineDescription: 'Default Patch Baseline for Amazon Linux 2 Provided by AWS.',
    DefaultBaseline: true,
  });
  expect(amazon.BaselineId).toMatch(new RegExp(`^arn:aws:ssm:${REGION}:\\d{12}:patchbaseline/pb-`));
  expect(await t.ssm.getDefaultPatchBaseline({ OperatingSystem: 'AMAZON_LINUX_2' })).toMatchObject({
    BaselineId: amazon.BaselineId,
  });
  const { ApprovalRules } = await t.ssm.getPatchBaseline({ BaselineId: amazon.BaselineId });
  expect(ApprovalRules!.PatchRules).toMatchObject([{ ApproveAfterDays: 7 }, { ApproveAfterDays: 7 }]);
  expect(await failureOf(t.ssm.deletePatchBaseline({ BaselineId: amazon.BaselineId }))).toMatch(/^ValidationException/);
  const windows = await t.ssm.describePatchBaselines({
    Filters: [
      { Key: 'NAME_PREFIX', Values: ['AWS-Windows'] },
      { Key: 'OPERATING_SYSTEM', Values: ['WINDOWS'] },
    ],
  });
  expect(windows.BaselineIdentities!.map(({ DefaultBaseline }) => DefaultBaseline)).toEqual([false, false]);
  expect(await failureOf(t.ssm.describePatchBaselines({ Filters: [{ Key: 'X', Values: ['y'] }] }))).toMatch(
    /^ValidationException: The filter key X is not valid/,
  );
});

test('sets another default baseline and protects it from deletion', async () => {
  const OperatingSystem = 'ROCKY_LINUX';
  const BaselineId = await make('rocky', { OperatingSystem });
  const { BaselineId: aws } = await t.ssm.getDefaultPatchBaseline({ OperatingSystem });
  await t.ssm.registerDefaultPatchBaseline({ BaselineId });
  expect((await t.ssm.getDefaultPatchBaseline({ OperatingSystem })).BaselineId).toBe(BaselineId);
  expect(await failureOf(t.ssm.deletePatchBaseline({ BaselineId }))).toMatch(/^ResourceInUseException/);
  await t.ssm.registerDefaultPatchBaseline({ BaselineId: aws });
  expect((await t.ssm.getDefaultPatchBaseline({ OperatingSystem })).BaselineId).toBe(aws);
  await t.ssm.deletePatchBaseline({ BaselineId });
  expect(await failureOf(t.ssm.getPatchBaseline({ BaselineId }))).toBe(
    'DoesNotExistException: Patch Baseline to be retrieved does not exist.',
  );
  expect(await t.ssm.deletePatchBaseline({ BaselineId })).toMatchObject({ BaselineId });
  expect(await failureOf(t.ssm.getPatchBaseline({ BaselineId: 'no-such-baseline-at-all' }))).toMatch(
    /^InvalidResourceId/,
  );
});

test('registers one baseline per operating system for a patch group', async () => {
  const OperatingSystem = 'AMAZON_LINUX_2023';
  const BaselineId = await make('grouped');
  const PatchGroup = 'Production';
  await t.ssm.registerPatchBaselineForPatchGroup({ BaselineId, PatchGroup });
  expect(await failureOf(t.ssm.registerPatchBaselineForPatchGroup({ BaselineId: await make('two'), PatchGroup }))).toBe(
    'AlreadyExistsException: Patch Group baseline already has a baseline registered for OperatingSystem AMAZON_LINUX_2023.',
  );
  expect(await t.ssm.getPatchBaselineForPatchGroup({ PatchGroup, OperatingSystem })).toMatchObject({ BaselineId });
  const { BaselineId: windows } = await t.ssm.getDefaultPatchBaseline({});
  expect(await t.ssm.getPatchBaselineForPatchGroup({ PatchGroup })).toMatchObject({ BaselineId: windows });
  expect((await t.ssm.getPatchBaseline({ BaselineId })).PatchGroups).toEqual([PatchGroup]);
  const { Mappings } = await t.ssm.describePatchGroups({ Filters: [{ Key: 'NAME_PREFIX', Values: ['Prod'] }] });
  expect(Mappings).toMatchObject([{ PatchGroup, BaselineIdentity: { BaselineId, BaselineName: 'grouped' } }]);
  expect(await failureOf(t.ssm.deletePatchBaseline({ BaselineId }))).toMatch(/^ResourceInUseException/);
  await t.ssm.deregisterPatchBaselineForPatchGroup({ BaselineId, PatchGroup });
  expect(await failureOf(t.ssm.deregisterPatchBaselineForPatchGroup({ BaselineId, PatchGroup }))).toMatch(
    /^DoesNotExistException/,
  );
  expect((await t.ssm.describePatchGroups({})).Mappings).toEqual([]);
});

test('lists properties of patches by operating system', async () => {
  const { Properties } = await t.ssm.describePatchProperties({ OperatingSystem: 'SUSE', Property: 'SEVERITY' });
  expect(Properties).toContainEqual({ Name: 'Moderate' });
  const office = { OperatingSystem: 'WINDOWS', Property: 'PRODUCT_FAMILY', PatchSet: 'APPLICATION' } as const;
  expect((await t.ssm.describePatchProperties(office)).Properties).toContainEqual({ Name: 'Office' });
  expect(await failureOf(t.ssm.describePatchProperties({ OperatingSystem: 'SUSE', Property: 'PRIORITY' }))).toMatch(
    /^ValidationException: The property PRIORITY is not valid for SUSE/,
  );
});

test('tags a baseline', async () => {
  const ResourceId = await make('tagged', { Tags: [{ Key: 'team', Value: 'ops' }] });
  const at = { ResourceType: 'PatchBaseline', ResourceId } as const;
  await t.ssm.addTagsToResource({ ...at, Tags: [{ Key: 'stage', Value: 'test' }] });
  await t.ssm.removeTagsFromResource({ ...at, TagKeys: ['team'] });
  expect((await t.ssm.listTagsForResource(at)).TagList).toEqual([{ Key: 'stage', Value: 'test' }]);
  expect(await failureOf(t.ssm.listTagsForResource({ ...at, ResourceId: `pb-${'0'.repeat(17)}` }))).toMatch(
    /^InvalidResourceId/,
  );
});

test('derives the patch state of a node from its report', async () => {
  const InstanceId = 'i-0123456789abcdef0';
  const CaptureTime = '2026-01-02T03:04:05Z';
  const BaselineId = `arn:aws:ssm:${REGION}:${ACCOUNT}:patchbaseline/pb-0123456789abcdef0`;
  await t.ssm.putInventory({
    InstanceId,
    Items: [
      {
        TypeName: 'AWS:PatchSummary',
        SchemaVersion: '1.0',
        CaptureTime,
        Content: [
          {
            PatchGroup: 'web',
            BaselineId,
            InstalledCount: '12',
            MissingCount: '2',
            FailedCount: '0',
            SecurityNonCompliantCount: '1',
            OperationType: 'Scan',
            OperationStartTime: '2026-01-02T03:00:00Z',
            OperationEndTime: CaptureTime,
          },
        ],
      },
      {
        TypeName: 'AWS:ComplianceItem',
        SchemaVersion: '1.0',
        CaptureTime,
        Context: { ComplianceType: 'Patch', ExecutionType: 'Command', ExecutionTime: CaptureTime },
        Content: [
          {
            Id: 'kernel.x86_64',
            Title: 'kernel',
            Severity: 'CRITICAL',
            Status: 'NON_COMPLIANT',
            PatchState: 'Missing',
            Classification: 'Security',
            PatchSeverity: 'Important',
          },
          { Id: 'bash', Title: 'bash', Severity: 'LOW', Status: 'COMPLIANT', PatchState: 'InstalledOther' },
        ],
      },
    ],
  });
  const state = { InstanceId, PatchGroup: 'web', InstalledCount: 12, MissingCount: 2, Operation: 'Scan' };
  expect((await t.ssm.describeInstancePatchStates({ InstanceIds: [InstanceId] })).InstancePatchStates).toMatchObject([
    state,
  ]);
  const inGroup = (Value: string) =>
    t.ssm.describeInstancePatchStatesForPatchGroup({
      PatchGroup: 'web',
      Filters: [{ Key: 'MissingCount', Values: [Value], Type: 'GreaterThan' }],
    });
  expect((await inGroup('1')).InstancePatchStates).toMatchObject([state]);
  expect((await inGroup('2')).InstancePatchStates).toEqual([]);
  expect(await failureOf(inGroup('x'))).toMatch(/^InvalidFilter/);
  expect(await t.ssm.describePatchGroupState({ PatchGroup: 'web' })).toMatchObject({
    Instances: 1,
    InstancesWithInstalledPatches: 1,
    InstancesWithMissingPatches: 1,
    InstancesWithFailedPatches: 0,
    InstancesWithSecurityNonCompliantPatches: 1,
  });
  const { Patches } = await t.ssm.describeInstancePatches({
    InstanceId,
    Filters: [{ Key: 'State', Values: ['Missing'] }],
  });
  expect(Patches).toMatchObject([{ KBId: 'kernel.x86_64', State: 'MISSING', Severity: 'Important' }]);
  expect((await t.ssm.describeInstancePatches({ InstanceId })).Patches).toHaveLength(2);
});

test('filters available patches by the properties of their operating system', async () => {
  const available = async (...Filters: { Key: string; Values: string[] }[]) =>
    (await t.ssm.describeAvailablePatches({ Filters })).Patches!;
  const critical = await available(
    { Key: 'PRODUCT', Values: ['WindowsServer2022'] },
    { Key: 'MSRC_SEVERITY', Values: ['Critical'] },
  );
  expect(critical.map(({ Classification }) => Classification)).toEqual(['CriticalUpdates', 'SecurityUpdates']);
  expect(critical[0]).toMatchObject({ Vendor: 'Microsoft', ProductFamily: 'Windows', Product: 'WindowsServer2022' });
  expect(critical[0]!.Title).toMatch(/^Emulated patch/);
  expect(await available({ Key: 'PATCH_ID', Values: [critical[0]!.KbNumber!] })).toEqual([critical[0]]);
  const families = async (...filters: { Key: string; Values: string[] }[]) =>
    new Set((await available(...filters)).map(({ ProductFamily }) => ProductFamily));
  expect(await families()).toEqual(new Set(['Windows']));
  expect(await families({ Key: 'PATCH_SET', Values: ['APPLICATION'] })).toEqual(new Set(['Office', 'SQLServer']));
  const product = { Key: 'PRODUCT', Values: ['AmazonLinux2.0'] };
  const [openssl] = await available(product, { Key: 'EPOCH', Values: ['1'] });
  expect(openssl).toMatchObject({ Name: 'openssl', Severity: 'Critical', Release: '1.amzn2', Repository: 'Core' });
  expect(await available(product, { Key: 'CVE_ID', Values: openssl!.CVEIds! })).toEqual([openssl]);
  expect(await failureOf(available({ Key: 'CVE_ID', Values: openssl!.CVEIds! }))).toBe(
    'ValidationException: The filter CVE_ID needs a filter PRODUCT with a product of Linux.',
  );
  expect(await failureOf(available({ Key: 'OTHER', Values: ['x'] }))).toMatch(/^ValidationException: The filter key/);
});

test("lists the patches that a baseline's rules approve over time", async () => {
  const filters = (Classification: string) => ({
    PatchFilters: [
      { Key: 'PRODUCT' as const, Values: ['WindowsServer2022'] },
      { Key: 'CLASSIFICATION' as const, Values: [Classification] },
    ],
  });
  const { Patches } = await t.ssm.describeAvailablePatches({
    Filters: [{ Key: 'PRODUCT', Values: ['WindowsServer2022'] }],
  });
  const numberOf = (classification: string) =>
    Patches!.find(({ Classification }) => Classification === classification)!.KbNumber!;
  const [rejected, approved] = [numberOf('CriticalUpdates'), numberOf('UpdateRollups')];
  const BaselineId = await make('windows', {
    OperatingSystem: 'WINDOWS',
    ApprovalRules: {
      PatchRules: [
        { PatchFilterGroup: filters('CriticalUpdates'), ApproveAfterDays: 0 },
        { PatchFilterGroup: filters('SecurityUpdates'), ApproveAfterDays: 7, ComplianceLevel: 'HIGH' },
        { PatchFilterGroup: filters('Updates'), ApproveUntilDate: '2025-06-23' },
        { PatchFilterGroup: filters('DefinitionUpdates'), ApproveUntilDate: '2025-08-12' },
      ],
    },
    ApprovedPatches: [approved],
    ApprovedPatchesComplianceLevel: 'LOW',
    RejectedPatches: [rejected],
  });
  const effective = async () =>
    (await t.ssm.describeEffectivePatchesForPatchBaseline({ BaselineId })).EffectivePatches!.map(
      ({ Patch, PatchStatus }) => [
        Patch!.Classification,
        PatchStatus!.DeploymentStatus,
        PatchStatus!.ComplianceLevel,
        PatchStatus!.ApprovalDate?.toISOString().slice(0, 10),
      ],
    );
  const { clock } = t.emulator.kernel;
  const usual = clock.state();
  onTestFinished(() => clock.restore(usual));
  clock.restore({ ...usual, now: Date.parse('2026-10-19T23:59:00Z'), frozen: true });
  const before = [
    ['CriticalUpdates', 'EXPLICIT_REJECTED', 'UNSPECIFIED', undefined],
    ['SecurityUpdates', 'APPROVED', 'HIGH', '2025-03-18'],
    ['SecurityUpdates', 'APPROVED', 'HIGH', '2025-05-20'],
    ['UpdateRollups', 'EXPLICIT_APPROVED', 'LOW', undefined],
    ['DefinitionUpdates', 'APPROVED', 'UNSPECIFIED', '2025-08-12'],
  ];
  expect(await effective()).toEqual([...before, ['SecurityUpdates', 'PENDING_APPROVAL', 'HIGH', '2026-10-20']]);
  await clock.advance(60_000);
  expect(await effective()).toEqual([...before, ['SecurityUpdates', 'APPROVED', 'HIGH', '2026-10-20']]);
  const linux = await make('linux');
  expect(await failureOf(t.ssm.describeEffectivePatchesForPatchBaseline({ BaselineId: linux }))).toBe(
    'UnsupportedOperatingSystem: The operating system AMAZON_LINUX_2023 is not supported.',
  );
});
