import {
  asService,
  type CallOptions,
  type OperationContext,
  type Place,
  parseArn,
  type ServiceCaller,
} from '@emu/core/service';
import { AwsError, isObject, parseJson } from '@emu/wire';

/** The service that writes delivered logs and findings to buckets. */
const WRITER = 'delivery.logs';
/** Name of the service in policies. */
const PRINCIPAL = `${WRITER}.amazonaws.com`;
const ACTION = 's3:PutObject';
/** The ACL of written objects, which bucket policies require. */
const ACL = 'bucket-owner-full-control';

/** Calls operations of S3, implemented by contexts and states. */
type Writer = Pick<ServiceCaller, 'call'>;
/** The part of an operation's context that changes a bucket policy. */
type Granter = Pick<OperationContext, 'accountId' | 'call' | 'enforced' | 'log'>;

/**
 * Writes an object as the service that delivers logs, which the bucket policy has to allow.
 * @param sourceArn ARN of the delivery source or log group
 * @param source account and region of the source
 * @throws AwsError of S3
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-V2-S3.html
 */
export async function writeDelivered(
  writer: Writer,
  object: { Bucket: string; Key: string; Body: Buffer },
  sourceArn: string,
  source: Pick<Place, 'accountId'>,
): Promise<void> {
  const options: CallOptions = asService(WRITER, source.accountId, sourceArn);
  await writer.call('s3', 'PutObject', { ...object, ACL }, options);
}

/**
 * Adds a statement for delivered logs to the policy of a bucket, with the permissions of the caller, as AWS does. If
 * the caller may not change it, the policy stays, and deliveries fail unless it allows them. If policies are not
 * enforced, no statement is necessary.
 * @param bucketArn ARN of the bucket, with an optional prefix of keys
 * @param sourceArn ARN of the delivery source or log group
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-V2-S3.html
 */
export async function allowDelivery(bucketArn: string, sourceArn: string, ctx: Granter): Promise<void> {
  if (!ctx.enforced) return;
  const [Bucket] = parseArn(bucketArn)!.resource.split('/') as [string];
  const { accountId } = ctx;
  const resource = `${bucketArn.replace(/\/$/, '')}/AWSLogs/${accountId}/*`;
  try {
    const policy = await policyOf(Bucket, ctx);
    const statements = [policy.Statement ?? []].flat();
    if (statements.some((statement) => allows(statement, resource, sourceArn))) return;
    const statement = {
      Sid: `AWSLogDeliveryWrite${statements.length + 1}`,
      Effect: 'Allow',
      Principal: { Service: PRINCIPAL },
      Action: ACTION,
      Resource: resource,
      Condition: {
        StringEquals: { 's3:x-amz-acl': ACL, 'aws:SourceAccount': accountId },
        ArnLike: { 'aws:SourceArn': sourceArn },
      },
    };
    const Policy = JSON.stringify({ ...policy, Statement: [...statements, statement] });
    await ctx.call('s3', 'PutBucketPolicy', { Bucket, Policy }, { authorize: {} });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    ctx.log.debug('a bucket policy was not changed for the delivery of logs', { bucket: Bucket, error });
  }
}

interface BucketPolicy {
  readonly Statement?: unknown;
}

/** Returns the policy of a bucket, or a new one. @throws AwsError of S3 */
async function policyOf(Bucket: string, ctx: Granter): Promise<BucketPolicy> {
  try {
    const { Policy } = await ctx.call('s3', 'GetBucketPolicy', { Bucket }, { authorize: {} });
    const policy = parseJson(Policy!);
    return isObject(policy) ? policy : {};
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NoSuchBucketPolicy')
      return { Version: '2012-10-17', Id: 'AWSLogDeliveryWrite20150319' } as BucketPolicy;
    throw error;
  }
}

/** Whether a statement is the one that allows a delivery. */
function allows(statement: unknown, resource: string, sourceArn: string): boolean {
  if (!isObject(statement) || !isObject(statement.Principal) || !isObject(statement.Condition)) return false;
  const { ArnLike } = statement.Condition;
  return (
    statement.Principal.Service === PRINCIPAL &&
    statement.Resource === resource &&
    isObject(ArnLike) &&
    ArnLike['aws:SourceArn'] === sourceArn
  );
}
