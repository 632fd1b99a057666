import type { OperationContext } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import { invalidRequest } from '../errors.ts';

/** Hosts of transfer acceleration. */
const ACCELERATED = /(^|\.)s3-accelerate\./i;
/** Last checked host that is not one of them: clients usually use a single host. */
let plain = '';

/**
 * Rejects requests to transfer acceleration hosts for buckets without it.
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
