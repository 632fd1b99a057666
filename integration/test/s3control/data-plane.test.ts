import * as S3 from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SIGNED } from '../../../packages/svc-s3/test/helpers.ts';
import { ACCOUNT as AccountId, type ControlTest, errorOf, OTHER, send, start } from './support.ts';
import '@aws-sdk/signature-v4a';

const Bucket = 'a-bucket';
const arn = `arn:aws:s3:us-east-1:${AccountId}:accesspoint/point`;
let test: ControlTest;
let alias: string;

beforeEach(async () => {
  test = await start();
  await test.s3.send(new S3.CreateBucketCommand({ Bucket }));
  const created = await test.control.createAccessPoint({ AccountId, Name: 'point', Bucket });
  alias = created.Alias!;
});
afterEach(() => test[Symbol.asyncDispose]());

/** A client that accepts ARNs and sends their requests to separate hosts. */
const byArn = (accessKeyId?: string) => test.s3Of(accessKeyId === undefined ? {} : { accessKeyId });

const text = async ({ Body }: S3.GetObjectCommandOutput) => Body!.transformToString();

it.each([
  ['its ARN', () => arn],
  ['its alias', () => alias],
])('serves objects through an access point by %s', async (_by, name) => {
  const s3 = name() === arn ? byArn() : test.s3;
  const plain = test.s3;
  const through = { Bucket: name() };
  await s3.send(new S3.PutObjectCommand({ ...through, Key: 'a/b c', Body: 'one' }));
  expect(await text(await plain.send(new S3.GetObjectCommand({ Bucket, Key: 'a/b c' })))).toBe('one');
  expect(await text(await s3.send(new S3.GetObjectCommand({ ...through, Key: 'a/b c' })))).toBe('one');
  const listed = await s3.send(new S3.ListObjectsV2Command({ ...through, Prefix: 'a/' }));
  expect(listed.Contents!.map(({ Key }) => Key)).toEqual(['a/b c']);
  expect(listed.Name).toBe(Bucket);
  expect(await s3.send(new S3.HeadBucketCommand(through))).toMatchObject({
    BucketRegion: 'us-east-1',
    AccessPointAlias: true,
  });
  const CopySource = name().startsWith('arn:') ? `${name()}/object/a/b c` : `${name()}/a/b c`;
  await s3.send(new S3.CopyObjectCommand({ ...through, Key: 'copy', CopySource: encodeURI(CopySource) }));
  expect(await text(await plain.send(new S3.GetObjectCommand({ Bucket, Key: 'copy' })))).toBe('one');
  await s3.send(new S3.DeleteObjectsCommand({ ...through, Delete: { Objects: [{ Key: 'copy' }] } }));
  expect((await errorOf(plain.send(new S3.HeadObjectCommand({ Bucket, Key: 'copy' })))).name).toBe('NotFound');
  const upload = await s3.send(new S3.CreateMultipartUploadCommand({ ...through, Key: 'big' }));
  expect(upload.Bucket).toBe(Bucket);
  const url = await getSignedUrl(s3, new S3.GetObjectCommand({ ...through, Key: 'a/b c' }));
  const { host, pathname, search } = new URL(url);
  expect(await send(test, 'GET', `${pathname}${search}`, { host })).toMatchObject({ status: 200, text: 'one' });
});

it("serves them through AWS's host names", async () => {
  const { s3 } = test;
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'one' }));
  for (const host of [
    `point-${AccountId}.s3-accesspoint.us-east-1.amazonaws.com`,
    `point-${AccountId}.s3-accesspoint-fips.dualstack.us-east-1.amazonaws.com`,
    `point-${AccountId}.s3-accesspoint.us-east-1.localhost:4566`,
    `point-${AccountId}.s3.us-east-1.localhost:4566`,
    `point-${AccountId}.localhost:4566`,
    `${alias}.s3.us-east-1.amazonaws.com`,
  ])
    expect([host, (await send(test, 'GET', '/k', { host, ...SIGNED })).text]).toEqual([host, 'one']);
  // The SDK itself creates the first of them.
  const { endpoint: _endpoint, ...config } = test.emulator.clientConfig();
  expect(await text(await new S3.S3Client(config).send(new S3.GetObjectCommand({ Bucket: arn, Key: 'k' })))).toBe(
    'one',
  );
});

it('admits other accounts, and uses access points of other accounts', async () => {
  const other = byArn(OTHER);
  await other.send(new S3.PutObjectCommand({ Bucket: arn, Key: 'k', Body: 'one' }));
  const theirs = { AccountId: OTHER, Name: 'theirs' };
  await test.controlOf({ accessKeyId: OTHER }).createAccessPoint({ ...theirs, Bucket, BucketAccountId: AccountId });
  const foreign = `arn:aws:s3:us-east-1:${OTHER}:accesspoint/theirs`;
  expect(await text(await byArn().send(new S3.GetObjectCommand({ Bucket: foreign, Key: 'k' })))).toBe('one');
  const { json } = await test.emulator.control('GET', '/_emulator/s3/access-points');
  expect(json).toMatchObject({
    accessPoints: [
      {
        accountId: AccountId,
        region: 'us-east-1',
        name: 'point',
        arn,
        alias,
        bucket: Bucket,
        networkOrigin: 'Internet',
      },
      { accountId: OTHER, name: 'theirs', arn: foreign },
    ],
  });
});

it('rejects unsupported operations of access points, and unknown access points', async () => {
  const { s3 } = test;
  expect(
    await errorOf(s3.send(new S3.PutBucketVersioningCommand({ Bucket: alias, VersioningConfiguration: {} }))),
  ).toMatchObject({
    name: 'MethodNotAllowed',
    $metadata: { httpStatusCode: 405 },
  });
  // With AWS's own hosts, because in front of emu's address a name could also be a bucket's.
  const { endpoint: _endpoint, ...config } = test.emulator.clientConfig();
  for (const name of [`${arn}less`, `none-${'x'.repeat(34)}-s3alias`])
    expect(await errorOf(new S3.S3Client(config).send(new S3.ListObjectsV2Command({ Bucket: name })))).toMatchObject({
      name: 'NoSuchAccessPoint',
      message: 'The specified accesspoint does not exist',
    });
  expect((await errorOf(s3.send(new S3.ListObjectsV2Command({ Bucket: `none-${AccountId}` })))).name).toBe(
    'NoSuchBucket',
  );
  expect((await errorOf(s3.send(new S3.DeleteBucketCommand({ Bucket })))).name).toBe('BucketHasAccessPointsAttached');
  await test.control.deleteAccessPoint({ AccountId, Name: 'point' });
  await s3.send(new S3.DeleteBucketCommand({ Bucket }));
});

it('supports buckets whose names look like hosts of access points', async () => {
  const { s3 } = test;
  const name = `point-${AccountId}`;
  await s3.send(new S3.CreateBucketCommand({ Bucket: name }));
  await s3.send(new S3.PutObjectCommand({ Bucket: name, Key: 'mine', Body: 'x' }));
  const { Contents = [] } = await s3.send(new S3.ListObjectsV2Command({ Bucket }));
  expect(Contents).toEqual([]);
});

it('blocks public access if the account does', async () => {
  const { s3, control } = test;
  await s3.send(new S3.DeletePublicAccessBlockCommand({ Bucket }));
  await s3.send(
    new S3.PutBucketOwnershipControlsCommand({
      Bucket,
      OwnershipControls: { Rules: [{ ObjectOwnership: 'ObjectWriter' }] },
    }),
  );
  const acl = () => s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ACL: 'public-read' }));
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${Bucket}/*` }],
  });
  const policy = () => s3.send(new S3.PutBucketPolicyCommand({ Bucket, Policy }));
  await acl();
  await policy();
  await control.putPublicAccessBlock({
    AccountId,
    PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true },
  });
  expect((await errorOf(acl())).name).toBe('AccessDenied');
  expect((await errorOf(policy())).name).toBe('AccessDenied');
  await control.deletePublicAccessBlock({ AccountId });
  await acl();
  // The access point blocks everything by default, independent of its bucket.
  const through = byArn().send(new S3.PutObjectCommand({ Bucket: arn, Key: 'k', Body: 'x', ACL: 'public-read' }));
  expect((await errorOf(through)).name).toBe('AccessDenied');
});

it('routes Multi-Region Access Points to the active bucket', async () => {
  const { s3, control, emulator } = test;
  const there = 'there';
  await test
    .s3Of({ region: 'eu-west-1' })
    .send(
      new S3.CreateBucketCommand({ Bucket: there, CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }),
    );
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'here' }));
  await s3.send(new S3.PutObjectCommand({ Bucket: there, Key: 'k', Body: 'there' }));
  const Name = 'worldwide';
  const Details = { Name, Regions: [{ Bucket }, { Bucket: there }] };
  await control.createMultiRegionAccessPoint({ AccountId, ClientToken: 't', Details });
  await emulator.kernel.clock.advance(1000);
  const { Alias } = (await control.getMultiRegionAccessPoint({ AccountId, Name })).AccessPoint!;
  const Mrap = `arn:aws:s3::${AccountId}:accesspoint/${Alias}`;
  // Signed with SigV4A, for the host of the access point.
  const { endpoint: _endpoint, ...config } = emulator.clientConfig();
  const global = new S3.S3Client(config);
  const read = async () => text(await global.send(new S3.GetObjectCommand({ Bucket: Mrap, Key: 'k' })));
  expect(await read()).toBe('here');
  await control.submitMultiRegionAccessPointRoutes({
    AccountId,
    Mrap,
    RouteUpdates: [{ Region: 'us-east-1', TrafficDialPercentage: 0 }],
  });
  expect(await read()).toBe('there');
  await global.send(new S3.PutObjectCommand({ Bucket: Mrap, Key: 'new', Body: 'x' }));
  await s3.send(new S3.HeadObjectCommand({ Bucket: there, Key: 'new' }));
});

it('answers preflights at the hosts of access points by the rules of the bucket', async () => {
  await test.s3.send(
    new S3.PutBucketCorsCommand({
      Bucket,
      CORSConfiguration: { CORSRules: [{ AllowedMethods: ['PUT'], AllowedOrigins: ['https://page.example'] }] },
    }),
  );
  const ask = (host: string, origin: string) =>
    send(test, 'OPTIONS', '/k', { host, origin, 'access-control-request-method': 'PUT' });
  for (const host of [
    `point-${AccountId}.s3-accesspoint.us-east-1.amazonaws.com`,
    `${alias}.s3.us-east-1.amazonaws.com`,
  ]) {
    const allowed = await ask(host, 'https://page.example');
    expect(allowed).toMatchObject({ status: 200 });
    expect(allowed.headers['access-control-allow-origin']).toBe('https://page.example');
    expect((await ask(host, 'https://other.example')).status).toBe(403);
  }
});
