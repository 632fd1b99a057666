import type { OperationContext } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import { accessDenied } from '../errors.ts';

/**
 * Rejects requests of other accounts to a requester-pays bucket, unless they accept the charge, and marks responses as
 * charged.
 * @throws AwsError `AccessDenied`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/ObjectsinRequesterPaysBuckets.html
 */
export function checkPayer({ http, principal, reply }: OperationContext, bucket: Bucket): void {
  if (bucket.record.configurations.requestPayment?.Payer !== 'Requester') return;
  if (http === undefined || principal.type === 'service') return;
  if (principal.type !== 'anonymous' && principal.accountId === bucket.accountId) return;
  if (principal.type === 'anonymous' || http.headers['x-amz-request-payer'] !== 'requester') throw accessDenied();
  reply.headers['x-amz-request-charged'] = 'requester';
}
