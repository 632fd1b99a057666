import type { ShardRecord, StreamRecord } from '../records.ts';
import { type HashKey, hashKeyOf, numberOf, uniformRanges } from './hash-keys.ts';

/**
 * Milliseconds between the end of parent shards and the start of new ones, so that the sequence numbers of the latter
 * are greater.
 */
const LATER = 1000;

/** Opens a shard. */
function open(draft: StreamRecord, shard: Omit<ShardRecord, 'index'>): ShardRecord {
  const made = { index: draft.nextShard++, ...shard };
  draft.shards.push(made);
  return made;
}

/** Opens the shards of a new stream. */
export function openFirst(draft: StreamRecord, count: number, now: number): void {
  for (const range of uniformRanges(count)) open(draft, { ...range, createdAt: now });
}

/**
 * Splits a shard.
 * @param at first hash key of the second one
 */
export function split(draft: StreamRecord, shard: ShardRecord, at: HashKey, now: number): [ShardRecord, ShardRecord] {
  shard.closedAt = now;
  const child = { parent: shard.index, createdAt: now + LATER };
  return [
    open(draft, { ...child, start: shard.start, end: hashKeyOf(numberOf(at) - 1n) }),
    open(draft, { ...child, start: at, end: shard.end }),
  ];
}

/** Merges two adjacent shards. */
export function merge(draft: StreamRecord, first: ShardRecord, second: ShardRecord, now: number): ShardRecord {
  first.closedAt = now;
  second.closedAt = now;
  return open(draft, {
    parent: first.index,
    adjacentParent: second.index,
    start: first.start,
    end: second.end,
    createdAt: now + LATER,
  });
}

/**
 * Reshards to a number of equal shards, by splits at the new boundaries and merges in between, as in "Resharding a
 * stream" of the developer guide.
 */
export function scale(draft: StreamRecord, count: number, now: number): void {
  const ranges = uniformRanges(count);
  let pieces = draft.shards
    .filter(({ closedAt }) => closedAt === undefined)
    .sort((a, b) => (a.start < b.start ? -1 : 1));
  for (const { start } of ranges)
    pieces = pieces.flatMap((shard) =>
      shard.start < start && start <= shard.end ? split(draft, shard, start, now) : [shard],
    );
  for (const { start, end } of ranges)
    pieces
      .filter((shard) => start <= shard.start && shard.end <= end)
      .reduce((merged, shard) => merge(draft, merged, shard, now));
}
