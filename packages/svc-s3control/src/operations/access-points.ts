import { parseArn } from '@emu/core/service';
import type { AccessPoint, InputOf, ListAccessPointsResult, OutputOf } from '@emu/service-types/s3control';
import { AwsError } from '@emu/wire';
import { checkAccessPointName, endpointsOf, newAlias } from '../access-points/access-point.ts';
import { EVERYTHING_BLOCKED, settingsOf } from '../access-points/public-access-block.ts';
import { checkScope } from '../access-points/scope.ts';
import type { S3controlContext } from '../context.ts';
import { checkAccount, findAccessPoint } from '../context.ts';
import { accessDenied, invalidRequest, s3controlError } from '../errors.ts';
import { paging } from '../paging.ts';
import type { AccessPointRecord } from '../records.ts';
import { accessPointArn, isOfDirectory, resourceName } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Maximum access points per account and region. */

/** @throws AwsError `InvalidURI`, `InvalidRequest`, `AccessPointAlreadyOwnedByYou`, `TooManyAccessPoints` */
export async function CreateAccessPoint(
  input: InputOf<'CreateAccessPoint'>,
  ctx: S3controlContext,
): Promise<OutputOf<'CreateAccessPoint'>> {
  checkAccount(ctx, input.AccountId);
  const { Name: name, Bucket: bucket } = input;
  if (parseArn(bucket) || ctx.http?.headers['x-amz-outpost-id'] !== undefined)
    throw s3controlError('NotImplemented', 'Access points of buckets on Outposts are not implemented by emu.', {
      status: 501,
    });
  checkAccessPointName(name);
  if (isOfDirectory(name) !== bucket.endsWith('--x-s3') || (isOfDirectory(name) && zoneOf(name) !== zoneOf(bucket)))
    throw invalidRequest('The access point name and the bucket are not in the same zone.');
  if (input.Scope && !isOfDirectory(name))
    throw invalidRequest('Access point scope is supported for access points of directory buckets only.');
  const tags = tagging.merge(undefined, input.Tags);
  const scope = input.Scope && checkScope(input.Scope);
  const bucketAccountId = input.BucketAccountId ?? input.AccountId;
  await requireBucket(bucket, bucketAccountId, ctx);
  const { accessPoints } = ctx.state;
  if (accessPoints.has(name))
    throw s3controlError(
      'AccessPointAlreadyOwnedByYou',
      'Your previous request to create the named accesspoint succeeded and you already own it.',
      { status: 409 },
    );
  const alias = newAlias(name, ctx.ids);
  const vpcId = input.VpcConfiguration?.VpcId;
  ctx.state.createAccessPoint({
    name,
    alias,
    bucket,
    bucketAccountId,
    ...(vpcId !== undefined && { vpcId }),
    publicAccessBlock: input.PublicAccessBlockConfiguration
      ? settingsOf(input.PublicAccessBlockConfiguration)
      : EVERYTHING_BLOCKED,
    ...(scope && { scope }),
    tags,
    createdAt: Math.floor(ctx.clock.now() / 1000) * 1000,
  });
  return { AccessPointArn: accessPointArn(name, ctx), Alias: alias };
}

/** Returns the zone suffix in the name of a directory bucket or its access point. */
const zoneOf = (name: string): string | undefined => /--([a-z0-9-]+?)--(?:x|xa)-s3$/.exec(name)?.[1];

/**
 * @throws AwsError `InvalidRequest` if the bucket is missing in the region, `AccessDenied` if another account owns it
 */
async function requireBucket(Bucket: string, owner: string, ctx: S3controlContext): Promise<void> {
  const missing = () => invalidRequest('Amazon S3 AccessPoint can only be created for existing bucket');
  try {
    const { BucketRegion } = await ctx.call('s3', 'HeadBucket', {
      Bucket,
      ExpectedBucketOwner: owner,
    });
    if (BucketRegion !== undefined && BucketRegion !== ctx.region) throw missing();
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code === 'NoSuchBucket') throw missing();
    if (error.code === 'AccessDenied') throw accessDenied();
    throw error;
  }
}

/** @throws AwsError `NoSuchAccessPoint` */
export function GetAccessPoint(input: InputOf<'GetAccessPoint'>, ctx: S3controlContext): OutputOf<'GetAccessPoint'> {
  const { name, alias, bucket, bucketAccountId, vpcId, publicAccessBlock, createdAt } = findAccessPoint(ctx, input);
  return {
    Name: name,
    Bucket: bucket,
    NetworkOrigin: vpcId === undefined ? 'Internet' : 'VPC',
    ...(vpcId !== undefined && { VpcConfiguration: { VpcId: vpcId } }),
    PublicAccessBlockConfiguration: publicAccessBlock,
    CreationDate: new Date(createdAt),
    Alias: alias,
    AccessPointArn: accessPointArn(name, ctx),
    Endpoints: endpointsOf(ctx.region),
    BucketAccountId: bucketAccountId,
  };
}

/** @throws AwsError `NoSuchAccessPoint` */
export function DeleteAccessPoint(
  input: InputOf<'DeleteAccessPoint'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessPoint'> {
  ctx.state.deleteAccessPoint(findAccessPoint(ctx, input));
  return {};
}

const listed = (record: Readonly<Omit<AccessPointRecord, 'tags' | 'scope'>>, ctx: S3controlContext): AccessPoint => ({
  Name: record.name,
  NetworkOrigin: record.vpcId === undefined ? 'Internet' : 'VPC',
  ...(record.vpcId !== undefined && { VpcConfiguration: { VpcId: record.vpcId } }),
  Bucket: record.bucket,
  AccessPointArn: accessPointArn(record.name, ctx),
  Alias: record.alias,
  BucketAccountId: record.bucketAccountId,
});

function list(
  operation: 'ListAccessPoints' | 'ListAccessPointsForDirectoryBuckets',
  ctx: S3controlContext,
  input: { AccountId: string; NextToken?: string | undefined; MaxResults?: number | undefined },
  wanted: (record: Readonly<Pick<AccessPointRecord, 'name' | 'bucket'>>) => boolean,
): ListAccessPointsResult {
  checkAccount(ctx, input.AccountId);
  const records = [...ctx.state.accessPoints.values()].filter(wanted);
  return paging.page(operation, input, records, ({ name }) => name).list((record) => listed(record, ctx));
}

/** Lists access points of general purpose buckets in order of name. */
export function ListAccessPoints(
  input: InputOf<'ListAccessPoints'>,
  ctx: S3controlContext,
): OutputOf<'ListAccessPoints'> {
  const { Bucket: bucket, DataSourceId: source, DataSourceType: type } = input;
  // Another source could only be an FSx file system; emu has none.
  const other = source !== undefined || (type !== undefined && type !== 'S3');
  const wanted = bucket === undefined ? undefined : resourceName(bucket);
  return list(
    'ListAccessPoints',
    ctx,
    input,
    (record) => !other && !isOfDirectory(record.name) && (wanted === undefined || record.bucket === wanted),
  );
}

/** Lists access points of directory buckets in order of name. */
export function ListAccessPointsForDirectoryBuckets(
  input: InputOf<'ListAccessPointsForDirectoryBuckets'>,
  ctx: S3controlContext,
): OutputOf<'ListAccessPointsForDirectoryBuckets'> {
  const { DirectoryBucket: bucket } = input;
  return list(
    'ListAccessPointsForDirectoryBuckets',
    ctx,
    input,
    (record) => isOfDirectory(record.name) && (bucket === undefined || record.bucket === bucket),
  );
}
