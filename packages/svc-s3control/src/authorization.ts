import {
  type AuthorizationRequest,
  type AuthorizationRequests,
  type ServiceAuthorization,
  tagCondition,
  tagRecord,
} from '@emu/core';
import { accessGrantsPolicy } from './access-grants/instance.ts';
import { accessPointArn, objectLambdaArn } from './access-points/access-point.ts';
import { type ConditionInput, jobCondition, resourceTags } from './condition-keys.ts';
import { globalState, resourceName, type S3ControlContext } from './context.ts';
import type { S3controlOperations, Tag } from './generated/s3control.ts';
import { multiRegionArn } from './multi-region/requests.ts';
import { outpostsBucketArn } from './outposts/buckets.ts';
import type { S3ControlState } from './state.ts';

/** Members of inputs that permissions and their conditions depend on. */
interface Named extends ConditionInput {
  Bucket?: string;
  OutpostId?: string;
  Mrap?: string;
  ResourceArn?: string;
  RequestTokenARN?: string;
  RoleArn?: string;
  IAMRoleArn?: string;
  Details?: { Name: string };
  Tags?: Tag[];
  TagKeys?: string[];
}

/**
 * Actions that are not called as their operations are.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */
const ACTIONS: Readonly<Record<string, string>> = {
  DeletePublicAccessBlock: 'PutAccountPublicAccessBlock',
  GetPublicAccessBlock: 'GetAccountPublicAccessBlock',
  PutPublicAccessBlock: 'PutAccountPublicAccessBlock',
};

/** Those of S3 on Outposts, whose actions have a prefix of their own. */
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

/** Whether an operation is of S3 Access Grants, whose instances other accounts may use. */
const isAccessGrants = (operation: string): boolean =>
  operation.includes('AccessGrant') || operation === 'GetDataAccess';

/** What an operation is about; `*` where it is about nothing in particular. */
function resourceOf(operation: string, input: Named, ctx: S3ControlContext): string {
  const { partition, region, accountId } = ctx;
  const regional = (rest: string) => `arn:${partition}:s3:${region}:${accountId}:${rest}`;
  if (input.ResourceArn !== undefined) return input.ResourceArn;
  if (input.RequestTokenARN !== undefined) return input.RequestTokenARN;
  if (operation in OUTPOSTS) return outpostsResource(input, ctx);
  if (operation.includes('MultiRegion')) return multiRegionResource(input, ctx);
  if (input.JobId !== undefined) return regional(`job/${input.JobId}`);
  if (input.ConfigId !== undefined) return regional(`storage-lens/${input.ConfigId}`);
  if (operation === 'ListAccessGrantsInstances') return '*';
  if (isAccessGrants(operation)) {
    const instance = `arn:${partition}:s3:${region}:${input.AccountId ?? accountId}:access-grants/default`;
    if (input.AccessGrantId !== undefined) return `${instance}/grant/${input.AccessGrantId}`;
    const location = input.AccessGrantsLocationId;
    return location === undefined ? instance : `${instance}/location/${location}`;
  }
  if (input.Name === undefined) return '*';
  const name = resourceName(input.Name);
  if (operation.includes('StorageLensGroup')) return regional(`storage-lens-group/${name}`);
  return operation.includes('ObjectLambda')
    ? objectLambdaArn(region, accountId, name)
    : accessPointArn(region, accountId, name);
}

function outpostsResource({ Bucket: bucket, OutpostId: id }: Named, ctx: S3ControlContext): string {
  if (bucket === undefined) return '*';
  if (bucket.startsWith('arn:')) return bucket;
  const header = ctx.http?.headers['x-amz-outpost-id'];
  return outpostsBucketArn(ctx, id ?? String(header ?? ''), bucket);
}

/** Policies name Multi-Region Access Points by their aliases; before there is one, any will do. */
function multiRegionResource({ Name, Details, Mrap }: Named, ctx: S3ControlContext): string {
  const name = Name ?? Details?.Name;
  const alias = Mrap === undefined ? name && globalState(ctx).multiRegion.get(name)?.alias : resourceName(Mrap);
  return Mrap === undefined && name === undefined ? '*' : multiRegionArn(ctx.partition, ctx.accountId, alias ?? '*');
}

function conditionOf(key: string, operation: string, input: Named, ctx: S3ControlContext) {
  const point = input.Name === undefined ? undefined : ctx.state.accessPoints.get(resourceName(input.Name));
  switch (key) {
    case 's3:dataaccesspointaccount':
      return operation.includes('AccessPoint') ? ctx.accountId : undefined;
    case 's3:dataaccesspointarn':
      return point && accessPointArn(ctx.region, ctx.accountId, point.name);
    case 's3:accesspointnetworkorigin':
      return point && (point.vpcId === undefined ? 'Internet' : 'VPC');
    case 's3:resourceaccount':
      return ctx.accountId;
    default: {
      const tags = resourceTags(operation, input, ctx);
      return (
        jobCondition(key, input, ctx) ??
        tagCondition(key, {
          ...(tags ? { resource: tagRecord(tags) } : {}),
          ...(input.Tags ? { request: tagRecord(input.Tags) } : {}),
          ...(input.TagKeys ? { keys: input.TagKeys } : {}),
        })
      );
    }
  }
}

/** Operations that make a resource with a role, which their callers have to be let pass on, and the service it is for. */
const PASSES: Readonly<Record<string, string>> = {
  CreateAccessGrantsLocation: 'access-grants.s3.amazonaws.com',
  CreateJob: 'batchoperations.s3.amazonaws.com',
  UpdateAccessGrantsLocation: 'access-grants.s3.amazonaws.com',
};

/** What tags of a new resource need besides. */
const TAGGING: Readonly<Record<string, string>> = {
  CreateAccessGrant: 'TagResource',
  CreateAccessGrantsInstance: 'TagResource',
  CreateAccessGrantsLocation: 'TagResource',
  CreateJob: 'PutJobTagging',
  CreateStorageLensGroup: 'TagResource',
  PutStorageLensConfiguration: 'PutStorageLensConfigurationTagging',
};

/** What S3 Control's operations need. */
export const authorization: ServiceAuthorization<S3controlOperations, S3ControlState> = {
  prefix: 's3',
  otherwise(operation, input, ctx): AuthorizationRequests {
    const named = input as Named;
    const outposts = OUTPOSTS[operation];
    const owner = isAccessGrants(operation) ? (named.AccountId ?? ctx.accountId) : ctx.accountId;
    const policy = isAccessGrants(operation) ? accessGrantsPolicy(ctx, owner) : undefined;
    const own: AuthorizationRequest = {
      action: outposts === undefined ? `s3:${ACTIONS[operation] ?? operation}` : `s3-outposts:${outposts}`,
      resource: resourceOf(operation, named, ctx),
      resourceAccountId: owner,
      ...(policy !== undefined && { resourcePolicy: { document: policy, id: 'access-grants' } }),
      condition: (key) => conditionOf(key, operation, named, ctx),
    };
    const service = PASSES[operation];
    const role = named.RoleArn ?? named.IAMRoleArn;
    const tagging = named.Tags?.length ? TAGGING[operation] : undefined;
    return [
      own,
      ...(tagging === undefined ? [] : [{ ...own, action: `s3:${tagging}` }]),
      ...(service === undefined || role === undefined ? [] : [passing(role, service)]),
    ];
  },
};

/** The permission to pass a role on to a service. */
const passing = (resource: string, service: string): AuthorizationRequest => ({
  action: 'iam:PassRole',
  resource,
  condition: (key) => (key === 'iam:passedtoservice' ? service : undefined),
});
