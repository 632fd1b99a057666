import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { keys, makeTable, REGION, startDynamo } from './support.ts';

const OTHER = 'eu-west-1';
const item = (v: string) => ({ id: { S: 'a' }, v: { S: v } });
const Key = { id: { S: 'a' } };

const valueIn = async (db: DynamoDB) => (await db.getItem({ TableName: 'world', Key })).Item?.v?.S;

describe('global tables of version 2019.11.21', () => {
  it('replicate items, indexes and time to live in both directions', async () => {
    await using t = await startDynamo();
    const far = t.client({ region: OTHER });
    await makeTable(t, 'world');
    await t.db.putItem({ TableName: 'world', Item: item('old') });
    const { TableDescription } = await t.db.updateTable({
      TableName: 'world',
      ReplicaUpdates: [{ Create: { RegionName: OTHER } }],
    });
    expect(TableDescription).toMatchObject({ TableStatus: 'UPDATING', GlobalTableVersion: '2019.11.21' });
    expect(await valueIn(far)).toBe('old');
    await far.putItem({ TableName: 'world', Item: item('far') });
    expect(await valueIn(t.db)).toBe('far');
    await t.db.updateItem({
      TableName: 'world',
      Key,
      UpdateExpression: 'SET v = :v',
      ExpressionAttributeValues: { ':v': { S: 'near' } },
    });
    expect(await valueIn(far)).toBe('near');
    const { Table: near } = await t.db.describeTable({ TableName: 'world' });
    const { Table: there } = await far.describeTable({ TableName: 'world' });
    expect(near?.Replicas).toMatchObject([{ RegionName: OTHER, ReplicaStatus: 'ACTIVE' }]);
    expect(there?.Replicas).toMatchObject([{ RegionName: REGION, ReplicaStatus: 'ACTIVE' }]);
    expect(there?.TableArn).toContain(`:${OTHER}:`);
    expect(there?.LatestStreamArn).toContain(`:${OTHER}:`);
    await t.db.updateTable({
      TableName: 'world',
      AttributeDefinitions: keys('v:S').AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [
        { Create: { IndexName: 'by-v', KeySchema: keys('v:S').KeySchema, Projection: { ProjectionType: 'ALL' } } },
      ],
    });
    const found = await far.scan({ TableName: 'world', IndexName: 'by-v' });
    expect(found.Count).toBe(1);
    await t.db.updateTimeToLive({
      TableName: 'world',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
    const { TimeToLiveDescription } = await far.describeTimeToLive({ TableName: 'world' });
    expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
    await far.deleteItem({ TableName: 'world', Key });
    expect(await valueIn(t.db)).toBeUndefined();
  });

  // Source that AWS describes index overrides by replica: https://github.com/go-to-k/cdkd/issues/1434
  it('use the read overrides of a replica and its indexes', async () => {
    await using t = await startDynamo();
    const far = t.client({ region: OTHER });
    await t.db.createTable({
      TableName: 'world',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys('id:S', 'v:S').AttributeDefinitions,
      KeySchema: keys('id:S').KeySchema,
      GlobalSecondaryIndexes: ['by-v', 'other'].map((IndexName) => ({
        IndexName,
        KeySchema: keys('v:S').KeySchema,
        Projection: { ProjectionType: 'ALL' },
        OnDemandThroughput: { MaxReadRequestUnits: 50 },
      })),
    });
    const replica = (action: 'Create' | 'Update', more: object) =>
      t.db.updateTable({ TableName: 'world', ReplicaUpdates: [{ [action]: { RegionName: OTHER, ...more } }] });
    const index = (OnDemandThroughputOverride: object, IndexName = 'by-v') => ({
      GlobalSecondaryIndexes: [{ IndexName, OnDemandThroughputOverride }],
    });
    await replica('Create', {
      OnDemandThroughputOverride: { MaxReadRequestUnits: 77 },
      ...index({ MaxReadRequestUnits: 33 }),
    });
    const limits = async () => {
      const { Table } = await far.describeTable({ TableName: 'world' });
      const indexes = Table?.GlobalSecondaryIndexes?.map((one) => [
        one.IndexName,
        one.OnDemandThroughput?.MaxReadRequestUnits,
      ]);
      return { table: Table?.OnDemandThroughput?.MaxReadRequestUnits, ...Object.fromEntries(indexes!) };
    };
    expect(await limits()).toEqual({ table: 77, 'by-v': 33, other: 50 });
    await replica('Update', index({ MaxReadRequestUnits: 44 }, 'other'));
    expect(await limits()).toEqual({ table: 77, 'by-v': 33, other: 44 });
    // A new index does not affect existing ones.
    await t.db.updateTable({
      TableName: 'world',
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'by-v', OnDemandThroughput: { MaxWriteRequestUnits: 9 } } }],
    });
    expect(await limits()).toEqual({ table: 77, 'by-v': 33, other: 44 });
    expect((await t.db.describeTable({ TableName: 'world' })).Table?.Replicas).toMatchObject([
      {
        OnDemandThroughputOverride: { MaxReadRequestUnits: 77 },
        GlobalSecondaryIndexes: [
          { IndexName: 'by-v', OnDemandThroughputOverride: { MaxReadRequestUnits: 33 } },
          { IndexName: 'other', OnDemandThroughputOverride: { MaxReadRequestUnits: 44 } },
        ],
      },
    ]);
    await expect(replica('Update', index({ MaxReadRequestUnits: 1 }, 'none'))).rejects.toThrow(
      'Requested resource not found: Index: none not found',
    );
    await expect(replica('Update', index({ MaxReadRequestUnits: 0 }))).rejects.toThrow(
      'Requested MaxReadRequestUnits for OnDemandThroughput for index : by-v is outside of valid range',
    );
    await expect(replica('Update', { ProvisionedThroughputOverride: { ReadCapacityUnits: 5 } })).rejects.toThrow(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  });

  it('lose a removed or deleted replica', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'world');
    for (const RegionName of [OTHER, 'ap-south-1'])
      await t.db.updateTable({ TableName: 'world', ReplicaUpdates: [{ Create: { RegionName } }] });
    await t.db.updateTable({ TableName: 'world', ReplicaUpdates: [{ Delete: { RegionName: OTHER } }] });
    expect((await t.client({ region: OTHER }).listTables({})).TableNames).toEqual([]);
    expect((await t.db.describeTable({ TableName: 'world' })).Table?.Replicas).toMatchObject([
      { RegionName: 'ap-south-1' },
    ]);
    await t.client({ region: 'ap-south-1' }).deleteTable({ TableName: 'world' });
    expect((await t.db.describeTable({ TableName: 'world' })).Table?.Replicas).toBeUndefined();
  });

  it('reject auto scaling and describe it by replica', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'world');
    await t.db.updateTable({ TableName: 'world', ReplicaUpdates: [{ Create: { RegionName: OTHER } }] });
    const scaling = (least: number, most: number) => ({
      TableName: 'world',
      ProvisionedWriteCapacityAutoScalingUpdate: { MinimumUnits: least, MaximumUnits: most },
    });
    expect(await t.send('UpdateTableReplicaAutoScaling', scaling(1, 9))).toMatchObject({
      status: 501,
      json: { message: 'emu does not implement auto scaling of dynamodb.' },
    });
    expect(await t.refusal('UpdateTableReplicaAutoScaling', scaling(10, 9))).toBe(
      'One or more parameter values were invalid: MinimumUnits must be less than or equal to MaximumUnits',
    );
    const off = { AutoScalingDisabled: true };
    await t.db.updateTableReplicaAutoScaling({
      TableName: 'world',
      ProvisionedWriteCapacityAutoScalingUpdate: off,
      ReplicaUpdates: [{ RegionName: OTHER, ReplicaProvisionedReadCapacityAutoScalingUpdate: off }],
    });
    const far = t.client({ region: OTHER });
    const { TableAutoScalingDescription } = await far.describeTableReplicaAutoScaling({ TableName: 'world' });
    expect(TableAutoScalingDescription).toMatchObject({
      TableStatus: 'ACTIVE',
      Replicas: [
        { RegionName: REGION, ReplicaProvisionedWriteCapacityAutoScalingSettings: off },
        {
          RegionName: OTHER,
          ReplicaProvisionedWriteCapacityAutoScalingSettings: off,
          ReplicaProvisionedReadCapacityAutoScalingSettings: off,
        },
      ],
    });
  });

  it('reject invalid replicas', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'world');
    const update = (change: object) => t.refusal('UpdateTable', { TableName: 'world', ReplicaUpdates: [change] });
    expect(await update({ Create: { RegionName: REGION } })).toBe(
      'Cannot add, delete, or update the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required.',
    );
    // Terraform's provider ignores this error when it deletes a table whose replica another resource has deleted:
    // https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/dynamodb/table.go
    expect(await update({ Delete: { RegionName: OTHER } })).toBe(
      'Replica specified in the Replica Update or Replica Delete action of the request was not found.',
    );
    await t
      .client({ region: OTHER })
      .createTable({ TableName: 'world', BillingMode: 'PAY_PER_REQUEST', ...keys('id:S') });
    expect(await update({ Create: { RegionName: OTHER } })).toBe(
      'Failed to create a the new replica of table with name: ‘world’ because one or more replicas already existed as tables.',
    );
  });
});

describe('multi-Region strong consistency', () => {
  const STRONG = { TableName: 'world', MultiRegionConsistency: 'STRONG' as const };
  const replicas = (...regions: string[]) => ({
    ReplicaUpdates: regions.map((RegionName) => ({ Create: { RegionName } })),
  });
  const witness = (action: 'Create' | 'Delete', RegionName: string) => ({
    GlobalTableWitnessUpdates: [{ [action]: { RegionName } }],
  });

  it('requires three Regions of one set, optionally with a witness, created and deleted together', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'world');
    const far = t.client({ region: 'us-east-2' });
    const refused = (input: object) => t.refusal('UpdateTable', { ...STRONG, ...input });
    const SET = 'global tables with MultiRegionConsistency set to STRONG';
    expect(await refused({})).toMatch(/^At least one of .*, ReplicaTransitRoleArn, DeletionProtectionEnabled, /);
    expect(await refused({ ReplicaUpdates: [{ Delete: { RegionName: 'us-east-2' } }] })).toBe(
      'Update global table operation failed because one or more replicas were not part of the global table. Please retry the request without these replicas: [us-east-2].',
    );
    expect(await refused(replicas('us-east-2'))).toBe(`Unsupported replica count for ${SET}.`);
    expect(await refused(replicas('us-east-2', 'eu-west-1'))).toBe(
      `Unsupported Region(s) specified for ${SET}: [eu-west-1].`,
    );
    expect(await refused({ ...replicas('us-east-2'), ...witness('Create', 'us-east-2') })).toBe(
      'Cannot target multiple regions with the same action',
    );
    await t.db.putItem({ TableName: 'world', Item: item('x') });
    expect(await refused(replicas('us-east-2', 'us-west-2'))).toContain('must be empty');
    await t.db.deleteItem({ TableName: 'world', Key });
    const unsaid = { MultiRegionConsistency: undefined, ...witness('Create', 'us-west-2') };
    expect(await refused({ ...unsaid, ...replicas('us-east-2') })).toBe(
      'MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.',
    );
    await t.db.updateTable({ ...STRONG, ...replicas('us-east-2'), ...witness('Create', 'us-west-2') });
    for (const db of [t.db, far])
      expect((await db.describeTable({ TableName: 'world' })).Table).toMatchObject({
        MultiRegionConsistency: 'STRONG',
        GlobalTableWitnesses: [{ RegionName: 'us-west-2', WitnessStatus: 'ACTIVE' }],
      });
    await t.db.putItem({ TableName: 'world', Item: item('near') });
    expect((await far.getItem({ TableName: 'world', Key, ConsistentRead: true })).Item?.v?.S).toBe('near');

    const later = (input: object) => t.refusal('UpdateTable', { TableName: 'world', ...input });
    const leave = { ReplicaUpdates: [{ Delete: { RegionName: 'us-east-2' } }] };
    expect(await later(replicas('us-west-2'))).toBe(
      'Cannot add replicas to a global table with strong MultiRegionConsistency',
    );
    expect(await later({ ...replicas('us-west-2'), MultiRegionConsistency: 'EVENTUAL' })).toBe(
      'MultiRegionConsistency parameter is unsupported on existing global table',
    );
    expect(await later(leave)).toBe('Update table delete operation does not include all witnesses.');
    expect(await later({ ...leave, ...witness('Delete', 'eu-west-1') })).toContain(
      'Please retry the request without these witnesses: [eu-west-1].',
    );
    expect(await t.refusal('DeleteTable', { TableName: 'world' })).toBe(
      `Deletion of only one table replica is not supported for ${SET}.`,
    );
    expect(
      await t.refusal('UpdateTimeToLive', {
        TableName: 'world',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
      }),
    ).toContain('Time to Live is not supported');
    for (const [operation, TransactItems] of [
      ['TransactWriteItems', [{ Put: { TableName: 'world', Item: item('x') } }]],
      ['TransactGetItems', [{ Get: { TableName: 'world', Key } }]],
    ] as const)
      expect(await t.refusal(operation, { TransactItems })).toContain('Transactions are not supported');
    await t.db.updateTable({
      TableName: 'world',
      ReplicaUpdates: [{ Delete: { RegionName: 'us-east-2' } }],
      ...witness('Delete', 'us-west-2'),
    });
    const { Table } = await t.db.describeTable({ TableName: 'world' });
    expect(Table!.MultiRegionConsistency).toBeUndefined();
    expect(Table!.Replicas).toBeUndefined();
    expect((await far.listTables({})).TableNames).toEqual([]);
  });

  it('stores the settings replication mode', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'world');
    const mode = async () =>
      (await t.db.describeTable({ TableName: 'world' })).Table!.GlobalTableSettingsReplicationMode;
    expect(await mode()).toBeUndefined();
    await t.db.updateTable({ TableName: 'world', ReplicaUpdates: [{ Create: { RegionName: OTHER } }] });
    expect(await mode()).toBe('ENABLED_WITH_OVERRIDES');
    await t.db.updateTable({ TableName: 'world', GlobalTableSettingsReplicationMode: 'DISABLED' });
    expect(await mode()).toBe('DISABLED');
  });
});

describe('global tables of version 2017.11.29', () => {
  it('join empty tables of one name and replicate later writes', async () => {
    await using t = await startDynamo();
    const far = t.client({ region: OTHER });
    const shape = {
      TableName: 'world',
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      ...keys('id:S'),
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
    };
    await t.db.createTable(shape);
    const input = { GlobalTableName: 'world', ReplicationGroup: [{ RegionName: REGION }, { RegionName: OTHER }] };
    expect(await t.refusal('CreateGlobalTable', input)).toContain('TableNotFoundException: ');
    expect(await t.refusal('DescribeGlobalTable', { GlobalTableName: 'world' })).toContain(
      'GlobalTableNotFoundException',
    );
    await far.createTable(shape);
    const { GlobalTableDescription: made } = await t.db.createGlobalTable(input);
    expect(made).toMatchObject({
      GlobalTableArn: `arn:aws:dynamodb::000000000000:global-table/world`,
      GlobalTableStatus: 'CREATING',
      ReplicationGroup: [{ RegionName: REGION }, { RegionName: OTHER }],
    });
    await t.db.putItem({ TableName: 'world', Item: item('x') });
    expect(await valueIn(far)).toBe('x');
    expect((await far.listGlobalTables({})).GlobalTables).toEqual([
      { GlobalTableName: 'world', ReplicationGroup: [{ RegionName: REGION }, { RegionName: OTHER }] },
    ]);
    const { ReplicaSettings } = await t.db.updateGlobalTableSettings({
      GlobalTableName: 'world',
      GlobalTableProvisionedWriteCapacityUnits: 7,
      ReplicaSettingsUpdate: [{ RegionName: OTHER, ReplicaProvisionedReadCapacityUnits: 9 }],
    });
    expect(
      ReplicaSettings?.map((replica) => [
        replica.ReplicaProvisionedReadCapacityUnits,
        replica.ReplicaProvisionedWriteCapacityUnits,
      ]),
    ).toEqual([
      [1, 7],
      [9, 7],
    ]);
    expect((await far.describeTable({ TableName: 'world' })).Table?.ProvisionedThroughput).toMatchObject({
      ReadCapacityUnits: 9,
      WriteCapacityUnits: 7,
    });
    const scaling = { AutoScalingDisabled: true };
    const { ReplicaSettings: scaled } = await t.db.updateGlobalTableSettings({
      GlobalTableName: 'world',
      GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate: scaling,
      ReplicaSettingsUpdate: [{ RegionName: OTHER, ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate: scaling }],
    });
    expect(scaled).toMatchObject([
      { RegionName: REGION, ReplicaProvisionedWriteCapacityAutoScalingSettings: scaling },
      {
        RegionName: OTHER,
        ReplicaProvisionedWriteCapacityAutoScalingSettings: scaling,
        ReplicaProvisionedReadCapacityAutoScalingSettings: scaling,
      },
    ]);
    expect(
      await t.refusal('UpdateGlobalTableSettings', {
        GlobalTableName: 'world',
        GlobalTableProvisionedWriteCapacityUnits: 99,
        GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate: { MinimumUnits: 9, MaximumUnits: 1 },
      }),
    ).toContain('MinimumUnits must be less than or equal to MaximumUnits');
    expect((await t.db.describeGlobalTableSettings({ GlobalTableName: 'world' })).ReplicaSettings).toEqual(scaled);
    await t.db.updateGlobalTable({
      GlobalTableName: 'world',
      ReplicaUpdates: [{ Delete: { RegionName: OTHER } }],
    });
    await t.db.putItem({ TableName: 'world', Item: item('y') });
    expect(await valueIn(far)).toBe('x');
    expect(await t.refusal('CreateGlobalTable', input)).toBe(
      "GlobalTableAlreadyExistsException: Global table with name: 'world' already exists.",
    );
  });
});
