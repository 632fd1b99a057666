import * as sdk from '@aws-sdk/client-resource-groups';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-resourcegroups/model/resourcegroups.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const ARN = 'arn:aws:resource-groups:us-east-1:123456789012:group';
const of = () => ({ Group: 'known' });
const byName = () => ({ GroupName: 'known' });
const query = (Values: string[], ResourceTypeFilters = ['AWS::AllSupported']) => ({
  Type: 'TAG_FILTERS_1_0',
  Query: JSON.stringify({ ResourceTypeFilters, TagFilters: [{ Key: 'team', Values }] }),
});
const GENERIC = [
  {
    Type: 'AWS::ResourceGroups::Generic',
    Parameters: [{ Name: 'deletion-protection', Values: ['UNLESS_EMPTY'] }],
  },
];
const ALLOWED = [
  {
    Type: 'AWS::ResourceGroups::Generic',
    Parameters: [{ Name: 'allowed-resource-types', Values: ['AWS::EC2::Host'] }],
  },
];
const ROLE = 'arn:aws:iam::123456789012:role/tagging';
const APPLICATION = [{ Type: 'AWS::ResourceGroups::ApplicationGroup' }];

/** Creates a group with a query and a tag, one with a configuration, an application, and a member of both. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateGroup', { Name: 'known', Description: 'one', ResourceQuery: query(['a']), Tags: { team: 'a' } });
  await send('CreateGroup', { Name: 'configured', Configuration: GENERIC });
  await send('CreateGroup', { Name: 'member', Tags: { team: 'a' } });
  const { Group } = await send('CreateGroup', {
    Name: 'app',
    Configuration: APPLICATION,
    Owner: 'me',
    DisplayName: 'App',
    Criticality: 1,
  });
  const { Name: app } = Group as { Name: string };
  await send('GroupResources', { Group: app, ResourceArns: [`${ARN}/member`, `${ARN}/none`] });
  const task = await send('StartTagSyncTask', { Group: app, TagKey: 'team', TagValue: 'b', RoleArn: ROLE });
  const other = await send('StartTagSyncTask', { Group: app, TagKey: 'team', TagValue: 'c', RoleArn: ROLE });
  return { app, task: task.TaskArn as string, other: other.TaskArn as string };
}

/** Returns every group with its query, configuration and tags. */
async function observe(send: Send, { app }: Facts): Promise<unknown> {
  const { Groups } = await send('ListGroups', {});
  const groups = (Groups as { Name: string; GroupArn: string }[]).map(async (group) => {
    const { Tags } = await send('GetTags', { Arn: group.GroupArn });
    const { GroupConfiguration } = await send('GetGroupConfiguration', { Group: group.Name });
    const { GroupQuery } = await send('GetGroupQuery', { Group: group.Name }).catch(() => ({ GroupQuery: undefined }));
    return { group, Tags, GroupConfiguration, GroupQuery };
  });
  const statuses = await send('ListGroupingStatuses', { Group: app }).catch(() => ({ GroupingStatuses: undefined }));
  const { TagSyncTasks } = await send('ListTagSyncTasks', {});
  return { groups: await Promise.all(groups), statuses: statuses.GroupingStatuses, tasks: TagSyncTasks };
}

const inApp =
  (name: string) =>
  ({ app }: Facts) => ({ Group: app, ResourceArns: [`${ARN}/${name}`] });

/** AWS Resource Groups. */
export const resourcegroups: Scenario = {
  service: 'resourcegroups',
  model: model as unknown as ServiceModel,
  client: (emulator) =>
    sender(new sdk.ResourceGroupsClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    CreateGroup: () => ({ Name: 'new' }),
    DeleteGroup: of,
    GetGroup: of,
    GetGroupConfiguration: () => ({ Group: 'configured' }),
    GetGroupQuery: of,
    GetTags: () => ({ Arn: `${ARN}/known` }),
    GroupResources: inApp('known'),
    CancelTagSyncTask: ({ task }) => ({ TaskArn: task }),
    GetTagSyncTask: ({ task }) => ({ TaskArn: task }),
    ListTagSyncTasks: () => ({}),
    StartTagSyncTask: ({ app }) => ({ Group: app, TagKey: 'team', TagValue: 'a', RoleArn: ROLE }),
    ListGroupingStatuses: ({ app }) => ({ Group: app }),
    ListGroupResources: of,
    PutGroupConfiguration: () => ({ Group: 'configured', Configuration: ALLOWED }),
    SearchResources: () => ({ ResourceQuery: query(['a']) }),
    Tag: () => ({ Arn: `${ARN}/known`, Tags: { new: 'x' } }),
    UngroupResources: inApp('member'),
    Untag: () => ({ Arn: `${ARN}/known`, Keys: ['team'] }),
    UpdateAccountSettings: () => ({ GroupLifecycleEventsDesiredStatus: 'INACTIVE' }),
    UpdateGroup: () => ({ Group: 'known', Description: 'new' }),
    UpdateGroupQuery: () => ({ Group: 'known', ResourceQuery: query(['b']) }),
  },
  also: {
    CreateGroup: [
      () => ({ Name: 'new', Configuration: APPLICATION, Owner: 'you', DisplayName: 'New', Criticality: 2 }),
      () => ({ Name: 'new', ResourceQuery: query(['b']) }),
    ],
    DeleteGroup: [byName],
    CancelTagSyncTask: [({ other }) => ({ TaskArn: other })],
    GetTagSyncTask: [({ other }) => ({ TaskArn: other })],
    ListTagSyncTasks: [
      () => ({ Filters: [{ GroupArn: `${ARN}/known` }] }),
      ({ app }) => ({ Filters: [{ GroupName: app }] }),
      ({ app }) => ({ Filters: [{ GroupArn: `${ARN}/${app}` }] }),
    ],
    StartTagSyncTask: [({ app }) => ({ Group: app, ResourceQuery: query(['a']), RoleArn: ROLE })],
    GetGroup: [byName],
    GetGroupQuery: [byName],
    ListGroupResources: [byName],
    UpdateGroupQuery: [() => ({ ...byName(), ResourceQuery: query(['b']) })],
    UpdateGroup: [
      () => ({ ...byName(), Description: 'new' }),
      ({ app }) => ({ Group: app, Owner: 'you', DisplayName: 'New', Criticality: 2 }),
    ],
  },
  values: {
    'CreateGroup.Configuration': [GENERIC, APPLICATION],
    'CreateGroup.ResourceQuery': [query(['b'])],
    'ListGroupResources.Filters': [
      [{ Name: 'resource-type', Values: ['AWS::S3::Bucket'] }],
      [{ Name: 'resource-type', Values: ['AWS::ResourceGroups::Group'] }],
    ],
    'ListGroupingStatuses.Filters': [
      [{ Name: 'status', Values: ['FAILED'] }],
      [{ Name: 'resource-arn', Values: [`${ARN}/member`] }],
    ],
    'StartTagSyncTask.TagKey': ['team', 'other'],
    'StartTagSyncTask.TagValue': ['a', 'b'],
    'StartTagSyncTask.ResourceQuery': [query(['a'])],
    'ListTagSyncTasks.Filters': [[{ GroupName: 'known' }], [{ GroupArn: `${ARN}/known` }]],
    'ListGroups.Filters': [
      [{ Name: 'resource-type', Values: ['AWS::AllSupported'] }],
      [{ Name: 'configuration-type', Values: ['AWS::ResourceGroups::Generic'] }],
      [{ Name: 'owner', Values: ['me'] }],
      [{ Name: 'display-name', Values: ['App'] }],
      [{ Name: 'criticality', Values: ['1'] }],
    ],
    'PutGroupConfiguration.Configuration': [GENERIC, APPLICATION],
    'SearchResources.ResourceQuery': [query(['b'])],
    'UpdateGroupQuery.ResourceQuery': [query(['c'])],
  },
  reads: {
    GetAccountSettings: undefined,
    GetTagSyncTask: undefined,
    ListTagSyncTasks: (send, { task }) => send('CancelTagSyncTask', { TaskArn: task }),
    GetGroup: (send) => send('UpdateGroup', { ...of(), Description: 'new' }),
    GetGroupConfiguration: (send) => send('PutGroupConfiguration', { Group: 'configured', Configuration: [] }),
    GetGroupQuery: (send) => send('UpdateGroupQuery', { ...of(), ResourceQuery: query(['b']) }),
    GetTags: (send) => send('Tag', { Arn: `${ARN}/known`, Tags: { new: 'x' } }),
    ListGroupingStatuses: (send, { app }) => send('UngroupResources', { Group: app, ResourceArns: [`${ARN}/member`] }),
    ListGroupResources: (send) => send('Untag', { Arn: `${ARN}/member`, Keys: ['team'] }),
    ListGroups: (send) => send('CreateGroup', { Name: 'new' }),
    SearchResources: (send) => send('Untag', { Arn: `${ARN}/member`, Keys: ['team'] }),
  },
};
