import type { ShardRecord, StreamRecord } from '../records.ts';
import { type HashKey, hashKeyOf, numberOf, uniformRanges } from './hash-keys.ts';

/**
 * Milliseconds between the end of parent shards and the start of new ones, so that the sequence numbers of the latter
 * are greater.
 */
const LATER = 1000;

/** Opens a shard. */
function opened(draft: StreamRecord, shard: Omit<ShardRecord, 'index'>): ShardRecord {
  const made = { index: draft.nextShard++, ...shard };
  draft.shards.push(made);
  return made;
}

/** Opens the shards of a new stream. */
export function openFirst(draft: StreamRecord, count: number, now: number): void {
  for (const range of uniformRanges(count)) opened(draft, { ...range, createdAt: now });
}

/**
 * Splits a shard.
 * @param at first hash key of the second one
 */
export function split(draft: StreamRecord, shard: ShardRecord, at: HashKey, now: number): [ShardRecord, ShardRecord] {
  shard.closedAt = now;
  const child = { parent: shard.index, createdAt: now + LATER };
  return [
    opened(draft, { ...child, start: shard.start, end: hashKeyOf(numberOf(at) - 1n) }),
    opened(draft, { ...child, start: at, end: shard.end }),
  ];
}

/** Merges two adjacent shards. */
export function merge(draft: StreamRecord, first: ShardRecord, second: ShardRecord, now: number): ShardRecord {
  first.closedAt = now;
  second.closedAt = now;
  return opened(draft, {
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
  const open = draft.shards
    .filter(({ closedAt }) => closedAt === undefined)
    .sort((a, b) => (a.start < b.start ? -1 : 1));
  const pieces: ShardRecord[] = [];
  let next = 0;
  let shard = open[next];
  for (const { start } of ranges) {
    while (shard && shard.end < start) {
      pieces.push(shard);
      shard = open[++next];
    }
    if (!shard || shard.start >= start) continue;
    const [before, after] = split(draft, shard, start, now);
    pieces.push(before);
    shard = after;
  }
  if (shard) pieces.push(shard, ...open.slice(next + 1));
  let from = 0;
  for (const { end } of ranges) {
    let until = from;
    while (until < pieces.length && pieces[until]!.end <= end) until++;
    pieces.slice(from, until).reduce((merged, piece) => merge(draft, merged, piece, now));
    from = until;
  }
}
