import {
  type BucketAccessPoint,
  checkS3Policy,
  type DeepReadonly,
  dnsSuffixOf,
  type Ids,
  identityDirectory,
  invalidS3Principal,
  isPublicPolicy,
  type ObjectLambdaAccessPoint,
  type S3ResourceKind,
  unknownPrincipal,
} from '@emu/core/service';
import type { S3controlContext } from '../context.ts';
import { globalState } from '../context.ts';
import { invalidUri, publicPolicyBlocked } from '../errors.ts';
import type { AccessPointRecord, PublicAccessBlock } from '../records.ts';
import { accessPointArn, isOfDirectory, objectLambdaType } from '../resources.ts';
import type { ObjectLambdaRecord } from './object-lambda-records.ts';
import { EVERYTHING_BLOCKED } from './public-access-block.ts';

const ALIAS_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Name suffix of directory bucket access points: their zone. */
const DIRECTORY_SUFFIX = /--[a-z0-9]+-az\d+--xa-s3$|--[a-z0-9-]+--xa-s3$/;

/**
 * Validates the name of a new access point.
 * @throws AwsError `InvalidURI`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-restrictions-limitations-naming-rules.html
 */
export function checkAccessPointName(name: string): void {
  const base = name.replace(DIRECTORY_SUFFIX, '');
  const valid =
    /^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/.test(base) && !base.startsWith('xn--') && !base.endsWith('-s3alias');
  if (!valid) throw invalidUri(`accesspoint/${name}`);
}

/**
 * Creates an alias: the start of the name and 34 random characters. Access points of directory buckets use their names.
 */
export function newAlias(name: string, ids: Ids): string {
  if (isOfDirectory(name)) return name;
  const metadata = ids.chars(34, ALIAS_ALPHABET);
  return `${name.slice(0, 20).replace(/-+$/, '')}-${metadata}-s3alias`;
}

/** Creates an alias of an Object Lambda access point, shorter to fit a bucket name. */
export function newObjectLambdaAlias(name: string, ids: Ids): string {
  return `${name.slice(0, 20).replace(/-+$/, '')}-${ids.chars(34, ALIAS_ALPHABET)}--ol-s3`;
}

/** Returns the host names of access points in a region, by kind. */
export function endpointsOf(region: string): Record<string, string> {
  const suffix = `${region}.${dnsSuffixOf(region)}`;
  return {
    ipv4: `s3-accesspoint.${suffix}`,
    fips: `s3-accesspoint-fips.${suffix}`,
    fips_dualstack: `s3-accesspoint-fips.dualstack.${suffix}`,
    dualstack: `s3-accesspoint.dualstack.${suffix}`,
  };
}

/** Returns the access point as S3 and the control routes use it. */
export function entryOf(record: DeepReadonly<AccessPointRecord>, accountId: string, region: string): BucketAccessPoint {
  const { name, alias, bucket, bucketAccountId, vpcId, publicAccessBlock, policy, scope, tags, createdAt } = record;
  return {
    kind: 'access-point',
    arn: accessPointArn(name, { accountId, region }),
    name,
    accountId,
    region,
    alias,
    bucket,
    bucketAccountId,
    networkOrigin: vpcId === undefined ? 'Internet' : 'VPC',
    vpcId,
    publicAccessBlock,
    policy,
    tags,
    scope: scope && { prefixes: scope.Prefixes ?? [], permissions: scope.Permissions ?? [] },
    createdAt,
  };
}

/** Returns the object Lambda access point as S3 uses it. */
export function objectLambdaEntryOf(
  { name, alias, policy, configuration }: DeepReadonly<ObjectLambdaRecord>,
  accountId: string,
  region: string,
): ObjectLambdaAccessPoint {
  return {
    kind: 'object-lambda',
    arn: objectLambdaType.arn({ name }, { accountId, region }),
    name,
    accountId,
    region,
    alias,
    policy,
    publicAccessBlock: EVERYTHING_BLOCKED,
    supportingAccessPoint: configuration.SupportingAccessPoint,
    allowedFeatures: configuration.AllowedFeatures ?? [],
    transformations: configuration.TransformationConfigurations.map(({ Actions, ContentTransformation }) => ({
      actions: Actions,
      functionArn: ContentTransformation.AwsLambda!.FunctionArn,
      payload: ContentTransformation.AwsLambda!.FunctionPayload,
    })),
  };
}

/**
 * Whether a policy makes an access point public; access points of a VPC never are.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
 */
export const grantsPublicAccess = (policy: string, { vpcId }: { readonly vpcId?: string | undefined }): boolean =>
  vpcId === undefined && isPublicPolicy(policy);

/**
 * Validates the policy of an access point of any kind. `OperationContext.wouldRefuse` checks that named users and roles
 * of the account exist.
 * @throws AwsError `MalformedPolicy`, `PolicyTooLarge`, `AccessDenied` if it grants blocked public access
 */
export async function checkPolicy(
  policy: string,
  arn: string,
  action: string,
  point: { readonly publicAccessBlock: DeepReadonly<PublicAccessBlock>; readonly vpcId?: string | undefined },
  ctx: S3controlContext,
): Promise<void> {
  const parsed = checkS3Policy(policy, { covers: (resource) => covers(resource, arn), kindOf });
  if ((await unknownPrincipal(parsed, ctx.accountId, await ctx.handle.capability(identityDirectory))) !== undefined)
    ctx.wouldRefuse(invalidS3Principal());
  const blocked = point.publicAccessBlock.BlockPublicPolicy || globalState(ctx).publicAccessBlock?.BlockPublicPolicy;
  if (blocked && grantsPublicAccess(policy, point)) throw publicPolicyBlocked(ctx.principal.arn, action, arn);
}

/** Whether a resource with wildcards may match an access point or its objects. */
function covers(resource: string, arn: string): boolean {
  if (resource === '*') return true;
  const wildcard = resource.search(/[*?]/);
  const fixed = wildcard < 0 ? resource : resource.slice(0, wildcard);
  if (wildcard >= 0 && arn.startsWith(fixed)) return true;
  return fixed === arn || fixed.startsWith(`${arn}/object`);
}

/** Returns the kind of a resource: the access point or its objects. */
function kindOf(resource: string): S3ResourceKind {
  const [name, object] = resource.split('/object', 2);
  if (name!.includes('*')) return 'both';
  return object === undefined ? 'bucket' : 'object';
}
