import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { ACCOUNT as AccountId, type ControlTest, errorOf, start } from './support.ts';

const Name = 'worldwide';
const buckets = { 'us-east-1': 'here', 'eu-west-1': 'there' } as const;

async function withBuckets(): Promise<ControlTest> {
  const test = await start();
  for (const [region, Bucket] of Object.entries(buckets))
    await test.s3Of({ region }).send(
      new CreateBucketCommand({
        Bucket,
        ...(region !== 'us-east-1' && { CreateBucketConfiguration: { LocationConstraint: region as 'eu-west-1' } }),
      }),
    );
  return test;
}

const create = ({ control }: ControlTest, ClientToken = 'token') =>
  control.createMultiRegionAccessPoint({
    AccountId,
    ClientToken,
    Details: { Name, Regions: [{ Bucket: 'here' }, { Bucket: 'there' }] },
  });

it('creates, returns and deletes Multi-Region Access Points while time passes', async () => {
  await using test = await withBuckets();
  const { control, emulator } = test;
  const { RequestTokenARN } = await create(test);
  expect((await create(test)).RequestTokenARN).toBe(RequestTokenARN);
  const status = async (arn = RequestTokenARN!) =>
    (await control.describeMultiRegionAccessPointOperation({ AccountId, RequestTokenARN: arn })).AsyncOperation!;
  expect(await status()).toMatchObject({
    Operation: 'CreateMultiRegionAccessPoint',
    RequestStatus: 'NEW',
    RequestParameters: { CreateMultiRegionAccessPointRequest: { Name } },
  });
  expect((await control.getMultiRegionAccessPoint({ AccountId, Name })).AccessPoint!.Status).toBe('CREATING');
  await emulator.kernel.clock.advance(1000);
  expect(await status()).toMatchObject({
    RequestStatus: 'SUCCEEDED',
    ResponseDetails: {
      MultiRegionAccessPointDetails: {
        Regions: [
          { Name: 'us-east-1', RequestStatus: 'SUCCEEDED' },
          { Name: 'eu-west-1', RequestStatus: 'SUCCEEDED' },
        ],
      },
    },
  });
  const { AccessPoint } = await control.getMultiRegionAccessPoint({ AccountId, Name });
  expect(AccessPoint).toMatchObject({
    Name,
    Alias: expect.stringMatching(/^m[a-z0-9]{12}\.mrap$/),
    Status: 'READY',
    Regions: [
      { Bucket: 'here', Region: 'us-east-1', BucketAccountId: AccountId },
      { Bucket: 'there', Region: 'eu-west-1', BucketAccountId: AccountId },
    ],
  });
  // Multi-Region Access Points belong to no region.
  const elsewhere = test.controlOf({ region: 'us-west-2' });
  expect((await elsewhere.listMultiRegionAccessPoints({ AccountId })).AccessPoints).toEqual([AccessPoint]);
  const removed = await control.deleteMultiRegionAccessPoint({ AccountId, ClientToken: 'two', Details: { Name } });
  expect((await control.getMultiRegionAccessPoint({ AccountId, Name })).AccessPoint!.Status).toBe('DELETING');
  await emulator.kernel.clock.advance(1000);
  expect((await status(removed.RequestTokenARN)).RequestStatus).toBe('SUCCEEDED');
  expect(await errorOf(control.getMultiRegionAccessPoint({ AccountId, Name }))).toMatchObject({
    name: 'NoSuchMultiRegionAccessPoint',
    $metadata: { httpStatusCode: 404 },
  });
});

it('rejects invalid ones', async () => {
  await using test = await withBuckets();
  const { control } = test;
  const make = (Regions: { Bucket: string }[], ClientToken: string, name = 'another') =>
    errorOf(control.createMultiRegionAccessPoint({ AccountId, ClientToken, Details: { Name: name, Regions } }));
  expect((await make([{ Bucket: 'nowhere' }], 'a')).name).toBe('NoSuchBucket');
  expect((await make([{ Bucket: 'here' }, { Bucket: 'here' }], 'b')).name).toBe('InvalidRequest');
  expect((await make([{ Bucket: 'here' }], 'c', 'Bad_Name')).name).toBe('InvalidRequest');
  await create(test);
  expect((await make([{ Bucket: 'here' }], 'token')).name).toBe('ClientTokenConflict');
  expect((await make([{ Bucket: 'here' }], 'd', Name)).name).toBe('MultiRegionAccessPointAlreadyOwnedByYou');
  const RequestTokenARN = `arn:aws:s3:us-west-2:${AccountId}:async-request/mrap/create/none`;
  const unknown = control.describeMultiRegionAccessPointOperation({ AccountId, RequestTokenARN });
  expect((await errorOf(unknown)).name).toBe('NoSuchAsyncRequest');
});

it('stores policies and routes', async () => {
  await using test = await withBuckets();
  const { control, emulator } = test;
  await create(test);
  await emulator.kernel.clock.advance(1000);
  const { Alias } = (await control.getMultiRegionAccessPoint({ AccountId, Name })).AccessPoint!;
  const arn = `arn:aws:s3::${AccountId}:accesspoint/${Alias}`;
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS: AccountId }, Action: 's3:GetObject', Resource: `${arn}/object/*` },
    ],
  });
  await control.putMultiRegionAccessPointPolicy({ AccountId, ClientToken: 'p', Details: { Name, Policy } });
  const policy = async () => (await control.getMultiRegionAccessPointPolicy({ AccountId, Name })).Policy;
  expect(await policy()).toEqual({ Proposed: { Policy } });
  await emulator.kernel.clock.advance(1000);
  // The Terraform provider reads the proposed one: flattenMultiRegionAccessPointPolicyDocument.
  expect(await policy()).toEqual({ Established: { Policy }, Proposed: { Policy } });
  expect((await control.getMultiRegionAccessPointPolicyStatus({ AccountId, Name })).Established).toEqual({
    IsPublic: false,
  });
  const routes = async () => {
    const { Routes } = await control.getMultiRegionAccessPointRoutes({ AccountId, Mrap: arn });
    return Routes!.map(({ Region, TrafficDialPercentage }) => [Region, TrafficDialPercentage]);
  };
  expect(await routes()).toEqual([
    ['us-east-1', 100],
    ['eu-west-1', 100],
  ]);
  const submit = (TrafficDialPercentage: number, Region: string) =>
    control.submitMultiRegionAccessPointRoutes({
      AccountId,
      Mrap: arn,
      RouteUpdates: [{ Region, TrafficDialPercentage }],
    });
  await submit(0, 'us-east-1');
  expect(await routes()).toEqual([
    ['us-east-1', 0],
    ['eu-west-1', 100],
  ]);
  for (const [dial, region] of [
    [0, 'eu-west-1'],
    [50, 'eu-west-1'],
    [100, 'ap-south-1'],
  ] as const)
    expect((await errorOf(submit(dial, region))).name).toBe('InvalidRequest');
});
