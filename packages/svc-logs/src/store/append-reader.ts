import type { StoredEvent } from './event.ts';
import { eventAt, type StreamNames } from './event-reader.ts';
import type { EventStore } from './event-store.ts';

/** A place in what was appended to a group: of the next line. */
export interface AppendPosition {
  readonly segment: number;
  /** Bytes from the beginning of the segment. */
  readonly offset: number;
}

/** An event with the place behind it. */
export interface AppendedEvent {
  readonly event: StoredEvent;
  readonly next: AppendPosition;
}

/** The end of what was appended to a group so far. */
export function endOf(store: EventStore, group: string): AppendPosition {
  const last = store.segments(group).at(-1);
  return { segment: last?.id ?? 0, offset: last?.bytes ?? 0 };
}

/**
 * Events of a group in the order in which they came, from a place on; those of deleted streams are left out.
 * @param most lines looked at, about
 * @returns them with the place to go on from; the place is the same where there is nothing more
 */
export async function readAppended(
  store: EventStore,
  group: string,
  names: StreamNames,
  from: AppendPosition,
  most: number,
): Promise<{ events: AppendedEvent[]; next: AppendPosition }> {
  const events: AppendedEvent[] = [];
  let next = from;
  let looked = 0;
  for (const segment of store.segments(group)) {
    if (segment.id < from.segment || looked >= most) continue;
    const start = segment.id === from.segment ? from.offset : 0;
    if (start >= segment.bytes) continue;
    const { bytes, index } = await store.loaded(segment);
    for (let line = lineFrom(index.offsets, start); line < index.size && looked < most; line++, looked++) {
      next = { segment: segment.id, offset: index.offsets[line + 1] ?? index.bytes };
      const event = eventAt({ bytes, index }, segment, line, names);
      if (event) events.push({ event, next });
    }
  }
  return { events, next };
}

/** The first line at or behind an offset. */
function lineFrom(offsets: Uint32Array, offset: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
