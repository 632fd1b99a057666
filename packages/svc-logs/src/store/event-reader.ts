import { Slices } from '@emu/core/service';
import { comparePositions, formatEventId, type Position, parseEventId, type StoredEvent } from './event.ts';
import type { EventStore } from './event-store.ts';
import { overlaps, type Segment } from './segment.ts';
import type { LoadedSegment } from './segment-cache.ts';
import { lineEnd } from './segment-index.ts';

/** Filter for reading events of a log group. */
export interface EventRange {
  /** Start in epoch milliseconds, inclusive; the beginning by default. */
  readonly from?: number | undefined;
  /** End in epoch milliseconds, exclusive; the end by default. */
  readonly to?: number | undefined;
  /** Stream numbers; all by default. */
  readonly streams?: ReadonlySet<number> | undefined;
  /** Newest first. */
  readonly descending?: boolean | undefined;
  /** Exclusive start: only events after this one in reading direction. */
  readonly after?: Position | undefined;
  /** Text in the messages, without characters that JSON escapes: other lines are skipped without being decoded. */
  readonly contains?: string | undefined;
  /** Decodes events lazily; `settle` decodes the rest and releases their buffers. */
  readonly lazily?: boolean | undefined;
}

/** Events and the reading position. */
export interface EventChunk {
  readonly events: readonly StoredEvent[];
  /** Position of the last scanned line. */
  readonly position: Position;
  /** Bytes scanned since the previous chunk. */
  readonly scanned: number;
  /** Events scanned since the previous chunk. */
  readonly looked: number;
}

/** Reads the events of one log group. */
export interface EventReader {
  /**
   * Reads a time range in chunks, so that only a few segments are in memory; events of equal time are in order of
   * arrival. Excludes events stored during the reading.
   */
  read(range?: EventRange): AsyncIterable<EventChunk>;
  /** Returns the event with an id; undefined if it is missing. */
  find(eventId: string): Promise<StoredEvent | undefined>;
}

/** Stream names of a group by number; undefined for a deleted stream. */
export type StreamNames = (stream: number) => string | undefined;

/** Maximum number of events per chunk. */
const CHUNK = 1000;
/** Maximum number of segments of one reading in memory; of further segments, single lines are read. */
const MAX_WHOLE = 8;

/** Cursor over one segment: its lines in ascending or descending order of time. */
class Cursor {
  private place: number;
  private readonly last: number;
  private readonly step: 1 | -1;

  private constructor(
    readonly segment: Segment,
    /** Without its bytes if too many segments are being read. */
    private readonly content: { bytes: Buffer | undefined; index: LoadedSegment['index'] },
    private readonly range: EventRange,
    private readonly names: StreamNames,
    /** Whether a line contains the required text; undefined without such a filter. */
    private readonly marked: Uint8Array | undefined,
  ) {
    const { size } = content.index;
    this.step = range.descending ? -1 : 1;
    this.place = range.descending ? size - 1 : 0;
    this.last = range.descending ? 0 : size - 1;
    this.skip();
  }

  static async open(store: EventStore, segment: Segment, range: EventRange, names: StreamNames, whole: boolean) {
    const { bytes, index } = await store.loaded(segment);
    const marked = range.contains === undefined ? undefined : linesWith(range.contains, bytes, index);
    return new Cursor(segment, { bytes: whole ? bytes : undefined, index }, range, names, marked);
  }

  get done(): boolean {
    return this.step > 0 ? this.place > this.last : this.place < this.last;
  }

  get position(): Position {
    return this.positionOf(this.lineAt(this.place));
  }

  /** Whether this cursor comes before another in reading direction. */
  precedes(other: Position): boolean {
    return comparePositions(this.position, other) * this.step < 0;
  }

  /**
   * Reads lines up to a position, exclusive.
   * @returns the matching events among them
   */
  async take(until: Position | undefined, most: number): Promise<EventChunk> {
    const { range, names, segment, content } = this;
    const { index } = content;
    const events: StoredEvent[] = [];
    let { position } = this;
    let scanned = 0;
    let looked = 0;
    for (; !this.done && looked < most; looked++, this.place += this.step) {
      const line = this.lineAt(this.place);
      const here = this.positionOf(line);
      if (until && comparePositions(here, until) * this.step >= 0) break;
      position = here;
      const end = lineEnd(index, line);
      const start = index.offsets[line]!;
      scanned += end - start;
      if (here.timestamp < (segment.cutoff ?? 0) || !this.admits(here) || this.marked?.[line] === 0) continue;
      const stream = index.streams[line]!;
      if (range.streams && !range.streams.has(stream)) continue;
      const logStream = names(stream);
      if (logStream === undefined) continue;
      const bytes = content.bytes?.subarray(start, end) ?? (await segment.file.medium.read(start, end));
      const message = index.messages[line]! - start;
      events.push(
        range.lazily ? new LineEvent(bytes, message, here, logStream) : eventOf(bytes, message, here, logStream),
      );
    }
    return { events, position, scanned, looked };
  }

  /** Advances to the first line in the range. */
  private skip(): void {
    const { descending, from = 0, to = Number.POSITIVE_INFINITY, after } = this.range;
    const before = (line: number): boolean => {
      const here = this.positionOf(line);
      if (descending) return here.timestamp >= to || (after !== undefined && comparePositions(here, after) >= 0);
      return here.timestamp < from || (after !== undefined && comparePositions(here, after) <= 0);
    };
    // In time order, the lines before the range are contiguous.
    let low = 0;
    let high = this.content.index.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      const place = descending ? this.content.index.size - 1 - middle : middle;
      if (before(this.lineAt(place))) low = middle + 1;
      else high = middle;
    }
    this.place += low * this.step;
    if (this.done) return;
    // Nothing comes after the range's end.
    const { timestamp } = this.position;
    if (descending ? timestamp < from : timestamp >= to) this.place = this.last + this.step;
  }

  /** Whether a line is in the range; a line beyond it ends the segment. */
  private admits({ timestamp }: Position): boolean {
    const { descending, from = 0, to = Number.POSITIVE_INFINITY } = this.range;
    const inside = descending ? timestamp >= from : timestamp < to;
    if (!inside) this.place = this.last;
    return inside;
  }

  private lineAt(place: number): number {
    return this.content.index.order?.[place] ?? place;
  }

  private positionOf(line: number): Position {
    const { times, offsets } = this.content.index;
    return { timestamp: times[line]!, segment: this.segment.id, offset: offsets[line]! };
  }
}

/** Marks the lines that contain a text. */
function linesWith(text: string, bytes: Buffer, index: LoadedSegment['index']): Uint8Array {
  const marked = new Uint8Array(index.size);
  let line = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, lineEnd(index, line))) {
    line = lineOf(at, index);
    marked[line] = 1;
  }
  return marked;
}

/** Returns the line at a byte offset. */
function lineOf(offset: number, { offsets, size }: LoadedSegment['index']): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Returns the event of a line.
 * @param message start of its text if it has no escapes; otherwise not positive
 */
function eventOf(line: Buffer, message: number, position: Position, logStream: string): StoredEvent {
  const eventId = formatEventId(position);
  const { timestamp } = position;
  if (message <= 0) {
    const { i, m, x } = JSON.parse(line.toString('utf8')) as { i: number; m: string; x?: string };
    return { timestamp, ingestionTime: i, message: m, logStream, eventId, ...(x !== undefined && { transformed: x }) };
  }
  // {"t":<time>,"i":<time>,…
  const start = line.indexOf(',') + 5;
  const ingestionTime = Number(line.toString('latin1', start, line.indexOf(',', start)));
  return { timestamp, ingestionTime, message: line.toString('utf8', message, line.length - 2), logStream, eventId };
}

/** Returns the event of a line; undefined if its stream is deleted. */
export function eventAt(
  { bytes, index }: LoadedSegment,
  { id }: Pick<Segment, 'id'>,
  line: number,
  names: StreamNames,
): StoredEvent | undefined {
  const logStream = names(index.streams[line]!);
  if (logStream === undefined) return undefined;
  const offset = index.offsets[line]!;
  const position = { timestamp: index.times[line]!, segment: id, offset };
  return eventOf(bytes.subarray(offset, lineEnd(index, line)), index.messages[line]! - offset, position, logStream);
}

/** A lazily decoded event. */
export class LineEvent implements StoredEvent {
  readonly timestamp: number;
  private whole: StoredEvent | undefined;

  constructor(
    private line: Buffer | undefined,
    private readonly messageAt: number,
    private readonly position: Position,
    readonly logStream: string,
  ) {
    this.timestamp = position.timestamp;
  }

  get message(): string {
    return this.settle().message;
  }

  get transformed(): string | undefined {
    return this.settle().transformed;
  }

  get ingestionTime(): number {
    return this.settle().ingestionTime;
  }

  get eventId(): string {
    return formatEventId(this.position);
  }

  /** Decodes the event completely, to release its segment's buffer. */
  settle(): StoredEvent {
    if (!this.whole) {
      this.whole = eventOf(this.line!, this.messageAt, this.position, this.logStream);
      this.line = undefined;
    }
    return this.whole;
  }
}

/**
 * Reads the events of a group.
 * @param group key in the store
 */
export function eventReader(store: EventStore, group: string, names: StreamNames): EventReader {
  return {
    read: (range = {}) => readRange(store, group, names, range),
    async find(eventId) {
      const position = parseEventId(eventId);
      const segment = position && store.segments(group).find(({ id }) => id === position.segment);
      if (!segment || position.offset >= segment.bytes || position.timestamp < (segment.cutoff ?? 0)) return undefined;
      const loaded = await store.loaded(segment);
      const line = loaded.index.offsets.indexOf(position.offset);
      if (line < 0 || loaded.index.times[line] !== position.timestamp) return undefined;
      return eventAt(loaded, segment, line, names);
    },
  };
}

async function* readRange(
  store: EventStore,
  group: string,
  names: StreamNames,
  range: EventRange,
): AsyncGenerator<EventChunk, void, undefined> {
  const { descending = false } = range;
  const segments = store.segments(group).filter((segment) => mayHave(segment, range));
  segments.sort(descending ? (a, b) => b.to - a.to : (a, b) => a.from - b.from);
  // Expired segments stay available until the reading ends.
  for (const { file } of segments) file.retain();
  try {
    yield* merged(store, segments, names, range);
  } finally {
    for (const { file } of segments) file.release();
  }
}

/** Merges segments, opening each when its events begin. */
async function* merged(
  store: EventStore,
  segments: readonly Segment[],
  names: StreamNames,
  range: EventRange,
): AsyncGenerator<EventChunk, void, undefined> {
  const { descending = false } = range;
  const slices = new Slices();
  let open: Cursor[] = [];
  let next = 0;
  /** Returns the earliest possible position in segments that are not yet open. */
  const bound = (): Position | undefined => {
    const segment = segments[next];
    if (!segment) return undefined;
    return descending
      ? { timestamp: segment.to, segment: Number.MAX_SAFE_INTEGER, offset: 0 }
      : { timestamp: segment.from, segment: 0, offset: 0 };
  };
  for (;;) {
    for (let limit = bound(); limit && !open.some((cursor) => cursor.precedes(limit!)); limit = bound()) {
      const cursor = await Cursor.open(store, segments[next++]!, range, names, open.length < MAX_WHOLE);
      if (!cursor.done) open.push(cursor);
    }
    const [first, second] = firstTwo(open);
    if (!first) {
      if (next >= segments.length) return;
      continue;
    }
    const others = [second?.position, bound()].filter((position) => position !== undefined);
    const until = others.sort((a, b) => comparePositions(a, b) * (descending ? -1 : 1))[0];
    const chunk = await first.take(until, CHUNK);
    if (first.done) open = open.filter((cursor) => cursor !== first);
    yield chunk;
    const pause = slices.pause();
    if (pause) await pause;
  }
}

/** Returns the two first cursors. */
function firstTwo(open: readonly Cursor[]): [Cursor | undefined, Cursor | undefined] {
  let first: Cursor | undefined;
  let second: Cursor | undefined;
  for (const cursor of open) {
    if (!first || cursor.precedes(first.position)) {
      second = first;
      first = cursor;
    } else if (!second || cursor.precedes(second.position)) second = cursor;
  }
  return [first, second];
}

/** Whether a segment may contain events of a range. */
function mayHave(segment: Segment, range: EventRange): boolean {
  const { from = 0, to = Number.POSITIVE_INFINITY, streams, after, descending } = range;
  if (!overlaps(segment, from, to)) return false;
  if (streams && ![...streams].some((stream) => stream >= segment.streams[0] && stream <= segment.streams[1]))
    return false;
  if (after === undefined) return true;
  return descending ? segment.from <= after.timestamp : segment.to >= after.timestamp;
}
