import type { InventoryItem } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf, type SsmTest, startSsm } from './support.ts';

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm();
  for (const [id, PlatformType, PlatformName] of [
    [LINUX, 'Linux', 'Amazon Linux'],
    [OTHER, 'Linux', 'Ubuntu'],
    [WINDOWS, 'Windows', 'Windows Server 2022'],
  ] as const)
    await put(id, item('AWS:InstanceInformation', [{ InstanceId: id, PlatformType, PlatformName }]));
  await put(
    LINUX,
    item(
      'AWS:Application',
      [
        { Name: 'bash', Version: '5.2' },
        { Name: 'curl', Version: '8.1' },
      ],
      '1.1',
    ),
  );
  await put(OTHER, item('AWS:Application', [{ Name: 'bash', Version: '5.1' }], '1.1'));
});
afterAll(() => t[Symbol.asyncDispose]());

const LINUX = 'i-00000000000000001';
const OTHER = 'i-00000000000000002';
const WINDOWS = 'mi-00000000000000003';
const CaptureTime = '2026-01-02T03:04:05Z';
const item = (TypeName: string, Content: Record<string, string>[], SchemaVersion = '1.0'): InventoryItem => ({
  TypeName,
  SchemaVersion,
  CaptureTime,
  Content,
});
const put = (InstanceId: string, ...Items: InventoryItem[]) => t.ssm.putInventory({ InstanceId, Items });
const idsOf = async (...Filters: { Key: string; Values: string[]; Type?: 'Equal' | 'BeginWith' | 'NotEqual' }[]) =>
  (await t.ssm.getInventory({ Filters })).Entities!.map(({ Id }) => Id);

test('finds nodes by inventory', async () => {
  const platform = 'AWS:InstanceInformation.PlatformType';
  expect(await idsOf({ Key: platform, Values: ['Linux'] })).toEqual([LINUX, OTHER]);
  expect(await idsOf({ Key: 'AWS:Application.Name', Values: ['cu'], Type: 'BeginWith' })).toEqual([LINUX]);
  expect(await idsOf({ Key: platform, Values: ['Linux'], Type: 'NotEqual' })).toEqual([WINDOWS]);
  const { Entities } = await t.ssm.getInventory({ ResultAttributes: [{ TypeName: 'AWS:Application' }] });
  expect(Entities![0]!.Data!['AWS:Application']).toMatchObject({ SchemaVersion: '1.1', CaptureTime });
  expect(Entities![2]).toEqual({ Id: WINDOWS, Data: {} });
  expect(await failureOf(t.ssm.getInventory({ Filters: [{ Key: 'x', Values: ['y'] }] }))).toMatch(/^InvalidFilter/);
  expect(await failureOf(t.ssm.getInventory({ ResultAttributes: [{ TypeName: 'AWS:Nothing' }] }))).toMatch(
    /^InvalidTypeNameException/,
  );
  const first = await t.ssm.getInventory({ MaxResults: 2 });
  expect(first.Entities).toHaveLength(2);
  const { Entities: rest } = await t.ssm.getInventory({ MaxResults: 2, NextToken: first.NextToken });
  expect(rest!.map(({ Id }) => Id)).toEqual([WINDOWS]);
});

test('lists the entries of one type of a node', async () => {
  const at = { InstanceId: LINUX, TypeName: 'AWS:Application' };
  expect(await t.ssm.listInventoryEntries(at)).toMatchObject({ SchemaVersion: '1.1', CaptureTime });
  const Filters = [{ Key: 'Version', Values: ['6'], Type: 'GreaterThan' as const }];
  expect((await t.ssm.listInventoryEntries({ ...at, Filters })).Entries).toEqual([{ Name: 'curl', Version: '8.1' }]);
  expect(await failureOf(t.ssm.listInventoryEntries({ ...at, TypeName: 'Custom:None' }))).toMatch(
    /^InvalidTypeNameException/,
  );
});

test('counts nodes by attributes and groups', async () => {
  const count = async (aggregator: object) =>
    (await t.ssm.getInventory({ Aggregators: [aggregator] })).Entities![0]!.Data as unknown as Record<
      string,
      { Content: unknown }
    >;
  const platforms = await count({ Expression: 'AWS:InstanceInformation.PlatformType' });
  expect(platforms['AWS:InstanceInformation']!.Content).toEqual([
    { PlatformType: 'Linux', Count: '2' },
    { PlatformType: 'Windows', Count: '1' },
  ]);
  const nested = await count({
    Expression: 'AWS:Application.Name',
    Aggregators: [
      { Expression: 'AWS:Application.Version', Aggregators: [{ Expression: 'AWS:InstanceInformation.PlatformType' }] },
    ],
  });
  expect(nested['AWS:Application']!.Content).toEqual([
    { Name: 'bash', Version: '5.2', PlatformType: 'Linux', Count: '1' },
    { Name: 'curl', Version: '8.1', PlatformType: 'Linux', Count: '1' },
    { Name: 'bash', Version: '5.1', PlatformType: 'Linux', Count: '1' },
  ]);
  const Filters = [{ Key: 'TypeName', Values: ['AWS:Application'], Type: 'Exists' as const }];
  const groups = await count({ Groups: [{ Name: 'WithApplications', Filters }] });
  expect(groups.WithApplications!.Content).toEqual([{ notMatchingCount: '1' }, { matchingCount: '2' }]);
  expect(await failureOf(t.ssm.getInventory({ Filters }))).toBe(
    'InvalidFilter: The Exists filter must be used with aggregators.',
  );
  expect(await failureOf(t.ssm.getInventory({ Aggregators: [{ Expression: 'nothing' }] }))).toMatch(
    /^InvalidAggregatorException/,
  );
});

test("lists AWS's schemas and those of custom inventory", async () => {
  await put(LINUX, item('Custom:Rack', [{ Row: 'B' }]));
  const { Schemas } = await t.ssm.getInventorySchema({});
  expect(Schemas!.length).toBeGreaterThan(12);
  expect((await t.ssm.getInventorySchema({ TypeName: 'Custom:Rack' })).Schemas).toEqual([
    { TypeName: 'Custom:Rack', Version: '1.0', Attributes: [{ Name: 'Row', DataType: 'string' }] },
  ]);
  const counted = await t.ssm.getInventorySchema({ TypeName: 'AWS:InstanceInformation', Aggregator: true });
  expect(counted.Schemas![0]!.Attributes!.map(({ Name }) => Name)).toEqual([
    'PlatformName',
    'PlatformType',
    'PlatformVersion',
  ]);
  expect(await failureOf(t.ssm.getInventorySchema({ TypeName: 'AWS:Nothing' }))).toMatch(/^InvalidTypeNameException/);
});

test('validates items and stores all or none', async () => {
  const good = item('Custom:Good', [{ a: 'b' }]);
  const failing = (bad: InventoryItem) => failureOf(put(OTHER, good, bad));
  expect(await failing(item('AWS:Nothing', []))).toMatch(/^InvalidTypeNameException/);
  expect(await failing(item('AWS:Network', [], '2.0'))).toMatch(/^UnsupportedInventorySchemaVersionException/);
  expect(await failing(item('AWS:Network', [{ Colour: 'red' }]))).toMatch(/^InvalidItemContentException/);
  const Context = { ComplianceType: 'Patch' };
  expect(await failing({ ...item('AWS:Network', []), Context })).toMatch(/^UnsupportedInventoryItemContextException/);
  expect(await failing({ ...item('AWS:ComplianceItem', []), Context: { Colour: 'red' } })).toMatch(
    /^InvalidInventoryItemContextException/,
  );
  const { Content: _content, ...hashed } = { ...item('AWS:Network', []), ContentHash: 'abc' };
  expect(await failing(hashed)).toMatch(/^ItemContentMismatchException/);
  expect(
    await failing(item('Custom:Long', [{ text: 'x'.repeat(4000) }, ...Array(60).fill({ text: 'x'.repeat(4000) })])),
  ).toMatch(/^ItemSizeLimitExceededException/);
  expect(await failureOf(t.ssm.listInventoryEntries({ InstanceId: OTHER, TypeName: 'Custom:Good' }))).toMatch(
    /^InvalidTypeNameException/,
  );
});

test('accepts unchanged content by hash', async () => {
  const first = { ...item('AWS:Network', [{ Name: 'eth0' }]), ContentHash: 'hash' };
  await put(OTHER, first);
  const { Content: _content, ...again } = { ...first, CaptureTime: '2026-02-02T03:04:05Z' };
  await put(OTHER, again);
  expect(await t.ssm.listInventoryEntries({ InstanceId: OTHER, TypeName: 'AWS:Network' })).toMatchObject({
    CaptureTime: '2026-02-02T03:04:05Z',
    Entries: [{ Name: 'eth0' }],
  });
});

test('deletes custom inventory with or without its schema', async () => {
  const TypeName = 'Custom:Gone';
  await put(LINUX, item(TypeName, [{ a: '1' }]));
  await put(OTHER, item(TypeName, [{ a: '2' }]));
  const summary = { TotalCount: 2, RemainingCount: 2, SummaryItems: [{ Version: '1.0', Count: 2, RemainingCount: 2 }] };
  const dry = await t.ssm.deleteInventory({ TypeName, DryRun: true });
  expect(dry.DeletionId).toBeUndefined();
  expect(dry.DeletionSummary).toEqual(summary);
  const { DeletionId, DeletionSummary } = await t.ssm.deleteInventory({
    TypeName,
    SchemaDeleteOption: 'DisableSchema',
  });
  expect(DeletionSummary).toEqual(summary);
  const { InventoryDeletions } = await t.ssm.describeInventoryDeletions({ DeletionId });
  expect(InventoryDeletions).toMatchObject([
    { TypeName, LastStatus: 'Complete', DeletionSummary: { TotalCount: 2, RemainingCount: 0 } },
  ]);
  expect((await t.ssm.getInventorySchema({})).Schemas!.map((schema) => schema.TypeName)).not.toContain(TypeName);
  const entries = async () => (await t.ssm.listInventoryEntries({ InstanceId: LINUX, TypeName })).Entries;
  await put(LINUX, item(TypeName, [{ a: 'ignored' }]));
  expect(await entries()).toEqual([]);
  await put(LINUX, item(TypeName, [{ a: 'again' }], '1.1'));
  expect(await entries()).toEqual([{ a: 'again' }]);
  await t.ssm.deleteInventory({ TypeName, SchemaDeleteOption: 'DeleteSchema' });
  expect(await failureOf(entries())).toMatch(/^InvalidTypeNameException/);
  expect(await failureOf(t.ssm.deleteInventory({ TypeName: 'AWS:Application' }))).toMatch(/^InvalidTypeNameException/);
  const DeletionIdUnknown = '00000000-0000-4000-8000-000000000000';
  expect(await failureOf(t.ssm.describeInventoryDeletions({ DeletionId: DeletionIdUnknown }))).toMatch(
    /^InvalidDeletionIdException/,
  );
});
