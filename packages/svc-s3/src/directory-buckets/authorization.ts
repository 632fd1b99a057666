import type { AuthorizationRequest } from '@emu/core';
import { ACTIONS } from '../access-control/actions.ts';
import { findBucket, type S3Context } from '../buckets/lookup.ts';
import { isDirectoryName } from './restrictions.ts';

/** Operations on directory buckets themselves, which have actions of their own; all others need a session. */
const BUCKET_OPERATIONS =
  /^(CreateBucket|DeleteBucket|(Get|Put|Delete)BucketPolicy|(Get|Put|Delete)BucketEncryption|(Get|Put)BucketLifecycleConfiguration|DeleteBucketLifecycle|(Get|Put|Delete|List)BucketMetricsConfigurations?|(Get|Put)BucketAbac)$/;

/**
 * What an operation needs on a directory bucket: an action of S3 Express on the bucket, or that a session may be made
 * for it, unless the caller's credentials are those of one.
 * @param mode what the request asks CreateSession for
 * @returns undefined for general purpose buckets
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3express.html
 */
export function directoryRequirements(
  operation: string,
  name: string,
  ctx: S3Context,
  mode?: string,
): AuthorizationRequest[] | undefined {
  if (!isDirectoryName(name)) return undefined;
  const bucket = findBucket(ctx, name);
  const session = bucket && ctx.handle.state(bucket.accountId, bucket.region).directorySessions;
  if (session?.modeOf(ctx.principal.accessKeyId, name) !== undefined) return [];
  const onBucket = BUCKET_OPERATIONS.test(operation);
  const policy = bucket?.record.configurations.policy;
  const accountId = bucket?.accountId ?? ctx.accountId;
  return [
    {
      action: `s3express:${onBucket ? (ACTIONS[operation] ?? operation) : 'CreateSession'}`,
      resource:
        bucket?.arn(ctx.partition) ?? `arn:${ctx.partition}:s3express:${ctx.region}:${accountId}:bucket/${name}`,
      resourceAccountId: accountId,
      ...(policy === undefined ? {} : { resourcePolicy: { document: policy, id: name } }),
      condition: (key) => (key === 's3express:sessionmode' ? mode : undefined),
      rootKeeps: /^(Get|Put|Delete)BucketPolicy$/.test(operation),
    },
  ];
}
