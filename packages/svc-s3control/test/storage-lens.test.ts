import { expect, it } from 'vitest';
import { ACCOUNT as AccountId, errorOf, start } from './support.ts';

const ConfigId = 'dashboard';
const arn = `arn:aws:s3:us-east-1:${AccountId}:storage-lens/${ConfigId}`;
const configuration = {
  Id: ConfigId,
  IsEnabled: true,
  AccountLevel: {
    ActivityMetrics: { IsEnabled: true },
    BucketLevel: {
      PrefixLevel: {
        StorageMetrics: {
          IsEnabled: true,
          SelectionCriteria: { Delimiter: '/', MaxDepth: 3, MinStorageBytesPercentage: 1.5 },
        },
      },
    },
    StorageLensGroupLevel: {
      SelectionCriteria: { Include: [`arn:aws:s3:us-east-1:${AccountId}:storage-lens-group/logs`] },
    },
  },
  Exclude: { Buckets: ['arn:aws:s3:::secret'], Regions: ['eu-west-1'] },
  DataExport: {
    CloudWatchMetrics: { IsEnabled: true },
    S3BucketDestination: {
      Format: 'CSV' as const,
      OutputSchemaVersion: 'V_1' as const,
      AccountId,
      Arn: 'arn:aws:s3:::exports',
      Prefix: 'lens',
      Encryption: { SSES3: {} },
    },
  },
};

it('stores dashboards and their tags', async () => {
  await using test = await start();
  const { control } = test;
  const of = { AccountId, ConfigId };
  const Tags = [{ Key: 'a', Value: 'b' }];
  await control.putStorageLensConfiguration({ ...of, StorageLensConfiguration: configuration, Tags });
  const get = async () => (await control.getStorageLensConfiguration(of)).StorageLensConfiguration;
  expect(await get()).toEqual({ ...configuration, StorageLensArn: arn });
  const disabled = { ...configuration, IsEnabled: false };
  await control.putStorageLensConfiguration({ ...of, StorageLensConfiguration: disabled });
  expect((await get())!.IsEnabled).toBe(false);
  const tags = async () => (await control.getStorageLensConfigurationTagging(of)).Tags ?? [];
  expect(await tags()).toEqual(Tags);
  await control.putStorageLensConfigurationTagging({ ...of, Tags: [{ Key: 'c', Value: 'd' }] });
  expect(await tags()).toEqual([{ Key: 'c', Value: 'd' }]);
  await control.deleteStorageLensConfigurationTagging(of);
  expect(await tags()).toEqual([]);
  expect((await control.listStorageLensConfigurations({ AccountId })).StorageLensConfigurationList).toEqual([
    { Id: ConfigId, StorageLensArn: arn, HomeRegion: 'us-east-1', IsEnabled: false },
    {
      Id: 'default-account-dashboard',
      StorageLensArn: `arn:aws:s3:us-east-1:${AccountId}:storage-lens/default-account-dashboard`,
      HomeRegion: 'us-east-1',
      IsEnabled: true,
    },
  ]);
  const elsewhere = test.controlOf({ region: 'eu-west-1' });
  expect((await elsewhere.listStorageLensConfigurations({ AccountId })).StorageLensConfigurationList ?? []).toEqual([]);
  await control.deleteStorageLensConfiguration(of);
  for (const call of [get(), tags(), control.deleteStorageLensConfiguration(of)])
    expect(await errorOf(call)).toMatchObject({ name: 'NoSuchConfiguration', $metadata: { httpStatusCode: 404 } });
});

it('every account has a default dashboard, which cannot be deleted', async () => {
  await using test = await start();
  const { control } = test;
  const of = { AccountId, ConfigId: 'default-account-dashboard' };
  const { StorageLensConfiguration } = await control.getStorageLensConfiguration(of);
  expect(StorageLensConfiguration).toMatchObject({
    Id: of.ConfigId,
    IsEnabled: true,
    AccountLevel: { BucketLevel: {} },
  });
  await control.putStorageLensConfiguration({
    ...of,
    StorageLensConfiguration: { Id: of.ConfigId, IsEnabled: false, AccountLevel: { BucketLevel: {} } },
  });
  expect((await control.getStorageLensConfiguration(of)).StorageLensConfiguration!.IsEnabled).toBe(false);
  expect((await errorOf(control.deleteStorageLensConfiguration(of))).name).toBe('InvalidRequest');
  const narrowed = control.putStorageLensConfiguration({
    ...of,
    StorageLensConfiguration: { ...configuration, Id: of.ConfigId },
  });
  expect((await errorOf(narrowed)).name).toBe('InvalidRequest');
});

it('rejects invalid dashboards', async () => {
  await using test = await start();
  const { control } = test;
  const put = (StorageLensConfiguration: typeof configuration, id = ConfigId) =>
    control.putStorageLensConfiguration({ AccountId, ConfigId: id, StorageLensConfiguration });
  const both = { ...configuration, Include: { Buckets: ['arn:aws:s3:::a'] } };
  for (const bad of [put(configuration, 'another'), put(both)])
    expect((await errorOf(bad)).name).toBe('InvalidRequest');
  for (let i = 0; i < 50; i++) await put({ ...configuration, Id: `d${i}` }, `d${i}`);
  expect((await errorOf(put(configuration))).name).toBe('TooManyConfigurations');
});

it('stores groups and their tags', async () => {
  await using test = await start();
  const { control } = test;
  const Name = 'logs';
  const Filter = { And: { MatchAnyPrefix: ['logs/'], MatchObjectAge: { DaysGreaterThan: 30 } } };
  const create = (filter: object, name = Name) =>
    control.createStorageLensGroup({
      AccountId,
      StorageLensGroup: { Name: name, Filter: filter },
      Tags: [{ Key: 'a', Value: 'b' }],
    });
  expect((await create(Filter)).$metadata.httpStatusCode).toBe(204);
  const StorageLensGroupArn = `arn:aws:s3:us-east-1:${AccountId}:storage-lens-group/${Name}`;
  const get = async () => (await control.getStorageLensGroup({ AccountId, Name })).StorageLensGroup;
  expect(await get()).toEqual({ Name, Filter, StorageLensGroupArn });
  expect((await control.listStorageLensGroups({ AccountId })).StorageLensGroupList).toEqual([
    { Name, StorageLensGroupArn, HomeRegion: 'us-east-1' },
  ]);
  const tagged = { AccountId, ResourceArn: StorageLensGroupArn };
  await control.tagResource({ ...tagged, Tags: [{ Key: 'c', Value: 'd' }] });
  await control.untagResource({ ...tagged, TagKeys: ['a'] });
  expect((await control.listTagsForResource(tagged)).Tags).toEqual([{ Key: 'c', Value: 'd' }]);
  const changed = { MatchAnyTag: [{ Key: 'k', Value: 'v' }] };
  const update = (name: string) =>
    control.updateStorageLensGroup({ AccountId, Name, StorageLensGroup: { Name: name, Filter: changed } });
  await update(Name);
  expect((await get())!.Filter).toEqual(changed);
  expect((await errorOf(update('other'))).name).toBe('InvalidRequest');
  expect((await errorOf(create(Filter))).name).toBe('StorageLensGroupAlreadyExists');
  for (const bad of [
    {},
    { MatchAnyPrefix: ['a'], MatchAnySuffix: ['b'] },
    { Or: { MatchAnyPrefix: ['a'] } },
    { MatchAnyPrefix: Array.from({ length: 11 }, (_, i) => `${i}`) },
    { MatchObjectSize: { BytesGreaterThan: 10, BytesLessThan: 5 } },
  ])
    expect((await errorOf(create(bad, 'bad'))).name).toBe('InvalidRequest');
  await control.deleteStorageLensGroup({ AccountId, Name });
  expect(await errorOf(get())).toMatchObject({ name: 'NoSuchConfiguration', $metadata: { httpStatusCode: 404 } });
});
