import type { InputOf, ListShardsInput, OutputOf } from '@emu/service-types/kinesis';
import type { KinesisContext } from '../context.ts';
import { invalid, invalidArgument, kinesisError, limitExceeded, notFound } from '../errors.ts';
import { activeStreamOf, checkActive, type OpenShard, type StreamTarget, streamNotFound, streamOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { checkShards } from '../quotas.ts';
import { hashKeyText, numberOf, parseHashKey } from '../streams/hash-keys.ts';
import { merge, scale, split } from '../streams/resharding.ts';
import { filterShards } from '../streams/shard-filter.ts';
import { describeShard, openShards, shardId, shardIndex } from '../streams/shards.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Maximum changes of the number of shards per day. */
const MAX_SCALINGS = 10;
/** Maximum and default number of shards per page. */
const PAGE = 1000;
/** Lifetime of ListShards tokens in milliseconds. */
const TOKEN_LIFETIME = 300_000;

/** End of a page of shards, with the request's options for the token. */
interface ShardPlace {
  name: string;
  stream: number;
  filter: ListShardsInput['ShardFilter'];
  after: number;
  at: number;
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListShards.html */
export function ListShards(input: InputOf<'ListShards'>, ctx: KinesisContext): OutputOf<'ListShards'> {
  const token = paging.after('ListShards', input);
  const place = token === undefined ? undefined : (JSON.parse(token) as ShardPlace);
  const named = input.StreamName !== undefined || input.StreamARN !== undefined;
  if (place && named) throw invalidArgument('NextToken and StreamName cannot be provided together.');
  if (!place && !named) throw invalidArgument('Either NextToken or StreamName should be provided.');
  const now = Math.floor(ctx.clock.now());
  if (place && now > place.at + TOKEN_LIFETIME)
    throw kinesisError('ExpiredNextTokenException', 'The NextToken has expired: it is good for 300 seconds.');
  const { state, stream } = streamOf(place ? { StreamName: place.name } : input, ctx);
  if (place && stream.number !== place.stream) throw streamNotFound(stream.name, state.accountId);
  const created = input.StreamCreationTimestamp?.getTime();
  // Requests have whole seconds, possibly truncated.
  if (created !== undefined && Math.floor(created / 1000) !== Math.floor(stream.createdAt / 1000))
    throw streamNotFound(stream.name, state.accountId);
  const filter = place?.filter ?? input.ShardFilter;
  const after = place?.after ?? startOf(input.ExclusiveStartShardId);
  const shards = filterShards(stream, filter, now).filter(({ index }) => index > after);
  const limit = Math.min(input.MaxResults ?? PAGE, PAGE);
  const page = shards.slice(0, limit);
  const next: ShardPlace | undefined =
    shards.length > limit
      ? { name: stream.name, stream: stream.number, filter, after: page.at(-1)!.index, at: now }
      : undefined;
  return { Shards: page.map(describeShard), ...paging.next('ListShards', input, next && JSON.stringify(next)) };
}

function startOf(id: string | undefined): number {
  const index = id === undefined ? -1 : shardIndex(id);
  if (index === undefined) throw invalidArgument(`ExclusiveStartShardId ${id} is no id of a shard.`);
  return index;
}

/**
 * Returns the shard to split or merge.
 * @throws AwsError `ResourceNotFoundException`, `InvalidArgumentException`
 */
function shardToChange({ state, stream }: StreamTarget, id: string): OpenShard {
  const index = shardIndex(id);
  const shard = stream.shards.find((one) => one.index === index);
  const name = index === undefined ? id : shardId(index);
  const place = `in stream ${stream.name} under account ${state.accountId}`;
  if (!shard) throw notFound(`Could not find shard ${name} ${place}.`);
  if (shard.closedAt !== undefined)
    throw invalidArgument(
      `Shard ${name} ${place} has already been merged or split, and thus is not eligible for merging or splitting.`,
    );
  return shard;
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_SplitShard.html */
export function SplitShard(input: InputOf<'SplitShard'>, ctx: KinesisContext): OutputOf<'SplitShard'> {
  const target = streamOf(input, ctx);
  const { state, stream } = target;
  checkProvisioned(target);
  const { index, start, end } = shardToChange(target, input.ShardToSplit);
  const key = parseHashKey(input.NewStartingHashKey);
  if (key === undefined || numberOf(key) <= numberOf(start) + 1n || key >= end)
    throw invalidArgument(
      `NewStartingHashKey ${input.NewStartingHashKey} used in SplitShard() on shard ${shardId(index)} in stream ${stream.name} under account ${state.accountId} is not both greater than one plus the shard's StartingHashKey ${hashKeyText(start)} and less than the shard's EndingHashKey ${hashKeyText(end)}.`,
    );
  checkActive(target);
  checkShards(ctx, 1);
  const now = Math.floor(ctx.clock.now());
  state.transitions.begin(stream.name, 'UPDATING', (draft) => {
    split(draft, draft.shards.find((shard) => shard.index === index)!, key, now);
  });
  state.subscriptions.wake(stream.number);
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_MergeShards.html */
export function MergeShards(input: InputOf<'MergeShards'>, ctx: KinesisContext): OutputOf<'MergeShards'> {
  const target = streamOf(input, ctx);
  const { state, stream } = target;
  checkProvisioned(target);
  const given = [shardToChange(target, input.ShardToMerge), shardToChange(target, input.AdjacentShardToMerge)] as const;
  const [first, second] = given[0].start <= given[1].start ? given : ([given[1], given[0]] as const);
  if (numberOf(first.end) + 1n !== numberOf(second.start))
    throw invalidArgument(
      `Shards ${shardId(given[0].index)} and ${shardId(given[1].index)} in stream ${stream.name} under account ${state.accountId} are not an adjacent pair of shards eligible for merging`,
    );
  checkActive(target);
  const now = Math.floor(ctx.clock.now());
  state.transitions.begin(stream.name, 'UPDATING', (draft) => {
    const shardAt = (index: number) => draft.shards.find((shard) => shard.index === index)!;
    merge(draft, shardAt(first.index), shardAt(second.index), now);
  });
  state.subscriptions.wake(stream.number);
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UpdateShardCount.html */
export function UpdateShardCount(
  input: InputOf<'UpdateShardCount'>,
  ctx: KinesisContext,
): OutputOf<'UpdateShardCount'> {
  const target = activeStreamOf(input, ctx);
  const { state, stream } = target;
  checkProvisioned(target);
  const { TargetShardCount } = input;
  const now = Math.floor(ctx.clock.now());
  const count = openShards(stream).length;
  const numbers = `Current open shard count: ${count}, Target shard count: ${TargetShardCount}`;
  if (TargetShardCount > count * 2)
    throw limitExceeded(`UpdateShardCount cannot scale up over double your current open shard count. ${numbers}`);
  if (TargetShardCount < count / 2)
    throw limitExceeded(`UpdateShardCount cannot scale down below half your current open shard count. ${numbers}`);
  checkShards(ctx, TargetShardCount - count);
  const recent = stream.scalings.filter((time) => time > now - DAY);
  if (recent.length >= MAX_SCALINGS)
    throw limitExceeded(
      `UpdateShardCount cannot scale stream ${stream.name} more than ${MAX_SCALINGS} times in a rolling 24-hour period.`,
    );
  state.transitions.begin(stream.name, 'UPDATING', (draft) => {
    draft.scalings = [...recent, now];
    scale(draft, TargetShardCount, now);
  });
  state.subscriptions.wake(stream.number);
  return {
    StreamName: stream.name,
    StreamARN: state.arnOf(stream.name),
    CurrentShardCount: count,
    TargetShardCount,
  };
}

/** @throws AwsError `ValidationException` for a stream in on-demand mode, whose shards only AWS changes */
function checkProvisioned({ state, stream: { name, mode } }: StreamTarget): void {
  if (mode === 'ON_DEMAND')
    throw invalid(`Request is invalid. Stream ${name} under account ${state.accountId} is in On-Demand mode.`);
}
