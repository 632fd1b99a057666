import type { InputOf, MultiRegionAccessPointReport, OutputOf, Region } from '@emu/service-types/s3control';
import { AwsError } from '@emu/wire';
import { EVERYTHING_BLOCKED, settingsOf } from '../access-points/public-access-block.ts';
import type { S3controlContext } from '../context.ts';
import { checkAccount, globalState } from '../context.ts';
import { accessDenied, invalidRequest, s3controlError } from '../errors.ts';
import type { MultiRegionView, RouteRecord } from '../multi-region/records.ts';
import { findMultiRegion, noSuchMultiRegion, submit } from '../multi-region/requests.ts';
import { paging } from '../paging.ts';

const ALIAS_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Maximum access points per account, and buckets per access point. */
const MAX_POINTS = 100;
const MAX_BUCKETS = 20;

/**
 * Requests the creation of a Multi-Region Access Point.
 * @throws AwsError `InvalidRequest`, `NoSuchBucket`, `MultiRegionAccessPointAlreadyOwnedByYou`,
 * `TooManyMultiRegionAccessPoints`, `ClientTokenConflict`
 */
export async function CreateMultiRegionAccessPoint(
  input: InputOf<'CreateMultiRegionAccessPoint'>,
  ctx: S3controlContext,
): Promise<OutputOf<'CreateMultiRegionAccessPoint'>> {
  checkAccount(ctx, input.AccountId);
  const { Name: name, Regions: regions, PublicAccessBlock: publicAccess } = input.Details;
  if (!/^[a-z0-9][-a-z0-9]{1,48}[a-z0-9]$/.test(name))
    throw invalidRequest('The specified Multi-Region Access Point name is not valid.');
  if (regions.length === 0 || regions.length > MAX_BUCKETS)
    throw invalidRequest(`A Multi-Region Access Point must have between 1 and ${MAX_BUCKETS} buckets.`);
  const routes = await routesOf(regions, ctx);
  return submit(ctx, input.ClientToken, 'CreateMultiRegionAccessPoint', input.Details, (view) => {
    if (view.get(name))
      throw s3controlError(
        'MultiRegionAccessPointAlreadyOwnedByYou',
        'You already have a Multi-Region Access Point with the same name',
        { status: 409 },
      );
    if (view.points.size >= MAX_POINTS)
      throw s3controlError(
        'TooManyMultiRegionAccessPoints',
        'You have attempted to create more Multi-Region Access Points than are allowed for an account',
        { status: 400 },
      );
    view.points.put(name, {
      name,
      alias: `m${ctx.ids.chars(12, ALIAS_ALPHABET)}.mrap`,
      status: 'CREATING',
      publicAccessBlock: publicAccess ? settingsOf(publicAccess) : EVERYTHING_BLOCKED,
      routes,
      createdAt: ctx.clock.now(),
    });
  });
}

/**
 * Resolves the buckets.
 * @throws AwsError `NoSuchBucket`, `AccessDenied`, `InvalidRequest` for two in a region
 */
async function routesOf(regions: readonly Region[], ctx: S3controlContext): Promise<RouteRecord[]> {
  const routes: RouteRecord[] = [];
  for (const { Bucket: bucket, BucketAccountId: owner = ctx.accountId } of regions) {
    const region = await regionOf(bucket, owner, ctx);
    if (routes.some((route) => route.region === region))
      throw invalidRequest('Each bucket of a Multi-Region Access Point must be in a different Region.');
    routes.push({ bucket, bucketAccountId: owner, region, dial: 100 });
  }
  return routes;
}

async function regionOf(Bucket: string, owner: string, ctx: S3controlContext): Promise<string> {
  try {
    const head = await ctx.call('s3', 'HeadBucket', { Bucket, ExpectedBucketOwner: owner });
    return head.BucketRegion ?? ctx.region;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'AccessDenied') throw accessDenied();
    throw error;
  }
}

/**
 * Requests a deletion.
 * @throws AwsError `NoSuchMultiRegionAccessPoint`, `ClientTokenConflict`
 */
export function DeleteMultiRegionAccessPoint(
  input: InputOf<'DeleteMultiRegionAccessPoint'>,
  ctx: S3controlContext,
): OutputOf<'DeleteMultiRegionAccessPoint'> {
  checkAccount(ctx, input.AccountId);
  const { Name: name } = input.Details;
  return submit(ctx, input.ClientToken, 'DeleteMultiRegionAccessPoint', input.Details, (view) => {
    if (!view.get(name)) throw noSuchMultiRegion();
    view.points.update(name, (draft) => {
      draft.status = 'DELETING';
    });
  });
}

/** @throws AwsError `NoSuchAsyncRequest` */
export function DescribeMultiRegionAccessPointOperation(
  input: InputOf<'DescribeMultiRegionAccessPointOperation'>,
  ctx: S3controlContext,
): OutputOf<'DescribeMultiRegionAccessPointOperation'> {
  checkAccount(ctx, input.AccountId);
  const view = globalState(ctx).multiRegion;
  const request = view.request(input.RequestTokenARN);
  if (!request) throw s3controlError('NoSuchAsyncRequest', 'The specified request was not found', { status: 404 });
  const { arn, operation, parameters, status, error, createdAt, name } = request;
  const regions = view.get(name)?.routes ?? [];
  return {
    AsyncOperation: {
      CreationTime: new Date(createdAt),
      Operation: operation,
      RequestTokenARN: arn,
      RequestParameters: structuredClone(parameters) as Exclude<typeof parameters, undefined> as never,
      RequestStatus: status,
      ResponseDetails: {
        MultiRegionAccessPointDetails: {
          Regions: regions.map(({ region }) => ({ Name: region, RequestStatus: status })),
        },
        ...(error && { ErrorDetails: { Code: error.code, Message: error.message, Resource: name } }),
      },
    },
  };
}

function reportOf({
  name,
  alias,
  createdAt,
  publicAccessBlock,
  status,
  routes,
}: MultiRegionView): MultiRegionAccessPointReport {
  return {
    Name: name,
    Alias: alias,
    CreatedAt: new Date(createdAt),
    PublicAccessBlock: publicAccessBlock,
    Status: status,
    Regions: routes.map(({ bucket, region, bucketAccountId }) => ({
      Bucket: bucket,
      Region: region,
      BucketAccountId: bucketAccountId,
    })),
  };
}

/** @throws AwsError `NoSuchMultiRegionAccessPoint` */
export function GetMultiRegionAccessPoint(
  input: InputOf<'GetMultiRegionAccessPoint'>,
  ctx: S3controlContext,
): OutputOf<'GetMultiRegionAccessPoint'> {
  return { AccessPoint: reportOf(findMultiRegion(ctx, input)) };
}

/** Lists all of the account in order of name. */
export function ListMultiRegionAccessPoints(
  input: InputOf<'ListMultiRegionAccessPoints'>,
  ctx: S3controlContext,
): OutputOf<'ListMultiRegionAccessPoints'> {
  checkAccount(ctx, input.AccountId);
  return paging
    .page('ListMultiRegionAccessPoints', input, globalState(ctx).multiRegion.points.values(), ({ name }) => name, {
      defaultLimit: 100,
    })
    .list(reportOf);
}
