import { QueryType, ResourceGroups } from '@aws-sdk/client-resource-groups';
import { ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, rejection, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-resourcegroups/manifest';
import { manifest as tagging } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ACCOUNT = '123456789012';
const QUEUE = `arn:aws:sqs:us-east-1:${ACCOUNT}:orders`;
const BUCKET = 'arn:aws:s3:::orders';
const MEMBERS = [
  { ResourceArn: BUCKET, ResourceType: 'AWS::S3::Bucket' },
  { ResourceArn: QUEUE, ResourceType: 'AWS::SQS::Queue' },
];

let emulator: TestEmulator;
let groups: ResourceGroups;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest, s3Manifest, sqsManifest, tagging],
    settings: { accountId: ACCOUNT, region: 'us-east-1' },
  });
  const config = emulator.clientConfig();
  groups = new ResourceGroups(config);
  const s3 = new S3(config);
  await s3.createBucket({ Bucket: 'orders' });
  await s3.putBucketTagging({ Bucket: 'orders', Tagging: { TagSet: [{ Key: 'Stage', Value: 'test' }] } });
  await new SQS(config).createQueue({ QueueName: 'orders', tags: { Stage: 'test', team: 'shop' } });
});
afterAll(() => emulator.close());

const query = (TagFilters: object[], ResourceTypeFilters = ['AWS::AllSupported']) => ({
  Type: QueryType.TAG_FILTERS_1_0,
  Query: JSON.stringify({ ResourceTypeFilters, TagFilters }),
});
const STAGE = [{ Key: 'Stage', Values: ['test'] }];

test('a group contains the resources that match its query', async () => {
  await groups.createGroup({ Name: 'stage', ResourceQuery: query(STAGE), Tags: { Stage: 'test' } });
  const members = async (input: object = {}) =>
    (await groups.listGroupResources({ Group: 'stage', ...input })).ResourceIdentifiers;
  const group = {
    ResourceArn: `arn:aws:resource-groups:us-east-1:${ACCOUNT}:group/stage`,
    ResourceType: 'AWS::ResourceGroups::Group',
  };
  expect(await members()).toEqual([group, ...MEMBERS]);
  const buckets = [{ Name: 'resource-type' as const, Values: ['AWS::S3::Bucket'] }];
  expect(await members({ Filters: buckets })).toEqual(MEMBERS.slice(0, 1));
  const page = await groups.listGroupResources({ Group: 'stage', MaxResults: 1 });
  expect(await members({ MaxResults: 2, NextToken: page.NextToken })).toEqual(MEMBERS);
  const ResourceQuery = query([...STAGE, { Key: 'team' }], ['AWS::SQS::Queue', 'AWS::S3::Bucket']);
  await groups.updateGroupQuery({ Group: 'stage', ResourceQuery });
  expect(await members()).toEqual(MEMBERS.slice(1));
  expect((await groups.getGroupQuery({ Group: 'stage' })).GroupQuery).toEqual({ GroupName: 'stage', ResourceQuery });
  expect((await groups.searchResources({ ResourceQuery })).ResourceIdentifiers).toEqual(MEMBERS.slice(1));
  const none = query(STAGE, ['AWS::SNS::Topic']);
  expect((await groups.searchResources({ ResourceQuery: none })).ResourceIdentifiers).toEqual([]);
  for (const wrong of [query([{ Values: ['x'] }]), query(STAGE, ['queue']), query(STAGE, [])])
    expect((await rejection(groups.searchResources({ ResourceQuery: wrong }))).message).toMatch(/^Query not valid: /);
  expect((await rejection(groups.updateGroupQuery({ Group: 'none', ResourceQuery }))).name).toBe('NotFoundException');
  await groups.deleteGroup({ Group: 'stage' });
  expect((await rejection(groups.listGroupResources({ Group: 'stage' }))).name).toBe('NotFoundException');
});

test('resources belong to an application through its tag', async () => {
  const Configuration = [{ Type: 'AWS::ResourceGroups::ApplicationGroup' }];
  const { Group: app } = await groups.createGroup({ Name: 'app', Configuration });
  const Group = app!.Name!;
  const missing = `arn:aws:sqs:us-east-1:${ACCOUNT}:missing`;
  const grouped = await groups.groupResources({ Group, ResourceArns: [QUEUE, BUCKET, missing] });
  expect(grouped).toMatchObject({
    Succeeded: [QUEUE, BUCKET],
    Failed: [{ ResourceArn: missing, ErrorCode: 'NotFoundException' }],
    Pending: [],
  });
  expect((await groups.listGroupResources({ Group })).ResourceIdentifiers).toEqual(MEMBERS);
  const api = new ResourceGroupsTaggingAPI(emulator.clientConfig());
  expect((await api.getTagValues({ Key: 'awsApplication' })).TagValues).toEqual([app!.GroupArn]);
  await groups.ungroupResources({ Group, ResourceArns: [QUEUE] });
  expect((await groups.listGroupResources({ Group })).ResourceIdentifiers).toEqual(MEMBERS.slice(0, 1));
  const again = await groups.ungroupResources({ Group, ResourceArns: [QUEUE] });
  expect(again.Failed).toHaveLength(1);
  const { GroupingStatuses } = await groups.listGroupingStatuses({
    Group,
    Filters: [{ Name: 'status', Values: ['FAILED'] }],
  });
  expect(GroupingStatuses!.map(({ ResourceArn, Action }) => `${Action} ${ResourceArn}`)).toEqual([
    `GROUP ${missing}`,
    `UNGROUP ${QUEUE}`,
  ]);
  const Filters = [{ Name: 'resource-arn' as const, Values: [BUCKET] }];
  expect((await groups.listGroupingStatuses({ Group, Filters })).GroupingStatuses).toEqual([
    { ResourceArn: BUCKET, Action: 'GROUP', Status: 'SUCCESS', UpdatedAt: expect.any(Date) },
  ]);
  await groups.createGroup({ Name: 'plain' });
  for (const request of [
    groups.groupResources({ Group: 'plain', ResourceArns: [QUEUE] }),
    groups.ungroupResources({ Group: 'plain', ResourceArns: [QUEUE] }),
  ])
    expect((await rejection(request)).name).toBe('BadRequestException');
  expect((await rejection(groups.listGroupingStatuses({ Group: 'none' }))).name).toBe('NotFoundException');
});
