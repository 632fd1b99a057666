import type { IngestionTarget } from '../registry.ts';
import type { NewEvent } from '../store/event.ts';

/**
 * Transforms and stores events of a stream, and passes them to filters; resolves when they are committed and metrics
 * are published.
 * @param causeOf returns the id of the request that wrote the event at an index, if known
 */
export async function ingest(
  target: IngestionTarget,
  given: readonly NewEvent[],
  causeOf: (index: number) => string | undefined,
): Promise<void> {
  const { state, group, stream } = target;
  const transforming = state.transformers.apply(target, given);
  const events = transforming ? await transforming : given;
  if (!events.length) return;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { timestamp } of events) {
    first = Math.min(first, timestamp);
    last = Math.max(last, timestamp);
  }
  const now = state.clock.now();
  const batch = { group: group.key, stream: stream.number, events, ingestionTime: now };
  const ids = await state.store.append(batch);
  state.groups.updateStream(group, stream.name, (draft) => {
    draft.firstEventAt = Math.min(draft.firstEventAt ?? first, first);
    draft.lastEventAt = Math.max(draft.lastEventAt ?? 0, last);
    draft.lastIngestedAt = now;
  });
  state.tails.publish(group, stream.name, () =>
    events.map((event, index) => ({ ...event, ingestionTime: now, logStream: stream.name, eventId: ids[index]! })),
  );
  state.counted(group, events);
  state.deliveries.wake(group, { ids, causeOf });
  await state.metrics.report(group, events);
  await state.embedded.report(group, events);
  await state.protection.audit(group, events);
}
