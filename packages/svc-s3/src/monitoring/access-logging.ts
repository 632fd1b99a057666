import { type AnsweredHttpRequest, type ServiceHandle, servicePrincipal } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { LOGGING_SERVICE } from '../access-control/acl.ts';
import type { Bucket } from '../buckets/bucket.ts';
import { findIn } from '../lookup.ts';
import { bucketArn } from '../resources.ts';
import type { S3State } from '../state.ts';
import { logRecord } from './access-log-record.ts';

type Logging = NonNullable<Bucket['record']['configurations']['logging']>;

const UPPER_HEX = '0123456789ABCDEF';

/**
 * Delivers the server access log of a request: one record per object, before the response is sent. As on AWS, logs
 * rejected by the target bucket are lost.
 * @param key undefined for bucket requests
 */
export async function deliverAccessLog(
  request: AnsweredHttpRequest,
  bucket: Bucket,
  key: string | undefined,
  handle: ServiceHandle<S3State>,
): Promise<void> {
  const { logging } = bucket.record.configurations;
  if (!logging) return;
  const target = findIn(handle, logging.TargetBucket);
  if (!target) return;
  const line = `${logRecord(request, bucket, key)}\n`;
  try {
    await handle.call(
      's3',
      'PutObject',
      {
        Bucket: target.name,
        Key: logKey(logging, bucket, request.receivedAt, handle),
        Body: line,
        ContentType: 'text/plain',
        ...grantsOf(logging, target),
      },
      {
        accountId: target.accountId,
        region: target.region,
        cause: request.requestId,
        principal: servicePrincipal(LOGGING_SERVICE, target.accountId),
        authorize: { sourceArn: bucketArn(bucket), sourceAccount: bucket.accountId },
      },
    );
  } catch (error) {
    const facts = { bucket: bucket.name, target: target.name, error };
    // The request succeeded, so its response is sent in any case.
    if (error instanceof AwsError) handle.log.warn('an access log could not be delivered', facts);
    else handle.log.error('an access log could not be delivered', facts);
  }
}

/**
 * Returns the key of a log object.
 * @param at epoch milliseconds of the event, which is delivered at once
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerLogs.html#server-log-keyname-format
 */
function logKey(logging: Logging, bucket: Bucket, at: number, { ids }: ServiceHandle<S3State>): string {
  const [date, time] = new Date(at).toISOString().slice(0, 19).split('T') as [string, string];
  const unique = ids.chars(16, UPPER_HEX);
  const partitioned = logging.TargetObjectKeyFormat?.PartitionedPrefix;
  if (!partitioned) return `${logging.TargetPrefix}${date}-${time.replaceAll(':', '-')}-${unique}`;
  // Event time partitions are whole days.
  const moment = partitioned.PartitionDateSource === 'EventTime' ? '00-00-00' : time.replaceAll(':', '-');
  const place = `${bucket.accountId}/${bucket.region}/${bucket.name}/${date.replaceAll('-', '/')}`;
  return `${logging.TargetPrefix}${place}/${date}-${moment}-${unique}`;
}

/** Returns `TargetGrants` as headers; none with ownership enforced. */
function grantsOf(logging: Logging, target: Bucket): { GrantFullControl?: string; GrantRead?: string } {
  if (target.record.configurations.ownership === 'BucketOwnerEnforced') return {};
  const of = (permission: string): string =>
    (logging.TargetGrants ?? [])
      .filter((grant) => grant.Permission === permission)
      .flatMap(({ Grantee }) =>
        Grantee?.ID === undefined
          ? Grantee?.URI === undefined
            ? []
            : [`uri="${Grantee.URI}"`]
          : [`id="${Grantee.ID}"`],
      )
      .join(', ');
  const [all, read] = [of('FULL_CONTROL'), of('READ')];
  return { ...(all !== '' && { GrantFullControl: all }), ...(read !== '' && { GrantRead: read }) };
}
