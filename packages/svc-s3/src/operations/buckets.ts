import { accessPointDirectory } from '@emu/core/service';
import type {
  CreateBucketRequest,
  GetBucketLocationOutput,
  InputOf,
  ObjectOwnership,
  OutputOf,
} from '@emu/service-types/s3';
import model from '../../model/s3.json' with { type: 'json' };
import { accessPointUse } from '../access-control/access-points.ts';
import { readAcl } from '../access-control/acl.ts';
import { ownerOf } from '../access-control/owners.ts';
import { defaultConfigurations } from '../buckets/configurations.ts';
import { checkBucketName, checkNamespace } from '../buckets/name.ts';
import type { S3Context } from '../context.ts';
import { directoryOf, isDirectoryName } from '../directory-buckets/restrictions.ts';
import { invalidArgument, s3Error } from '../errors.ts';
import { findBucket, requireBucket, stateOf } from '../lookup.ts';
import { wholeSeconds } from '../objects/versions.ts';
import { paging } from '../paging.ts';
import { bucketArn } from '../resources.ts';
import { taggingOf } from '../tags.ts';
import { ListDirectoryBuckets } from './directory-buckets.ts';

/** AWS's default quota of buckets per account. */
const MAX_BUCKETS = 10_000;

/** Default region of new buckets. */
const DEFAULT_REGION = 'us-east-1';

/** Location constraints that are not region names. */
const LEGACY_LOCATIONS: Readonly<Record<string, string>> = { EU: 'eu-west-1' };

/** Regions known to S3. */
const REGIONS: ReadonlySet<string> = new Set([DEFAULT_REGION, ...model.shapes.BucketLocationConstraint.enum]);

/**
 * Canned ACLs of objects, which the creation of a bucket ignores.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
const IGNORED_ACLS: ReadonlySet<string | undefined> = new Set(['bucket-owner-read', 'bucket-owner-full-control']);

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html */
export function CreateBucket(input: InputOf<'CreateBucket'>, ctx: S3Context): OutputOf<'CreateBucket'> {
  const name = input.Bucket;
  const directory = isDirectoryName(name) ? directoryOf(name, input.CreateBucketConfiguration) : undefined;
  if (!directory) checkBucketName(name);
  const region = directory ? ctx.region : locationOf(input, ctx.region);
  if (!directory) checkNamespace(name, input.BucketNamespace, { accountId: ctx.accountId, region });
  const location = input.CreateBucketConfiguration?.LocationConstraint;
  const tags = input.CreateBucketConfiguration?.Tags;
  const ownership = ownershipOf(input.ObjectOwnership);
  const acl = IGNORED_ACLS.has(input.ACL) ? undefined : readAcl(input, ctx.accountId, ctx.accountId);
  if (acl && ownership === 'BucketOwnerEnforced' && input.ACL !== 'private')
    throw s3Error(
      'InvalidBucketAclWithObjectOwnership',
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
      { status: 400 },
    );
  const existing = findBucket(ctx, name);
  if (existing && existing.accountId !== ctx.accountId)
    throw s3Error(
      'BucketAlreadyExists',
      'The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.',
      { members: { BucketName: name } },
    );
  if (existing) {
    // us-east-1 accepts a repeated creation, unless it has tags.
    if (ctx.region === DEFAULT_REGION && existing.region === DEFAULT_REGION && !tags?.length)
      return { Location: `/${name}`, BucketArn: bucketArn(existing) };
    throw s3Error(
      'BucketAlreadyOwnedByYou',
      'Your previous request to create the named bucket succeeded and you already own it.',
      { members: { BucketName: name } },
    );
  }
  const bucket = ctx.state.createBucket({
    name,
    region,
    ...(location !== undefined && location in LEGACY_LOCATIONS && { location }),
    createdAt: wholeSeconds(ctx.clock.now()),
    ...(directory && { directory }),
    ...(input.ObjectLockEnabledForBucket && { objectLock: true, versioning: 'Enabled' }),
    ...(tags && { tags: taggingOf('new bucket').merge(undefined, tags) }),
    ...(acl && { acl }),
    configurations: { ...defaultConfigurations(), ownership },
  });
  if (directory)
    return {
      Location: `https://${name}.s3express-${directory.zone}.${region}.amazonaws.com/`,
      BucketArn: bucketArn(bucket),
    };
  return {
    Location: region === DEFAULT_REGION ? `/${name}` : `http://${name}.s3.${ctx.settings.domain}/`,
    BucketArn: bucketArn(bucket),
  };
}

/** @throws AwsError `InvalidArgument` */
function ownershipOf(given: string | undefined): ObjectOwnership {
  if (given === undefined) return 'BucketOwnerEnforced';
  if (given !== 'BucketOwnerPreferred' && given !== 'ObjectWriter' && given !== 'BucketOwnerEnforced')
    throw invalidArgument(`Invalid x-amz-object-ownership header: ${given}`, 'x-amz-object-ownership');
  return given;
}

/**
 * Returns the region of a new bucket.
 * @throws AwsError `InvalidLocationConstraint`, `IllegalLocationConstraintException`
 */
function locationOf(input: CreateBucketRequest, requestRegion: string): string {
  const given = input.CreateBucketConfiguration?.LocationConstraint;
  if (given === undefined || given === ('' as string)) {
    if (requestRegion === DEFAULT_REGION || input.CreateBucketConfiguration?.Location) return requestRegion;
    throw s3Error(
      'IllegalLocationConstraintException',
      'The unspecified location constraint is incompatible for the region specific endpoint this request was sent to.',
      { status: 400 },
    );
  }
  const constraint: string = given;
  const region = LEGACY_LOCATIONS[constraint] ?? constraint;
  // Only us-east-1 distinguishes invalid locations from those of other regions.
  if (requestRegion === DEFAULT_REGION && (!REGIONS.has(region) || constraint === DEFAULT_REGION))
    throw s3Error('InvalidLocationConstraint', 'The specified location-constraint is not valid', {
      status: 400,
      members: { LocationConstraint: constraint },
    });
  if (requestRegion !== DEFAULT_REGION && requestRegion !== region)
    throw s3Error(
      'IllegalLocationConstraintException',
      `The ${constraint} location constraint is incompatible for the region specific endpoint this request was sent to.`,
      { status: 400 },
    );
  return region;
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucket.html */
export async function DeleteBucket(input: InputOf<'DeleteBucket'>, ctx: S3Context): Promise<OutputOf<'DeleteBucket'>> {
  const points = await ctx.handle.capability(accessPointDirectory);
  const bucket = requireBucket(ctx, input);
  if (bucket.objects.size > 0) {
    const versioned = bucket.record.versioning === undefined ? '' : '. You must delete all versions in the bucket.';
    throw s3Error('BucketNotEmpty', `The bucket you tried to delete is not empty${versioned}`, {
      status: 409,
      members: { BucketName: bucket.name },
    });
  }
  for (const point of points?.all() ?? [])
    if (point.bucket === bucket.name && point.bucketAccountId === bucket.accountId)
      throw s3Error(
        'BucketHasAccessPointsAttached',
        'The bucket you are attempting to delete has access points attached. Delete your access points and try again.',
        { status: 400 },
      );
  stateOf(ctx, bucket).deleteBucket(bucket);
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html */
export function HeadBucket(input: InputOf<'HeadBucket'>, ctx: S3Context): OutputOf<'HeadBucket'> {
  const bucket = requireBucket(ctx, input);
  const { directory } = bucket.record;
  ctx.reply.headers['content-type'] = 'application/xml';
  return {
    ...(directory && { BucketLocationType: directory.zoneType, BucketLocationName: directory.zone }),
    BucketRegion: bucket.region,
    BucketArn: bucketArn(bucket),
    AccessPointAlias: accessPointUse(input) !== undefined,
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLocation.html */
export function GetBucketLocation(input: InputOf<'GetBucketLocation'>, ctx: S3Context): OutputOf<'GetBucketLocation'> {
  const { region, record } = requireBucket(ctx, input);
  return region === DEFAULT_REGION
    ? {}
    : { LocationConstraint: (record.location ?? region) as NonNullable<GetBucketLocationOutput['LocationConstraint']> };
}

/**
 * Returns the parameter specific to the list of directory buckets; text that is not a number is rejected like numbers
 * out of range.
 */
function maxDirectoryBuckets(query: string | undefined): { MaxDirectoryBuckets?: number } {
  const value = new URLSearchParams(query).get('max-directory-buckets');
  return value === null ? {} : { MaxDirectoryBuckets: /^-?\d+$/.test(value) ? Number(value) : Number.NaN };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html */
export function ListBuckets(input: InputOf<'ListBuckets'>, ctx: S3Context): OutputOf<'ListBuckets'> {
  // Both lists have the same path and differ only by endpoint and therefore signing name.
  if (/\/s3express\/aws4_request/.test(String(ctx.http?.headers.authorization ?? '')))
    return ListDirectoryBuckets(
      { ContinuationToken: input.ContinuationToken, ...maxDirectoryBuckets(ctx.http?.query) },
      ctx,
    );
  const { MaxBuckets: max = MAX_BUCKETS, Prefix: prefix, BucketRegion: region } = input;
  if (max < 1 || max > MAX_BUCKETS)
    throw invalidArgument(
      `Argument max-buckets must be an integer between 1 and ${MAX_BUCKETS}`,
      'max-buckets',
      String(max),
    );
  if (region !== undefined && !REGIONS.has(region))
    throw invalidArgument(`Argument value ${region} is not a valid AWS Region`, 'bucket-region');
  const found = ctx.state
    .buckets()
    .filter(
      (bucket) =>
        !bucket.record.directory &&
        (prefix === undefined || bucket.name.startsWith(prefix)) &&
        (region === undefined || bucket.region === region),
    );
  const { items, next } = paging.page('ListBuckets', input, found, ({ name }) => name, { defaultLimit: MAX_BUCKETS });
  const paged = [input.MaxBuckets, prefix, region, input.ContinuationToken].some((given) => given !== undefined);
  return {
    Buckets: items.map((bucket) => ({
      Name: bucket.name,
      CreationDate: new Date(bucket.record.createdAt),
      ...(paged && { BucketRegion: bucket.region }),
      BucketArn: bucketArn(bucket),
    })),
    Owner: ownerOf(ctx.accountId),
    ...(prefix !== undefined && { Prefix: prefix }),
    ...next,
  };
}
