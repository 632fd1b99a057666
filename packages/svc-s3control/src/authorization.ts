import {
  type AuthorizationRequest,
  type AuthorizationRequests,
  type NamedResource,
  namedResource,
  permissionOn,
  type ServiceAuthorization,
} from '@emu/core/service';
import type { S3controlOperations } from '@emu/service-types/s3control';
import { accessGrantsPolicy } from './access-grants/instance.ts';
import { accessGrantsCondition, type ConditionInput, jobCondition } from './condition-keys.ts';
import type { S3controlContext } from './context.ts';
import { globalState } from './context.ts';
import {
  accessGrantsLocationType,
  accessGrantType,
  accessPointArn,
  directoryAccessPointType,
  isAccessGrants,
  jobType,
  multiRegionType,
  outpostsBucketType,
  resourceName,
  resources,
} from './resources.ts';
import type { S3ControlState } from './state.ts';

/** Input members used by permissions and their conditions. */
interface Named extends ConditionInput {
  Bucket?: string;
  OutpostId?: string;
  Mrap?: string;
  ResourceArn?: string;
  RequestTokenARN?: string;
  RoleArn?: string;
  IAMRoleArn?: string;
  ReplicationConfiguration?: { Role: string };
  Details?: { Name: string };
}

/**
 * Actions with a name other than their operation's.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */
const ACTIONS: Readonly<Record<string, string>> = {
  DeletePublicAccessBlock: 'PutAccountPublicAccessBlock',
  GetPublicAccessBlock: 'GetAccountPublicAccessBlock',
  PutPublicAccessBlock: 'PutAccountPublicAccessBlock',
};

/** Operations of S3 on Outposts, whose actions have their own prefix. */
const OUTPOSTS: Readonly<Record<string, string>> = {
  CreateBucket: 'CreateBucket',
  DeleteBucket: 'DeleteBucket',
  DeleteBucketLifecycleConfiguration: 'PutLifecycleConfiguration',
  DeleteBucketPolicy: 'DeleteBucketPolicy',
  DeleteBucketReplication: 'PutReplicationConfiguration',
  DeleteBucketTagging: 'PutBucketTagging',
  GetBucket: 'GetBucket',
  GetBucketLifecycleConfiguration: 'GetLifecycleConfiguration',
  GetBucketPolicy: 'GetBucketPolicy',
  GetBucketReplication: 'GetReplicationConfiguration',
  GetBucketTagging: 'GetBucketTagging',
  GetBucketVersioning: 'GetBucketVersioning',
  ListRegionalBuckets: 'ListRegionalBuckets',
  PutBucketLifecycleConfiguration: 'PutLifecycleConfiguration',
  PutBucketPolicy: 'PutBucketPolicy',
  PutBucketReplication: 'PutReplicationConfiguration',
  PutBucketTagging: 'PutBucketTagging',
  PutBucketVersioning: 'PutBucketVersioning',
};

/** Returns the resource of an operation; undefined if it concerns none in particular. */
function resourceOf(operation: string, input: Named, ctx: S3controlContext): NamedResource | undefined {
  const found = namedResource(operation in OUTPOSTS ? [outpostsBucketType] : OTHERS, named(input, ctx), ctx, operation);
  const name = input.Name ?? input.Details?.Name;
  if (found?.type.name !== multiRegionType.name || name === undefined || globalState(ctx).multiRegion.get(name))
    return found;
  // Policies use the aliases of Multi-Region Access Points; any alias matches before creation.
  return { ...found, address: { ...found.address, key: { alias: '*' } } };
}

const OTHERS = resources.filter((type) => type !== outpostsBucketType);

/** Adds the Outpost from a header to an input, because SDKs split ARNs. */
function named(input: Named, ctx: S3controlContext): Readonly<Record<string, unknown>> {
  return { ...input, OutpostId: input.OutpostId ?? String(ctx.http?.headers['x-amz-outpost-id'] ?? '') };
}

/**
 * Returns the permission for an action on the operation's resource. Only S3 Access Grants' resource policies apply;
 * others concern different actions.
 */
function permissionFor(action: string, operation: string, input: Named, ctx: S3controlContext): AuthorizationRequest {
  const created = createdArn(action, input, ctx);
  const resource = created === undefined ? resourceOf(operation, input, ctx) : undefined;
  const { resourcePolicy: _policy, ...request }: AuthorizationRequest = resource
    ? permissionOn(action, resource.type, resource.address, ctx.handle)
    : {
        action,
        resource: created ?? input.ResourceArn ?? (operation in OUTPOSTS ? input.Bucket : undefined) ?? '*',
      };
  const owner = isAccessGrants(operation) ? (input.AccountId ?? ctx.accountId) : ctx.accountId;
  const policy = isAccessGrants(operation) ? accessGrantsPolicy(ctx, owner) : undefined;
  return {
    ...request,
    resourceAccountId: owner,
    ...(policy !== undefined && { resourcePolicy: { document: policy, id: 'access-grants' } }),
    condition: (key) => conditionOf(key, operation, input, ctx) ?? request.condition?.(key),
  };
}

/** Returns the resource of an action that does not name an existing resource; undefined for other actions. */
function createdArn(action: string, { AccountId: accountId }: Named, ctx: S3controlContext): string | undefined {
  const place = { accountId: accountId ?? ctx.accountId, region: ctx.region };
  switch (action) {
    case 's3:CreateAccessGrant':
      return accessGrantType.arn({ id: '*' }, place);
    case 's3:CreateAccessGrantsLocation':
      return accessGrantsLocationType.arn({ id: '*' }, place);
    case 's3:PutJobTagging':
      return jobType.arn({ id: '*' }, place);
    case 's3:PutStorageLensConfiguration':
      return '*';
    default:
      return undefined;
  }
}

function conditionOf(key: string, operation: string, input: Named, ctx: S3controlContext) {
  const point = input.Name === undefined ? undefined : ctx.state.accessPoints.get(resourceName(input.Name));
  const tag = /^s3(?:express)?:accesspointtag\/(.*)$/s.exec(key)?.[1];
  if (tag !== undefined) return point?.tags.find(({ Key }) => Key.toLowerCase() === tag)?.Value;
  switch (key) {
    case 's3:dataaccesspointaccount':
      return operation.includes('AccessPoint') ? ctx.accountId : undefined;
    case 's3:dataaccesspointarn':
      return point && accessPointArn(point.name, ctx);
    case 's3:accesspointnetworkorigin':
      return point && (point.vpcId === undefined ? 'Internet' : 'VPC');
    case 's3:resourceaccount':
      return ctx.accountId;
    default:
      return jobCondition(key, input, ctx) ?? accessGrantsCondition(key, operation, input, ctx);
  }
}

/**
 * Whether an operation concerns access points of directory buckets, whose actions have their own prefix.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3express.html
 */
const concernsDirectories = (operation: string, input: Named, ctx: S3controlContext): boolean =>
  operation === 'ListAccessPointsForDirectoryBuckets' ||
  operation.endsWith('AccessPointScope') ||
  resourceOf(operation, input, ctx)?.type === (directoryAccessPointType as object);

/** Permissions of S3 Control's operations. */
export const authorization: ServiceAuthorization<S3controlOperations, S3ControlState> = {
  prefix: 's3',
  roles: {
    CreateAccessGrantsLocation: { IAMRoleArn: 'access-grants.s3' },
    CreateJob: { RoleArn: 'batchoperations.s3' },
    PutBucketReplication: { 'ReplicationConfiguration.Role': 's3-outposts' },
    UpdateAccessGrantsLocation: { IAMRoleArn: 'access-grants.s3' },
  },
  tagOnCreate: {
    CreateAccessGrant: 'TagResource',
    CreateAccessGrantsInstance: 'TagResource',
    CreateAccessGrantsLocation: 'TagResource',
    CreateJob: (input, ctx) => permissionFor('s3:PutJobTagging', 'CreateJob', input as Named, ctx),
    CreateStorageLensGroup: 'TagResource',
    PutStorageLensConfiguration: (input, ctx) =>
      permissionFor('s3:PutStorageLensConfigurationTagging', 'PutStorageLensConfiguration', input as Named, ctx),
  },
  otherwise(operation, input, ctx): AuthorizationRequests {
    const given = input as Named;
    const outposts = OUTPOSTS[operation];
    if (outposts !== undefined) return permissionFor(`s3-outposts:${outposts}`, operation, given, ctx);
    const prefix = concernsDirectories(operation, given, ctx) ? 's3express' : 's3';
    return permissionFor(`${prefix}:${ACTIONS[operation] ?? operation}`, operation, given, ctx);
  },
};
