import type { OperationContext } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import { invalidRequest } from '../errors.ts';

/** Hosts of transfer acceleration. */
const ACCELERATED = /(^|\.)s3-accelerate\./i;
/** The host that was looked at last and is none of them: clients use the same one all day. */
let plain = '';

/**
 * Refuses requests by the hosts of transfer acceleration for buckets that do not have it.
 * @throws AwsError `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/transfer-acceleration.html
 */
export function checkAcceleration({ http }: Pick<OperationContext, 'http'>, bucket: Bucket): void {
  const host = http?.headers.host;
  if (host === undefined || host === plain) return;
  if (!ACCELERATED.test(String(host))) {
    plain = String(host);
    return;
  }
  const { accelerate } = bucket.record.configurations;
  if (accelerate?.Status === 'Enabled') return;
  throw invalidRequest(`S3 Transfer Acceleration is ${accelerate ? 'disabled' : 'not configured'} on this bucket`);
}
