import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { enforceQuota } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { ACCOUNT as AccountId, errorOf, OTHER, send, start } from './support.ts';

const Bucket = 'a-bucket';

async function withBucket() {
  const test = await start();
  await test.s3.send(new CreateBucketCommand({ Bucket }));
  return test;
}

const alias = (name: string) => expect.stringMatching(new RegExp(`^${name}-[a-z0-9]{34}-s3alias$`));
const arnOf = (name: string) => `arn:aws:s3:us-east-1:${AccountId}:accesspoint/${name}`;

// Recorded, including messages.
it('creates, returns, lists and deletes access points', async () => {
  await using test = await withBucket();
  const { control } = test;
  const created = await control.createAccessPoint({ AccountId, Name: 'one', Bucket });
  expect(created).toMatchObject({ AccessPointArn: arnOf('one'), Alias: alias('one') });
  const all = { BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true };
  const shown = await control.getAccessPoint({ AccountId, Name: 'one' });
  expect(shown).toMatchObject({
    AccessPointArn: arnOf('one'),
    Alias: created.Alias,
    Bucket,
    BucketAccountId: AccountId,
    CreationDate: expect.any(Date),
    Endpoints: {
      dualstack: 's3-accesspoint.dualstack.us-east-1.amazonaws.com',
      fips: 's3-accesspoint-fips.us-east-1.amazonaws.com',
      fips_dualstack: 's3-accesspoint-fips.dualstack.us-east-1.amazonaws.com',
      ipv4: 's3-accesspoint.us-east-1.amazonaws.com',
    },
    Name: 'one',
    NetworkOrigin: 'Internet',
    PublicAccessBlockConfiguration: all,
  });
  await control.createAccessPoint({
    AccountId,
    Name: 'two',
    Bucket,
    VpcConfiguration: { VpcId: 'vpc-1' },
    PublicAccessBlockConfiguration: { BlockPublicAcls: true },
  });
  expect(await control.getAccessPoint({ AccountId, Name: 'two' })).toMatchObject({
    NetworkOrigin: 'VPC',
    VpcConfiguration: { VpcId: 'vpc-1' },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: false,
      IgnorePublicAcls: false,
      RestrictPublicBuckets: false,
    },
  });
  const first = await control.listAccessPoints({ AccountId, MaxResults: 1, Bucket });
  expect(first.AccessPointList).toEqual([
    {
      AccessPointArn: arnOf('one'),
      Alias: created.Alias,
      Bucket,
      BucketAccountId: AccountId,
      Name: 'one',
      NetworkOrigin: 'Internet',
    },
  ]);
  const second = await control.listAccessPoints({ AccountId, MaxResults: 1, Bucket, NextToken: first.NextToken! });
  expect([second.AccessPointList!.map(({ Name }) => Name), second.NextToken]).toEqual([['two'], undefined]);
  expect((await control.listAccessPoints({ AccountId, Bucket: 'another' })).AccessPointList).toEqual([]);
  expect((await control.listAccessPointsForDirectoryBuckets({ AccountId })).AccessPointList).toEqual([]);
  expect((await control.deleteAccessPoint({ AccountId, Name: 'one' })).$metadata.httpStatusCode).toBe(204);
  const missing = {
    name: 'NoSuchAccessPoint',
    message: 'The specified accesspoint does not exist',
    $metadata: { httpStatusCode: 404 },
  };
  expect(await errorOf(control.getAccessPoint({ AccountId, Name: 'one' }))).toMatchObject(missing);
  expect(await errorOf(control.deleteAccessPoint({ AccountId, Name: 'one' }))).toMatchObject(missing);
  expect(await errorOf(control.getAccessPointPolicy({ AccountId, Name: 'one' }))).toMatchObject(missing);
});

it('rejects invalid access points', async () => {
  await using test = await withBucket();
  const { control } = test;
  const create = (Name: string, more = {}) => errorOf(control.createAccessPoint({ AccountId, Name, Bucket, ...more }));
  expect(await create('good', { Bucket: 'no-such-bucket' })).toMatchObject({
    name: 'InvalidRequest',
    message: 'Amazon S3 AccessPoint can only be created for existing bucket',
  });
  for (const name of ['xn-_test-alias', 'sa', 'Upper', '-begins', 'ends-', 'a.dot', 'mine-s3alias', 'x'.repeat(51)])
    expect(await create(name)).toMatchObject({
      name: 'InvalidURI',
      message: "Couldn't parse the specified URI.",
    });
  await control.createAccessPoint({ AccountId, Name: 'taken', Bucket });
  const taken = await create('taken');
  expect(taken).not.toHaveProperty('AccessPointName');
  expect(taken).toMatchObject({
    name: 'AccessPointAlreadyOwnedByYou',
    message: 'Your previous request to create the named accesspoint succeeded and you already own it.',
    $metadata: { httpStatusCode: 409 },
  });
  expect((await create('scoped', { Scope: { Prefixes: ['a'] } })).name).toBe('InvalidRequest');
  const elsewhere = test.controlOf({ region: 'eu-west-1' });
  expect((await errorOf(elsewhere.createAccessPoint({ AccountId, Name: 'far', Bucket }))).name).toBe('InvalidRequest');
  const other = test.controlOf({ accessKeyId: OTHER });
  const foreign = { AccountId: OTHER, Name: 'foreign', Bucket };
  expect((await errorOf(other.createAccessPoint(foreign))).name).toBe('AccessDenied');
  await other.createAccessPoint({ ...foreign, BucketAccountId: AccountId });
  expect((await other.getAccessPoint({ AccountId: OTHER, Name: 'foreign' })).BucketAccountId).toBe(AccountId);
  expect((await errorOf(other.getAccessPoint({ AccountId, Name: 'taken' }))).name).toBe('AccessDenied');
});

it('stores policies of access points, and returns whether they are public', async () => {
  await using test = await withBucket();
  const { control } = test;
  const Name = 'point';
  await control.createAccessPoint({
    AccountId,
    Name,
    Bucket,
    PublicAccessBlockConfiguration: { BlockPublicPolicy: false },
  });
  const policy = (Principal: unknown, Resource = `${arnOf(Name)}/object/*`) =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal, Action: 's3:GetObject', Resource }],
    });
  const none = { name: 'NoSuchAccessPointPolicy', message: 'The specified accesspoint policy does not exist' };
  expect(await errorOf(control.getAccessPointPolicy({ AccountId, Name }))).toMatchObject(none);
  expect(await errorOf(control.getAccessPointPolicyStatus({ AccountId, Name }))).toMatchObject(none);
  const mine = policy({ AWS: `arn:aws:iam::${AccountId}:root` });
  await control.putAccessPointPolicy({ AccountId, Name, Policy: mine });
  expect((await control.getAccessPointPolicy({ AccountId, Name })).Policy).toBe(mine);
  expect((await control.getAccessPointPolicyStatus({ AccountId, Name })).PolicyStatus).toEqual({ IsPublic: false });
  await control.putAccessPointPolicy({ AccountId, Name, Policy: policy('*') });
  expect((await control.getAccessPointPolicyStatus({ AccountId, Name })).PolicyStatus).toEqual({ IsPublic: true });
  // An access point of a VPC is never public: https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
  const inside = { AccountId, Name: 'inside' };
  await control.createAccessPoint({ ...inside, Bucket, VpcConfiguration: { VpcId: 'vpc-1' } });
  await control.putAccessPointPolicy({ ...inside, Policy: policy('*', `${arnOf('inside')}/object/*`) });
  expect((await control.getAccessPointPolicyStatus(inside)).PolicyStatus).toEqual({ IsPublic: false });
  for (const [bad, message] of [
    ['nonsense', "Policies must be valid JSON and the first byte must be '{'"],
    [policy('*', 'arn:aws:s3:::a-bucket/*'), 'Policy has invalid resource'],
    [policy('*', `${arnOf('pointless')}/object/*`), 'Policy has invalid resource'],
  ] as const)
    expect(await errorOf(control.putAccessPointPolicy({ AccountId, Name, Policy: bad }))).toMatchObject({
      name: 'MalformedPolicy',
      message,
    });
  await control.putPublicAccessBlock({ AccountId, PublicAccessBlockConfiguration: { BlockPublicPolicy: true } });
  expect(await errorOf(control.putAccessPointPolicy({ AccountId, Name, Policy: policy('*') }))).toMatchObject({
    name: 'AccessDenied',
    message: expect.stringContaining('BlockPublicPolicy'),
  });
  await control.deleteAccessPointPolicy({ AccountId, Name });
  expect(await errorOf(control.getAccessPointPolicy({ AccountId, Name }))).toMatchObject(none);
});
it('limits access points of directory buckets by their scope', async () => {
  await using test = await start();
  const { control } = test;
  const bucket = 'fast--use1-az4--x-s3';
  const Name = 'point--use1-az4--xa-s3';
  await test.s3Of({}, { disableS3ExpressSessionAuth: true }).send(
    new CreateBucketCommand({
      Bucket: bucket,
      CreateBucketConfiguration: {
        Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
        Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
      },
    }),
  );
  const wrong = control.createAccessPoint({ AccountId, Name: 'point--use1-az5--xa-s3', Bucket: bucket });
  expect((await errorOf(wrong)).name).toBe('InvalidRequest');
  await control.createAccessPoint({ AccountId, Name, Bucket: bucket, Scope: { Prefixes: ['a/'] } });
  expect((await control.getAccessPointScope({ AccountId, Name })).Scope).toEqual({ Prefixes: ['a/'], Permissions: [] });
  const Scope = { Prefixes: ['b/', 'c/'], Permissions: ['GetObject' as const] };
  await control.putAccessPointScope({ AccountId, Name, Scope });
  expect((await control.getAccessPointScope({ AccountId, Name })).Scope).toEqual(Scope);
  const long = control.putAccessPointScope({ AccountId, Name, Scope: { Prefixes: ['x'.repeat(257)] } });
  expect((await errorOf(long)).name).toBe('InvalidRequest');
  await control.deleteAccessPointScope({ AccountId, Name });
  expect((await control.getAccessPointScope({ AccountId, Name })).Scope).toEqual({ Prefixes: [], Permissions: [] });
  const listed = await control.listAccessPointsForDirectoryBuckets({ AccountId, DirectoryBucket: bucket });
  expect(listed.AccessPointList).toMatchObject([{ Name, Bucket: bucket, Alias: Name }]);
  expect((await control.listAccessPoints({ AccountId })).AccessPointList).toEqual([]);
});

it('errors have S3’s form: with request ids and resource, and without a type', async () => {
  await using env = await start();
  const target = '/v20180820/accesspoint/no-such';
  const { text } = await send(env, 'GET', target, { 'x-amz-account-id': AccountId });
  expect(text, text).toMatch(
    /<ErrorResponse[^>]*><Error><Code>NoSuchAccessPoint<\/Code><Message>[^<]*<\/Message><AccessPointName>no-such<\/AccessPointName><\/Error><RequestId>[^<]+<\/RequestId><HostId>[^<]+<\/HostId><\/ErrorResponse>$/,
  );
});

it('rejects access points beyond the quota of the region, if enforced', async () => {
  await using test = await withBucket();
  const create = (Name: string) => test.control.createAccessPoint({ AccountId, Name, Bucket });
  await create('one');
  await enforceQuota(test.emulator, 's3/L-FAABEEBA', 1);
  expect(await errorOf(create('two'))).toMatchObject({ name: 'TooManyAccessPoints' });
  await test.control.deleteAccessPoint({ AccountId, Name: 'one' });
  await create('two');
});
