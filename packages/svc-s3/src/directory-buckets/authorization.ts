import { type AuthorizationRequest, permissionOn } from '@emu/core/service';
import { ACTIONS } from '../access-control/actions.ts';
import type { S3Context } from '../context.ts';
import { findBucket, stateOf } from '../lookup.ts';
import { directoryBucketType } from '../resources.ts';
import { isDirectoryName } from './restrictions.ts';

/** Operations on directory buckets themselves, which have their own actions; others require a session. */
const BUCKET_OPERATIONS =
  /^(CreateBucket|DeleteBucket|(Get|Put|Delete)BucketPolicy|(Get|Put|Delete)BucketEncryption|(Get|Put)BucketLifecycleConfiguration|DeleteBucketLifecycle|(Get|Put|Delete|List)BucketMetricsConfigurations?|(Get|Put)BucketAbac)$/;

/**
 * Returns the permission of an operation on a directory bucket: an S3 Express action on the bucket, or for creating a
 * session, unless the caller uses session credentials.
 * @param condition returns the value of a condition key in lower case
 * @returns undefined for general purpose buckets
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3express.html
 */
export function directoryRequirements(
  operation: string,
  name: string,
  ctx: S3Context,
  condition: NonNullable<AuthorizationRequest['condition']>,
): AuthorizationRequest[] | undefined {
  if (!isDirectoryName(name)) return undefined;
  const bucket = findBucket(ctx, name);
  const session = bucket && stateOf(ctx, bucket).directorySessions;
  if (session?.modeOf(ctx.principal.accessKeyId, name) !== undefined) return [];
  const onBucket = BUCKET_OPERATIONS.test(operation);
  const action = `s3express:${onBucket ? (ACTIONS[operation] ?? operation) : 'CreateSession'}`;
  const request = permissionOn(action, directoryBucketType, { key: { name }, place: ctx }, ctx.handle);
  return [
    {
      ...request,
      condition: (key) => condition(key) ?? request.condition?.(key),
      rootKeeps: /^(Get|Put|Delete)BucketPolicy$/.test(operation),
    },
  ];
}
