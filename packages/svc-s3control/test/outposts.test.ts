import { sendRaw } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { ACCOUNT as AccountId, errorOf, start } from './support.ts';

const OutpostId = 'op-01ac5d28a6a232904';
const Bucket = `arn:aws:s3-outposts:us-east-1:${AccountId}:outpost/${OutpostId}/bucket/on-premises`;

it('stores buckets on Outposts', async () => {
  await using test = await start();
  const { control } = test;
  const created = await control.createBucket({ Bucket: 'on-premises', OutpostId });
  expect(created).toMatchObject({ BucketArn: Bucket, Location: '/on-premises' });
  expect((await errorOf(control.createBucket({ Bucket: 'on-premises', OutpostId }))).name).toBe(
    'BucketAlreadyOwnedByYou',
  );
  expect((await errorOf(control.createBucket({ Bucket: 'Bad_Name', OutpostId }))).name).toBe('InvalidBucketName');
  expect((await errorOf(control.createBucket({ Bucket: 'nowhere', OutpostId: 'op-1' }))).name).toBe('InvalidRequest');
  expect(await control.getBucket({ AccountId, Bucket })).toMatchObject({
    Bucket: 'on-premises',
    PublicAccessBlockEnabled: true,
    CreationDate: expect.any(Date),
  });
  expect((await control.listRegionalBuckets({ AccountId, OutpostId })).RegionalBucketList).toMatchObject([
    { Bucket: 'on-premises', BucketArn: Bucket, OutpostId },
  ]);
  const other = 'op-01ac5d28a6a232905';
  expect((await control.listRegionalBuckets({ AccountId, OutpostId: other })).RegionalBucketList).toEqual([]);
  await control.deleteBucket({ AccountId, Bucket });
  expect(await errorOf(control.getBucket({ AccountId, Bucket }))).toMatchObject({
    name: 'NoSuchBucket',
    $metadata: { httpStatusCode: 404 },
  });
});

it('stores settings of buckets on Outposts', async () => {
  await using test = await start();
  const { control } = test;
  await control.createBucket({ Bucket: 'on-premises', OutpostId });
  // SDKs split an ARN in the input, and modify the input.
  const of = () => ({ AccountId, Bucket });
  const names = async (...calls: Promise<unknown>[]) =>
    Promise.all(calls.map(async (call) => (await errorOf(call)).name));
  expect(
    await names(
      control.getBucketPolicy(of()),
      control.getBucketTagging(of()),
      control.getBucketLifecycleConfiguration(of()),
      control.getBucketReplication(of()),
    ),
  ).toEqual([
    'NoSuchBucketPolicy',
    'NoSuchTagSet',
    'NoSuchLifecycleConfiguration',
    'ReplicationConfigurationNotFoundError',
  ]);
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS: AccountId }, Action: 's3-outposts:*', Resource: `${Bucket}/object/*` },
    ],
  });
  await control.putBucketPolicy({ ...of(), Policy });
  expect((await control.getBucketPolicy(of())).Policy).toBe(Policy);
  await control.putBucketTagging({ ...of(), Tagging: { TagSet: [{ Key: 'a', Value: 'b' }] } });
  expect((await control.getBucketTagging(of())).TagSet).toEqual([{ Key: 'a', Value: 'b' }]);

  const rule = { ID: 'r', Status: 'Enabled' as const, Filter: { Prefix: 'p/' } };
  const lifecycle = (more: object) =>
    control.putBucketLifecycleConfiguration({ ...of(), LifecycleConfiguration: { Rules: [{ ...rule, ...more }] } });
  expect(
    await names(
      lifecycle({}),
      lifecycle({ Expiration: { Days: 0 } }),
      lifecycle({ Expiration: { Days: 1 }, Transitions: [{ Days: 1, StorageClass: 'GLACIER' }] }),
    ),
  ).toEqual(['InvalidRequest', 'InvalidArgument', 'InvalidRequest']);
  const Expiration = { Date: new Date('2040-01-01T00:00:00Z') };
  await lifecycle({ Expiration });
  expect((await control.getBucketLifecycleConfiguration(of())).Rules).toEqual([{ ...rule, Expiration }]);

  const ReplicationConfiguration = {
    Role: `arn:aws:iam::${AccountId}:role/replicator`,
    Rules: [
      { ID: 'r', Priority: 1, Status: 'Enabled' as const, Bucket, Filter: { Prefix: '' }, Destination: { Bucket } },
    ],
  };
  expect(await errorOf(control.putBucketReplication({ ...of(), ReplicationConfiguration }))).toMatchObject({
    name: 'InvalidRequest',
    message: "Versioning must be 'Enabled' on the bucket to apply a replication configuration",
  });
  expect((await control.getBucketVersioning(of())).Status).toBeUndefined();
  await control.putBucketVersioning({ ...of(), VersioningConfiguration: { Status: 'Enabled' } });
  expect((await control.getBucketVersioning(of())).Status).toBe('Enabled');
  await control.putBucketReplication({ ...of(), ReplicationConfiguration });
  expect((await control.getBucketReplication(of())).ReplicationConfiguration).toMatchObject({
    Role: ReplicationConfiguration.Role,
    Rules: [{ ID: 'r', Priority: 1, Destination: { Bucket } }],
  });

  await control.deleteBucketPolicy(of());
  await control.deleteBucketTagging(of());
  await control.deleteBucketLifecycleConfiguration(of());
  await control.deleteBucketReplication(of());
  expect(await names(control.getBucketPolicy(of()), control.getBucketReplication(of()))).toEqual([
    'NoSuchBucketPolicy',
    'ReplicationConfigurationNotFoundError',
  ]);
});

it('returns NotImplemented for objects on Outposts', async () => {
  await using test = await start();
  const host = `ap-${AccountId}.${OutpostId}.s3-outposts.us-east-1.amazonaws.com`;
  const scope = 'test/20260101/us-east-1/s3-outposts/aws4_request';
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
  for (const [method, target] of [
    ['PUT', '/k'],
    ['GET', '/?list-type=2'],
  ] as const) {
    const answer = await sendRaw(test.emulator, { method, target, headers: { host, authorization } });
    expect(answer.status).toBe(501);
    expect(answer.text).toContain('<Code>NotImplemented</Code>');
  }
});
