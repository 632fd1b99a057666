import type { StoredEvent } from './event.ts';
import { eventAt, type StreamNames } from './event-reader.ts';
import type { EventStore } from './event-store.ts';

/** Position in the appended data of a group: its next line. */
export interface AppendPosition {
  readonly segment: number;
  /** Bytes from the beginning of the segment. */
  readonly offset: number;
}

/** An event with the position after it. */
export interface AppendedEvent {
  readonly event: StoredEvent;
  readonly next: AppendPosition;
}

/** Returns the end of a group's appended data. */
export function endOf(store: EventStore, group: string): AppendPosition {
  const last = store.segments(group).at(-1);
  return { segment: last?.id ?? 0, offset: last?.bytes ?? 0 };
}

/**
 * Reads a group's events in order of arrival from a position; skips events of deleted streams.
 * @param most approximate maximum number of lines to scan
 * @returns events with the next position, which is unchanged if there are no more events
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

/** Returns the first line at or after an offset. */
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
