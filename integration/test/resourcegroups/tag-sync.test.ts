import { ResourceGroups } from '@aws-sdk/client-resource-groups';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, rejection, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-resourcegroups/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ACCOUNT = '123456789012';
const RoleArn = `arn:aws:iam::${ACCOUNT}:role/tagging`;
const MINUTE = 60_000;
const APPLICATION = [{ Type: 'AWS::ResourceGroups::ApplicationGroup' }];

let emulator: TestEmulator;
let groups: ResourceGroups;
let queues: SQS;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest, sqsManifest],
    settings: { accountId: ACCOUNT, region: 'us-east-1' },
  });
  groups = new ResourceGroups({ ...emulator.clientConfig(), maxAttempts: 1 });
  queues = new SQS(emulator.clientConfig());
});
afterAll(() => emulator.close());

const queue = async (QueueName: string, tags: Record<string, string>) =>
  (await queues.createQueue({ QueueName, tags })).QueueUrl!;
const application = async (Name: string) => (await groups.createGroup({ Name, Configuration: APPLICATION })).Group!;
const members = async (Group: string) =>
  (await groups.listGroupResources({ Group })).ResourceIdentifiers!.map(({ ResourceArn }) =>
    ResourceArn!.split(':').at(-1),
  );
const minute = () => emulator.kernel.clock.advance(MINUTE);

test('a task adds tagged resources, now and later, and removes untagged ones', async () => {
  const { Name, GroupArn } = await application('shop');
  const tagged = { team: 'shop' };
  await queue('orders', tagged);
  await queue('mails', { team: 'mail' });
  const started = await groups.startTagSyncTask({ Group: Name, TagKey: 'team', TagValue: 'shop', RoleArn });
  expect(started).toMatchObject({ GroupArn, GroupName: Name, TagKey: 'team', TagValue: 'shop', RoleArn });
  expect(started.TaskArn).toMatch(/:group\/shop\/[a-z0-9]{26}\/tag-sync-task\/[a-z0-9]{26}$/);
  expect(await members(Name!)).toEqual(['orders']);
  const later = await queue('later', tagged);
  await minute();
  expect(await members(Name!)).toEqual(['later', 'orders']);
  await queues.untagQueue({ QueueUrl: later, TagKeys: ['team'] });
  await minute();
  expect(await members(Name!)).toEqual(['orders']);
  expect(await groups.getTagSyncTask({ TaskArn: started.TaskArn })).toMatchObject({ Status: 'ACTIVE', GroupArn });
  const { GroupingStatuses } = await groups.listGroupingStatuses({ Group: Name! });
  expect(GroupingStatuses!.map(({ Action, Status }) => `${Action} ${Status}`)).toEqual([
    'UNGROUP SUCCESS',
    'GROUP SUCCESS',
  ]);

  await groups.cancelTagSyncTask({ TaskArn: started.TaskArn });
  await queues.tagQueue({ QueueUrl: later, Tags: tagged });
  await minute();
  expect(await members(Name!)).toEqual(['orders']);
  expect((await groups.listTagSyncTasks({ Filters: [{ GroupName: Name }] })).TagSyncTasks).toEqual([]);
  expect(await rejection(groups.getTagSyncTask({ TaskArn: started.TaskArn }))).toMatchObject({
    name: 'NotFoundException',
  });
  expect(await rejection(groups.cancelTagSyncTask({ TaskArn: started.TaskArn }))).toMatchObject({
    name: 'BadRequestException',
  });
});

test('a task accepts a query, skips members of other applications and ends with its group', async () => {
  const first = await application('first');
  const second = await application('second');
  await queue('shared', { stage: 'test' });
  const ResourceQuery = {
    Type: 'TAG_FILTERS_1_0' as const,
    Query: JSON.stringify({
      ResourceTypeFilters: ['AWS::SQS::Queue'],
      TagFilters: [{ Key: 'stage', Values: ['test', 'prod'] }],
    }),
  };
  const tasks = [first, second].map(({ GroupArn }) => ({ Group: GroupArn, RoleArn, ResourceQuery }));
  for (const task of tasks) await groups.startTagSyncTask(task);
  expect([await members(first.Name!), await members(second.Name!)]).toEqual([['shared'], []]);
  const page = await groups.listTagSyncTasks({ MaxResults: 1 });
  expect(page.TagSyncTasks).toMatchObject([{ ResourceQuery, Status: 'ACTIVE' }]);
  expect((await groups.listTagSyncTasks({ NextToken: page.NextToken })).TagSyncTasks).toHaveLength(1);
  await groups.deleteGroup({ Group: first.Name! });
  expect((await groups.listTagSyncTasks({})).TagSyncTasks).toMatchObject([{ GroupName: second.Name }]);
});

test('rejects groups that are not applications, and tags beside a query', async () => {
  await groups.createGroup({ Name: 'plain' });
  const tag = { TagKey: 'a', TagValue: 'b' };
  expect(await rejection(groups.startTagSyncTask({ Group: 'plain', RoleArn, ...tag }))).toMatchObject({
    name: 'BadRequestException',
  });
  expect(await rejection(groups.startTagSyncTask({ Group: 'missing', RoleArn, ...tag }))).toMatchObject({
    name: 'NotFoundException',
  });
  const { Name: Group } = await application('third');
  expect(await rejection(groups.startTagSyncTask({ Group, RoleArn, TagKey: 'a' }))).toMatchObject({
    name: 'BadRequestException',
  });
});
