import { type AnyQuota, defineQuotas, type OwnQuota } from '@emu/core/service';
import type { KinesisOperations } from '@emu/service-types/kinesis';
import type { KinesisContext } from './context.ts';
import { limitExceeded } from './errors.ts';
import type { KinesisState } from './state.ts';

/** Maximum shards of provisioned streams per account by region: "Quotas and limits" of the developer guide. */
const LARGE_REGIONS = new Set(['us-east-1', 'us-west-2', 'eu-west-1']);
const shardLimit = (region: string): number => (LARGE_REGIONS.has(region) ? 20_000 : 1000);

/**
 * Quota of shards of provisioned streams. It always applies, because a request may ask for any number of them; if it is
 * enforced, AWS's throughput limits of shards apply too.
 */
export const SHARDS: OwnQuota<KinesisState> = {
  serviceCode: 'kinesis',
  code: 'L-0918CF54',
  name: 'Shards per Region',
  defaultValue: shardLimit,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html',
  usage: (state) => state.provisionedShards(),
  own: true,
};

/**
 * Checks that an account may have more shards of provisioned streams.
 * @throws AwsError `LimitExceededException`
 */
export function checkShards({ handle, state, accountId, region }: KinesisContext, more: number): void {
  const limit = handle.quotaValue(SHARDS, accountId, region);
  if (more > 0 && state.provisionedShards() + more > limit)
    throw limitExceeded(`This request would exceed the shard limit for the account. Limit: ${limit}.`);
}

/** Quotas of Kinesis. */
export const quotas: readonly AnyQuota[] = defineQuotas<KinesisOperations, KinesisState>([SHARDS]);
