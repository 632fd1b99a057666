import { paginateListGroups, ResourceGroups } from '@aws-sdk/client-resource-groups';
import { createTestEmulator, enforceQuota, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { APPLICATION, failureOf, tagQuery } from './support.ts';

const ARN = 'arn:aws:resource-groups:us-east-1:123456789012:group';
const NOT_FOUND = 'NotFoundException: Cannot find group';
const HOSTS = [
  { Type: 'AWS::EC2::HostManagement', Parameters: [{ Name: 'auto-allocate-host', Values: ['true'] }] },
  {
    Type: 'AWS::ResourceGroups::Generic',
    Parameters: [
      { Name: 'allowed-resource-types', Values: ['AWS::EC2::Host'] },
      { Name: 'deletion-protection', Values: ['UNLESS_EMPTY'] },
    ],
  },
];

let emulator: TestEmulator;
let groups: ResourceGroups;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest],
    settings: { accountId: '123456789012', region: 'us-east-1' },
  });
  groups = new ResourceGroups(emulator.clientConfig());
});
afterAll(() => emulator.close());

describe('groups', () => {
  test('are created, described by name and ARN, updated and deleted', async () => {
    const ResourceQuery = tagQuery({ team: ['shop'] });
    const made = await groups.createGroup({ Name: 'one', Description: 'first', ResourceQuery, Tags: { a: 'b' } });
    const Group = { GroupArn: `${ARN}/one`, Name: 'one', Description: 'first' };
    expect(made).toMatchObject({ Group, ResourceQuery, Tags: { a: 'b' } });
    expect((await groups.getGroup({ Group: `${ARN}/one` })).Group).toEqual(Group);
    expect((await groups.getGroup({ GroupName: 'one' })).Group).toEqual(Group);
    await groups.updateGroup({ Group: 'one', Description: 'changed' });
    expect((await groups.deleteGroup({ Group: 'one' })).Group).toEqual({ ...Group, Description: 'changed' });
    expect(await failureOf(groups.getGroup({ Group: 'one' }))).toBe(NOT_FOUND);
    expect(await failureOf(groups.deleteGroup({ Group: `${ARN}/one` }))).toBe(NOT_FOUND);
    expect(await failureOf(groups.updateGroup({ Group: 'one' }))).toBe(NOT_FOUND);
  });

  test('of applications have an id in their names and more attributes', async () => {
    const { Group } = await groups.createGroup({
      Name: 'app',
      Configuration: APPLICATION,
      Criticality: 2,
      Owner: 'me',
    });
    expect(Group!.Name).toMatch(/^app\/[a-z0-9]{26}$/);
    expect(Group).toMatchObject({ Criticality: 2, Owner: 'me', ApplicationTag: { awsApplication: Group!.GroupArn } });
    await groups.updateGroup({ Group: Group!.GroupArn, DisplayName: 'Shop', Criticality: 1, Owner: 'you' });
    const changed = { Criticality: 1, Owner: 'you', DisplayName: 'Shop' };
    expect((await groups.getGroup({ Group: Group!.Name })).Group).toMatchObject(changed);
    for (const filter of [
      { Name: 'owner' as const, Values: ['you'] },
      { Name: 'display-name' as const, Values: ['Shop'] },
      { Name: 'criticality' as const, Values: ['1'] },
      { Name: 'configuration-type' as const, Values: [APPLICATION[0]!.Type] },
    ]) {
      const { GroupIdentifiers } = await groups.listGroups({ Filters: [filter] });
      expect(GroupIdentifiers).toEqual([{ GroupName: Group!.Name, GroupArn: Group!.GroupArn, ...changed }]);
    }
    await groups.deleteGroup({ Group: Group!.Name });
  });

  test.each([
    ['Group names must not begin with AWS, which is reserved.', { Name: 'awsome' }],
    ['Criticality, Owner and DisplayName can be specified for application groups only.', { Name: 'x', Owner: 'me' }],
    ['Query not valid: The query is not JSON.', { Name: 'x', ResourceQuery: { ...tagQuery({}), Query: '{' } }],
    [
      'A group can have either a resource query or a configuration, not both.',
      { Name: 'x', ResourceQuery: tagQuery({}), Configuration: HOSTS },
    ],
    [
      'Configuration not valid: The type AWS::Fun::Group is not supported.',
      { Name: 'x', Configuration: [{ Type: 'AWS::Fun::Group' }] },
    ],
    [
      'Configuration not valid: AWS::EC2::HostManagement requires AWS::ResourceGroups::Generic with the allowed-resource-types AWS::EC2::Host.',
      { Name: 'x', Configuration: HOSTS.slice(0, 1) },
    ],
    ['Tag keys must not begin with aws:, which AWS reserves.', { Name: 'x', Tags: { 'aws:a': 'b' } }],
  ])('reject: %s', async (message, input) => {
    expect(await failureOf(groups.createGroup(input))).toBe(`BadRequestException: ${message}`);
    expect((await groups.listGroups({})).Groups).toEqual([]);
  });

  test('rejects existing names, violated constraints, and a missing name', async () => {
    await groups.createGroup({ Name: 'twice' });
    const again = 'BadRequestException: Cannot create group: group already exists';
    expect(await failureOf(groups.createGroup({ Name: 'twice' }))).toBe(again);
    expect(await failureOf(groups.createGroup({ Name: 'a b' }))).toMatch(/^BadRequestException: 1 validation error/);
    expect(await failureOf(groups.getGroup({}))).toMatch(/^BadRequestException/);
    await groups.deleteGroup({ Group: 'twice' });
  });

  test('are listed in pages and by filters', async () => {
    for (const Name of ['a', 'b', 'c']) await groups.createGroup({ Name, ResourceQuery: tagQuery({}, [TYPES[Name]!]) });
    const pages: string[][] = [];
    for await (const page of paginateListGroups({ client: groups, pageSize: 2 }, {}))
      pages.push(page.GroupIdentifiers!.map(({ GroupName }) => GroupName!));
    expect(pages).toEqual([['a', 'b'], ['c']]);
    const Filters = [{ Name: 'resource-type' as const, Values: ['AWS::SQS::Queue'] }];
    expect((await groups.listGroups({ Filters })).Groups!.map(({ Name }) => Name)).toEqual(['b']);
    const wrong = [{ Name: 'configuration-type' as const, Values: ['AWS::Fun::Group'] }];
    expect(await failureOf(groups.listGroups({ Filters: wrong }))).toBe(
      'BadRequestException: Filters not valid: One or more filter values are not supported: AWS::Fun::Group',
    );
    expect(await failureOf(groups.listGroups({ NextToken: 'abcd' }))).toMatch(/^BadRequestException/);
    for (const Group of ['a', 'b', 'c']) await groups.deleteGroup({ Group });
  });
});

const TYPES: Record<string, string> = { a: 'AWS::S3::Bucket', b: 'AWS::SQS::Queue', c: 'AWS::AllSupported' };

test('configurations are stored and returned', async () => {
  await groups.createGroup({ Name: 'hosts', Configuration: HOSTS });
  const configuration = async () => (await groups.getGroupConfiguration({ Group: 'hosts' })).GroupConfiguration;
  expect(await configuration()).toEqual({ Configuration: HOSTS, Status: 'UPDATE_COMPLETE' });
  const Configuration = HOSTS.slice(1);
  await groups.putGroupConfiguration({ Group: 'hosts', Configuration });
  expect(await configuration()).toEqual({ Configuration, Status: 'UPDATE_COMPLETE' });
  const other = [
    { Type: 'AWS::ResourceGroups::Generic', Parameters: [{ Name: 'deletion-protection', Values: ['NO'] }] },
  ];
  expect(await failureOf(groups.putGroupConfiguration({ Group: 'hosts', Configuration: other }))).toBe(
    'BadRequestException: Configuration not valid: The value NO of the parameter deletion-protection is not valid.',
  );
  expect(await failureOf(groups.putGroupConfiguration({ Group: 'hosts', Configuration: APPLICATION }))).toMatch(/^Bad/);
  expect(await failureOf(groups.getGroupConfiguration({ Group: 'none' }))).toBe(NOT_FOUND);
  expect(await failureOf(groups.putGroupConfiguration({ Group: 'none' }))).toBe(NOT_FOUND);
  await groups.deleteGroup({ Group: 'hosts' });
});

test('tags are added, returned and removed', async () => {
  await groups.createGroup({ Name: 'tagged' });
  const Arn = `${ARN}/tagged`;
  await groups.tag({ Arn, Tags: { a: '1', b: '2' } });
  await groups.untag({ Arn, Keys: ['a'] });
  expect((await groups.getTags({ Arn })).Tags).toEqual({ b: '2' });
  expect(await failureOf(groups.tag({ Arn, Tags: { 'aws:x': 'y' } }))).toMatch(/^BadRequestException/);
  const none = `${ARN}/none`;
  for (const request of [groups.getTags({ Arn: none }), groups.untag({ Arn: none, Keys: ['a'] })])
    expect(await failureOf(request)).toBe(NOT_FOUND);
  await groups.deleteGroup({ Group: 'tagged' });
});

test('lifecycle events are inactive, and their activation is not implemented', async () => {
  const OFF = { GroupLifecycleEventsDesiredStatus: 'INACTIVE', GroupLifecycleEventsStatus: 'INACTIVE' };
  expect((await groups.getAccountSettings({})).AccountSettings).toEqual(OFF);
  expect(
    (await groups.updateAccountSettings({ GroupLifecycleEventsDesiredStatus: 'INACTIVE' })).AccountSettings,
  ).toEqual(OFF);
  expect(await failureOf(groups.updateAccountSettings({ GroupLifecycleEventsDesiredStatus: 'ACTIVE' }))).toMatch(
    /^NotImplemented/,
  );
});

test('groups have a quota', async () => {
  await enforceQuota(emulator, 'resource-groups/L-2BAA18A0', 1, { region: 'eu-west-1' });
  const europe = new ResourceGroups(emulator.clientConfig({ region: 'eu-west-1' }));
  await europe.createGroup({ Name: 'one' });
  expect(await failureOf(europe.createGroup({ Name: 'two' }))).toBe(
    'BadRequestException: The account has reached its limit of 1 resource groups.',
  );
  await europe.deleteGroup({ Group: 'one' });
  expect((await europe.createGroup({ Name: 'two' })).Group!.Name).toBe('two');
});
