import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, arnOf, failureOf, REGION, type SsmTest, startSsm } from './support.ts';

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm();
});
afterAll(() => t[Symbol.asyncDispose]());

const create = async (Title: string, more: object = {}): Promise<string> =>
  (await t.ssm.createOpsItem({ Title, Description: 'it broke', Source: 'EC2', ...more })).OpsItemId!;

test('creates, reads, changes and deletes an OpsItem', async () => {
  const OpsItemId = await create('disk full', {
    Priority: 2,
    Severity: '1',
    Category: 'Availability',
    OperationalData: { host: { Value: 'web-1', Type: 'SearchableString' }, secret: { Value: 'x', Type: 'String' } },
  });
  expect(OpsItemId).toMatch(/^oi-[0-9a-f]{12}$/);
  const read = async () => (await t.ssm.getOpsItem({ OpsItemId })).OpsItem!;
  expect(await read()).toMatchObject({
    OpsItemArn: `arn:aws:ssm:${REGION}:${ACCOUNT}:opsitem/${OpsItemId}`,
    OpsItemType: '/aws/issue',
    Status: 'Open',
    Version: '1',
    OperationalData: { secret: { Value: 'x' } },
  });
  await t.advance(60_000);
  await t.ssm.updateOpsItem({
    OpsItemId,
    Status: 'InProgress',
    OperationalData: { more: { Value: '1', Type: 'String' } },
    OperationalDataToDelete: ['secret'],
    PlannedStartTime: new Date('2026-05-01T00:00:00Z'),
  });
  const changed = await read();
  expect(changed).toMatchObject({ Status: 'InProgress', Version: '2', Title: 'disk full', Priority: 2 });
  expect(Object.keys(changed.OperationalData!).sort()).toEqual(['host', 'more']);
  expect(changed.PlannedStartTime).toEqual(new Date('2026-05-01T00:00:00Z'));
  expect(changed.LastModifiedTime!.getTime() - changed.CreatedTime!.getTime()).toBe(60_000);
  const Filters = [{ Key: 'OpsItemId' as const, Values: [OpsItemId], Operator: 'Equal' as const }];
  const { Summaries } = await t.ssm.listOpsItemEvents({ Filters });
  expect(Summaries).toMatchObject([
    { OpsItemId, DetailType: 'OpsItem Create', Source: 'aws.ssm' },
    { OpsItemId, DetailType: 'OpsItem Update' },
  ]);
  await t.ssm.deleteOpsItem({ OpsItemId });
  await t.ssm.deleteOpsItem({ OpsItemId });
  expect(await failureOf(t.ssm.getOpsItem({ OpsItemId }))).toMatch(/^OpsItemNotFoundException/);
  expect(await failureOf(t.ssm.listOpsItemEvents({ Filters }))).toMatch(/^OpsItemNotFoundException/);
});

test('rejects invalid OpsItems', async () => {
  expect(await failureOf(create('x', { Source: 'my-aws' }))).toMatch(/^OpsItemInvalidParameterException/);
  expect(await failureOf(create('x', { Severity: '9' }))).toMatch(/^OpsItemInvalidParameterException/);
  expect(await failureOf(create('x', { Category: 'Fun' }))).toMatch(/^OpsItemInvalidParameterException/);
  expect(await failureOf(create('x', { OpsItemType: 'issue' }))).toMatch(/^OpsItemInvalidParameterException/);
  const OperationalData = { '/aws/other': { Value: 'x', Type: 'String' } };
  expect(await failureOf(create('x', { OperationalData }))).toMatch(/^OpsItemInvalidParameterException/);
  expect(await failureOf(create('x', { AccountId: '111111111111' }))).toMatch(/^OpsItemAccessDeniedException/);
  const OpsItemId = await create('valid');
  expect(await failureOf(t.ssm.updateOpsItem({ OpsItemId, Status: 'Approved' }))).toMatch(
    /^OpsItemInvalidParameterException/,
  );
});

test('deduplicates OpsItems until they are resolved', async () => {
  const OperationalData = { '/aws/dedup': { Value: '{"dedupString":"same"}', Type: 'SearchableString' } };
  const OpsItemId = await create('first', { OperationalData });
  await expect(create('second', { OperationalData })).rejects.toMatchObject({
    name: 'OpsItemAlreadyExistsException',
    OpsItemId,
  });
  await create('elsewhere', { OperationalData, Source: 'S3' });
  await t.ssm.updateOpsItem({ OpsItemId, Status: 'Resolved' });
  await create('second', { OperationalData });
});

test('finds OpsItems by filters', async () => {
  const OpsItemId = await create('searched', {
    Source: 'RDS',
    OperationalData: { db: { Value: 'orders', Type: 'SearchableString' }, hidden: { Value: 'no', Type: 'String' } },
  });
  type Filter = { Key: never; Values: string[]; Operator: never };
  const find = async (Key: string, Value: string, Operator = 'Equal') => {
    const OpsItemFilters = [{ Key, Values: [Value], Operator } as Filter];
    const { OpsItemSummaries } = await t.ssm.describeOpsItems({ OpsItemFilters });
    return OpsItemSummaries!.map((item) => item.OpsItemId);
  };
  expect(await find('Source', 'RDS')).toEqual([OpsItemId]);
  expect(await find('Title', 'arch', 'Contains')).toEqual([OpsItemId]);
  expect(await find('OperationalDataKey', 'db')).toEqual([OpsItemId]);
  expect(await find('OperationalDataKey', 'hidden')).toEqual([]);
  expect(await find('OperationalData', '{"key":"db","value":"orders"}')).toEqual([OpsItemId]);
  expect(await find('CreatedTime', '2000-01-01T00:00:00Z', 'LessThan')).toEqual([]);
  expect(await failureOf(find('CreatedTime', 'x', 'Contains'))).toMatch(/^ValidationException/);
  expect(await failureOf(find('ChangeRequestByTemplate', 'x'))).toMatch(/^NotImplemented/);
  const { Entities } = await t.ssm.getOpsSummary({
    Filters: [{ Key: 'AWS:OpsItem.Source', Values: ['RDS'], Type: 'Equal' }],
  });
  expect(Entities).toMatchObject([{ Id: OpsItemId, Data: { 'AWS:OpsItem': { Content: [{ Title: 'searched' }] } } }]);
  const counted = await t.ssm.getOpsSummary({
    Filters: [{ Key: 'AWS:OpsItem.Source', Values: ['RDS'], Type: 'Equal' }],
    Aggregators: [{ AggregatorType: 'count', TypeName: 'AWS:OpsItem', AttributeName: 'Status' }],
  });
  expect(counted.Entities![0]!.Data!['AWS:OpsItem']!.Content).toEqual([{ Status: 'Open', Count: '1' }]);
  expect(await failureOf(t.ssm.getOpsSummary({ SyncName: 'none' }))).toMatch(/^ResourceDataSyncNotFoundException/);
});

test('manages related items of an OpsItem', async () => {
  const OpsItemId = await create('related');
  const ResourceUri = 'arn:aws:ssm:us-east-1:000000000000:document/fix';
  const item = { OpsItemId, AssociationType: 'RelatesTo', ResourceType: 'AWS::SSM::Document', ResourceUri };
  const { AssociationId } = await t.ssm.associateOpsItemRelatedItem(item);
  expect(await failureOf(t.ssm.associateOpsItemRelatedItem(item))).toMatch(/^OpsItemRelatedItemAlreadyExistsException/);
  expect(await failureOf(t.ssm.associateOpsItemRelatedItem({ ...item, AssociationType: 'x' }))).toMatch(
    /^OpsItemInvalidParameterException/,
  );
  const Filters = [{ Key: 'ResourceUri' as const, Values: [ResourceUri], Operator: 'Equal' as const }];
  const { Summaries } = await t.ssm.listOpsItemRelatedItems({ OpsItemId, Filters });
  expect(Summaries).toMatchObject([{ AssociationId, OpsItemId, ResourceUri, AssociationType: 'RelatesTo' }]);
  await t.ssm.disassociateOpsItemRelatedItem({ OpsItemId, AssociationId });
  expect((await t.ssm.listOpsItemRelatedItems({ OpsItemId })).Summaries).toEqual([]);
  expect(await failureOf(t.ssm.disassociateOpsItemRelatedItem({ OpsItemId, AssociationId }))).toMatch(
    /^OpsItemRelatedItemAssociationNotFoundException/,
  );
});

test('manages metadata of applications', async () => {
  const ResourceId = '/aws/ssm/shop';
  const { OpsMetadataArn } = await t.ssm.createOpsMetadata({ ResourceId, Metadata: { owner: { Value: 'me' } } });
  expect(OpsMetadataArn).toBe(`arn:aws:ssm:${REGION}:${ACCOUNT}:opsmetadata/aws/ssm/shop/appmanager`);
  expect(await failureOf(t.ssm.createOpsMetadata({ ResourceId }))).toMatch(/^OpsMetadataAlreadyExistsException/);
  await t.ssm.updateOpsMetadata({
    OpsMetadataArn,
    MetadataToUpdate: { tier: { Value: '1' } },
    KeysToDelete: ['owner'],
  });
  expect(await t.ssm.getOpsMetadata({ OpsMetadataArn })).toMatchObject({
    ResourceId,
    Metadata: { tier: { Value: '1' } },
  });
  const at = { ResourceType: 'OpsMetadata', ResourceId: 'aws/ssm/shop/appmanager' } as const;
  await t.ssm.addTagsToResource({ ...at, Tags: [{ Key: 'a', Value: 'b' }] });
  expect((await t.ssm.listTagsForResource(at)).TagList).toEqual([{ Key: 'a', Value: 'b' }]);
  const list = async (Values: string[]) =>
    (await t.ssm.listOpsMetadata({ Filters: [{ Key: 'ResourceId', Values }] })).OpsMetadataList;
  expect(await list([ResourceId])).toMatchObject([{ OpsMetadataArn }]);
  expect(await list(['other'])).toEqual([]);
  await t.ssm.deleteOpsMetadata({ OpsMetadataArn });
  expect(await failureOf(t.ssm.getOpsMetadata({ OpsMetadataArn }))).toMatch(/^OpsMetadataNotFoundException/);
  expect(await failureOf(t.ssm.createOpsMetadata({ ResourceId: 'a b' }))).toMatch(
    /^OpsMetadataInvalidArgumentException/,
  );
});

test('manages policies of advanced parameters', async () => {
  await t.put('/shared/a', 'x', { Tier: 'Advanced' });
  await t.put('/own', 'x');
  const ResourceArn = arnOf('shared/a');
  const policy = (Action: string) =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: '111111111111' }, Action, Resource: ResourceArn }],
    });
  const first = await t.ssm.putResourcePolicy({ ResourceArn, Policy: policy('ssm:GetParameter') });
  expect(await failureOf(t.ssm.putResourcePolicy({ ResourceArn, Policy: policy('ssm:GetParameters') }))).toMatch(
    /^ResourcePolicyLimitExceededException/,
  );
  const second = await t.ssm.putResourcePolicy({ ResourceArn, ...first, Policy: policy('ssm:GetParameters') });
  expect(second.PolicyId).toBe(first.PolicyId);
  const stale = { ResourceArn, PolicyId: first.PolicyId, PolicyHash: first.PolicyHash };
  expect(await failureOf(t.ssm.deleteResourcePolicy(stale))).toMatch(/^ResourcePolicyConflictException/);
  expect((await t.ssm.getResourcePolicies({ ResourceArn })).Policies).toEqual([
    { PolicyId: first.PolicyId, PolicyHash: second.PolicyHash, Policy: policy('ssm:GetParameters') },
  ]);
  await t.ssm.deleteResourcePolicy({ ...stale, PolicyHash: second.PolicyHash });
  expect((await t.ssm.getResourcePolicies({ ResourceArn })).Policies).toEqual([]);
  expect(await failureOf(t.ssm.deleteResourcePolicy(stale))).toMatch(/^ResourcePolicyNotFoundException/);
  expect(await failureOf(t.ssm.putResourcePolicy({ ResourceArn: arnOf('own'), Policy: '{}' }))).toMatch(
    /^ResourcePolicyInvalidParameterException/,
  );
  expect(await failureOf(t.ssm.putResourcePolicy({ ResourceArn, Policy: 'x' }))).toMatch(
    /^MalformedResourcePolicyDocumentException/,
  );
  expect(await failureOf(t.ssm.getResourcePolicies({ ResourceArn: arnOf('none') }))).toMatch(
    /^ResourceNotFoundException/,
  );
});
