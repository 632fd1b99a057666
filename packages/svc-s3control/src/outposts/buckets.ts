import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { LifecycleRule, ReplicationConfiguration } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { checkAccount } from '../context.ts';
import { invalidRequest, s3controlError } from '../errors.ts';
import { outpostsBucketType } from '../resources.ts';
import type { OutpostsBucketRecord } from './records.ts';

type BucketView = DeepReadonly<OutpostsBucketRecord>;

/** @throws AwsError `InvalidRequest` for an invalid Outpost id */
export function checkOutpostId(id: string | undefined): string {
  if (id === undefined) throw invalidRequest('Missing required header for this request: x-amz-outpost-id');
  if (!/^op-[0-9a-f]{17}$/.test(id)) throw invalidRequest(`Invalid Outpost id: ${id}`);
  return id;
}

/**
 * Returns the bucket of a request, by ARN, or by name and the Outpost in a header, because SDKs split ARNs.
 * @throws AwsError `AccessDenied`, `InvalidRequest` without an Outpost, `NoSuchBucket`
 */
export function findOutpostsBucket(
  ctx: S3controlContext,
  input: { AccountId: string; Bucket: string },
): { key: string; bucket: BucketView } {
  checkAccount(ctx, input.AccountId);
  const key = outpostsBucketType.parse(input.Bucket.replace(/outpost:([^:]+):bucket:/, 'outpost/$1/bucket/'))?.key;
  const header = ctx.http?.headers['x-amz-outpost-id'];
  const outpostId = checkOutpostId(key?.outpostId ?? (Array.isArray(header) ? header[0] : header));
  const name = key?.name ?? input.Bucket;
  const recordKey = `${outpostId}/${name}`;
  const bucket = ctx.state.outpostsBuckets.get(recordKey);
  if (!bucket)
    throw s3controlError('NoSuchBucket', 'The specified bucket does not exist', {
      status: 404,
      members: { BucketName: name },
    });
  return { key: recordKey, bucket };
}

/**
 * Changes a bucket's settings.
 * @throws AwsError as `findOutpostsBucket`
 */
export function changeOutpostsBucket(
  ctx: S3controlContext,
  input: { AccountId: string; Bucket: string },
  change: (draft: OutpostsBucketRecord) => void,
): Record<string, never> {
  const { key } = findOutpostsBucket(ctx, input);
  ctx.state.outpostsBuckets.update(key, change);
  return {};
}

const MAX_RULES = 1000;

/**
 * Validates lifecycle rules; buckets on Outposts support expiration and aborting uploads, and have a single storage
 * class.
 * @throws AwsError `InvalidRequest`, `MalformedXML`, `InvalidArgument`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/s3-outposts/S3OutpostsLifecycleManaging.html
 */
export function checkLifecycle(rules: readonly LifecycleRule[]): void {
  if (rules.length === 0 || rules.length > MAX_RULES)
    throw invalidRequest(`A lifecycle configuration must have between 1 and ${MAX_RULES} rules.`);
  const ids = new Set<string>();
  for (const rule of rules) {
    const { ID: id, Status: status, Filter: filter, Expiration: expiration } = rule;
    if (status !== 'Enabled' && status !== 'Disabled') throw malformed();
    if (id !== undefined && (id.length > 255 || ids.has(id)))
      throw invalidArgument(
        id.length > 255
          ? 'ID length should not exceed allowed limit of 255'
          : 'Rule ID must be unique. Found same ID for more than one rule',
      );
    if (id !== undefined) ids.add(id);
    if (filter && Object.values(filter).filter((value) => value !== undefined).length > 1) throw malformed();
    if (rule.Transitions?.length || rule.NoncurrentVersionTransitions?.length)
      throw invalidRequest('Transition actions are not supported for buckets on Outposts.');
    const abort = rule.AbortIncompleteMultipartUpload;
    if (!expiration && !abort && !rule.NoncurrentVersionExpiration)
      throw invalidRequest('At least one action needs to be specified in a rule.');
    if (expiration) checkExpiration(expiration);
    if (abort && !(abort.DaysAfterInitiation! > 0))
      throw invalidArgument(
        "'DaysAfterInitiation' for AbortIncompleteMultipartUpload action must be a positive integer",
      );
  }
}

function checkExpiration({
  Date: date,
  Days: days,
  ExpiredObjectDeleteMarker: marker,
}: NonNullable<LifecycleRule['Expiration']>): void {
  if ([date, days, marker].filter((value) => value !== undefined).length !== 1) throw malformed();
  if (days !== undefined && days <= 0) throw invalidArgument("'Days' for Expiration action must be a positive integer");
  if (date !== undefined && date.getTime() % 86_400_000 !== 0) throw invalidArgument("'Date' must be at midnight GMT");
}

const malformed = (): Error =>
  s3controlError(
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
    { status: 400 },
  );
const invalidArgument = (message: string): Error => s3controlError('InvalidArgument', message, { status: 400 });

/**
 * Validates a replication configuration.
 * @throws AwsError `InvalidRequest`, `InvalidArgument`, `MalformedXML`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/s3-outposts/S3OutpostsReplication.html
 */
export function checkReplication({ Role, Rules }: ReplicationConfiguration, bucket: BucketView): void {
  if (bucket.versioning !== 'Enabled')
    throw invalidRequest("Versioning must be 'Enabled' on the bucket to apply a replication configuration");
  const role = parseArn(Role);
  if (role?.service !== 'iam' || !/^\d{12}$/.test(role.accountId) || !/^role\/./.test(role.resource))
    throw invalidArgument('Invalid Amazon Resource Name (ARN) for Role');
  if (Rules.length === 0 || Rules.length > MAX_RULES) throw malformed();
  const ids = new Set<string>();
  const priorities = new Set<number>();
  for (const { ID: id, Priority: priority, Status: status, Destination: destination } of Rules) {
    if (status !== 'Enabled' && status !== 'Disabled') throw malformed();
    if (id !== undefined && ids.has(id)) throw invalidArgument('Rule Id must be unique');
    if (id !== undefined) ids.add(id);
    if (priority !== undefined && priorities.has(priority))
      throw invalidArgument(`Found duplicate priority ${priority}. Each rule must have a unique priority.`);
    if (priority !== undefined) priorities.add(priority);
    const target = parseArn(destination.Bucket);
    if (target?.service !== 's3-outposts' || !/^outpost\/[^/]+\/(accesspoint|bucket)\/./.test(target.resource))
      throw invalidArgument('Invalid bucket ARN for the replication destination');
  }
}
