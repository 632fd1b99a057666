import { type OwnQuota, PER_SECOND, type ServiceHandle, type TokenBuckets } from '@emu/core/service';

/**
 * Requests per second to all APIs of an account in a region. REST APIs declare it; each kind of API has its own bucket.
 */
export const ACCOUNT_RATE: OwnQuota<unknown> = {
  serviceCode: 'apigateway',
  code: 'L-8A5B8E43',
  name: 'Throttle rate',
  defaultValue: 10_000,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
  period: PER_SECOND,
  own: true,
};
/** Burst per request per second, as in AWS. */
const BURST_SHARE = 0.5;

/**
 * Counts a request towards the account's rate.
 * @returns false if it is exceeded; true if it is not enforced
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
export function takeFromAccount(
  buckets: TokenBuckets,
  service: Pick<ServiceHandle, 'quotaLimit' | 'clock'>,
  { accountId, region }: { accountId: string; region: string },
): boolean {
  const rate = service.quotaLimit(ACCOUNT_RATE, accountId, region);
  if (rate === Number.POSITIVE_INFINITY) return true;
  return buckets.take('account', 1, rate, rate === 0 ? 0 : Math.max(1, rate * BURST_SHARE), service.clock.now());
}
