import { type AnyQuota, defineQuotas, type OwnQuota } from '@emu/core/service';
import type { KinesisOperations } from '@emu/service-types/kinesis';
import { limitExceeded } from './errors.ts';
import { streamType } from './resources.ts';
import type { KinesisState } from './state.ts';
import { openShardCount } from './streams/shards.ts';

/** Maximum shards of provisioned streams per account by region: "Quotas and limits" of the developer guide. */
const LARGE_REGIONS = new Set(['us-east-1', 'us-west-2', 'eu-west-1']);
const shardLimit = (region: string): number => (LARGE_REGIONS.has(region) ? 20_000 : 1000);

const ID = { serviceCode: 'kinesis', code: 'L-0918CF54' };
/** Quota of shards; if it is enforced, AWS's throughput limits of shards apply too. */
export const SHARDS: Pick<
  OwnQuota<KinesisState>,
  'serviceCode' | 'code' | 'name' | 'defaultValue' | 'adjustable' | 'page'
> = {
  ...ID,
  name: 'Shards per Region',
  defaultValue: shardLimit,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html',
};

/** Returns the number of shards after adding to a provisioned stream; undefined without additional shards. */
const grown = (state: KinesisState, more: number): number | undefined =>
  more > 0 ? state.provisionedShards() + more : undefined;

/** Enforceable quotas of Kinesis. */
export const quotas: readonly AnyQuota[] = defineQuotas<KinesisOperations, KinesisState>([
  {
    ...SHARDS,
    usage: (state) => state.provisionedShards(),
    grows: {
      CreateStream: ({ ShardCount = 1, StreamModeDetails }, state) =>
        StreamModeDetails?.StreamMode === 'ON_DEMAND' ? undefined : grown(state, ShardCount),
      SplitShard: (_input, state) => grown(state, 1),
      UpdateShardCount({ StreamName, StreamARN, TargetShardCount }, state) {
        const name = StreamName ?? streamType.parse(StreamARN ?? '')?.key.name;
        const stream = name === undefined ? undefined : state.stream(name);
        return stream && grown(state, TargetShardCount - openShardCount(stream));
      },
    },
    error: (limit) => limitExceeded(`This request would exceed the shard limit for the account. Limit: ${limit}.`),
  },
]);
