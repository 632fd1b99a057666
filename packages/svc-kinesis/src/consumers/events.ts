import { setTimeout } from 'node:timers/promises';
import type { SubscribeToShardEventStream } from '@emu/service-types/kinesis';
import type { Consumer, StreamTarget } from '../lookup.ts';
import { pageOf } from '../records/reading.ts';
import type { KinesisState } from '../state.ts';
import { sequenceNumber } from '../streams/sequence.ts';
import { describeChildren } from '../streams/shards.ts';
import type { Subscription } from './subscriptions.ts';

/** Duration of a subscription in milliseconds. */
const LIFETIME = 5 * 60 * 1000;
/** Interval of events in an idle subscription, in milliseconds. */
const HEARTBEAT = 5000;

/**
 * Real milliseconds between response headers and first event, not less than on AWS: some clients fail if both arrive
 * together.
 */
const BEGINNING = 30;

/**
 * Yields the events of a shard subscription: one per page of records, empty ones while idle. Ends after five minutes,
 * at the end of a closed shard, or when the consumer is deregistered.
 * @param from first index
 */
export async function* eventsOf(
  { state, stream: { name, number }, consumer }: StreamTarget & { consumer: Consumer },
  shardNumber: number,
  from: number,
  { startedAt, controller }: Subscription,
  caller: AbortSignal,
): AsyncGenerator<SubscribeToShardEventStream> {
  const { signal } = controller;
  const abort = (): void => controller.abort();
  caller.addEventListener('abort', abort);
  const end = startedAt + LIFETIME;
  let index = from;
  let spokenAt = Number.NEGATIVE_INFINITY;
  try {
    await setTimeout(BEGINNING, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted && state.clock.now() < end) {
      const stream = state.streamOfNumber(number, name);
      const shard = stream?.shards.find((one) => one.index === shardNumber);
      if (!stream || !shard || !state.consumers.get(name, consumer.name)) return;
      const seen = state.subscriptions.moment;
      const page = await pageOf({ state, stream }, shard, index);
      index = page.next;
      const now = state.clock.now();
      if (page.records.length > 0 || page.ended || now >= spokenAt + HEARTBEAT) {
        spokenAt = now;
        yield {
          SubscribeToShardEvent: {
            Records: page.records,
            ContinuationSequenceNumber:
              page.records.at(-1)?.SequenceNumber ?? sequenceNumber(shard, Math.max(0, reached(index, state) - 1), now),
            MillisBehindLatest: page.behind,
            ...(page.ended && { ChildShards: describeChildren(stream, shardNumber) }),
          },
        };
        if (page.ended) return;
        if (page.records.length > 0) continue;
      }
      await state.subscriptions.wait(number, seen, Math.min(end, spokenAt + HEARTBEAT), signal);
    }
  } finally {
    caller.removeEventListener('abort', abort);
    controller.abort();
  }
}

/** Returns the current index of the reader: an iterator may start after all existing records. */
const reached = (index: number, { log }: KinesisState): number => Math.min(index, log.upcoming);
