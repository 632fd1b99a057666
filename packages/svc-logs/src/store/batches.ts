import { crc32 } from 'node:zlib';
import { encodeLine, formatEventId, type NewEvent } from './event.ts';
import type { Segment } from './segment.ts';

/** Size in bytes at which a segment is closed; a single event may exceed it. */
const SEGMENT_SIZE = 4 * 1024 * 1024;

/** Events of one stream, stored together. */
export interface EventBatch {
  /** Key of the log group: account, region and group id, joined by slashes. */
  readonly group: string;
  /** Number of the stream in the group. */
  readonly stream: number;
  /** In order of time. */
  readonly events: readonly NewEvent[];
  /** Epoch milliseconds. */
  readonly ingestionTime: number;
}

/** A batch waiting for its commit. */
export interface Waiting {
  readonly batch: EventBatch;
  resolve(ids: string[]): void;
  reject(error: unknown): void;
}

/** Whether a segment can be appended to. */
export const isOpen = ({ sealed, bytes }: Segment): boolean => !sealed && bytes < SEGMENT_SIZE;

/** Groups batches by log group, with their indexes. */
export function grouped(waiting: readonly Waiting[]): Map<string, [number, Waiting][]> {
  const groups = new Map<string, [number, Waiting][]>();
  for (const [index, member] of waiting.entries()) {
    const { group } = member.batch;
    const members = groups.get(group) ?? [];
    members.push([index, member]);
    groups.set(group, members);
  }
  return groups;
}

/**
 * Writes the batches of a group.
 * @param members the batches with their indexes
 * @param ids receives the event ids of each batch at its index
 * @param open segment to append to
 * @param newSegment creates the next segment when one is full
 * @returns the resulting segments
 */
export async function writeBatches(
  members: readonly [number, Waiting][],
  ids: string[][],
  open: Segment,
  newSegment: () => Segment,
): Promise<Segment[]> {
  const written: Segment[] = [];
  let segment: Draft = { ...open };
  for (const [index, { batch }] of members) {
    const { stream, ingestionTime } = batch;
    ids[index] = [];
    let chunks: Buffer[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      if (size > 0) {
        const bytes = Buffer.concat(chunks, size);
        await segment.file.medium.append(bytes, segment.bytes - size);
        if (segment.checksum !== undefined) segment.checksum = crc32(bytes, segment.checksum);
      }
      chunks = [];
      size = 0;
    };
    for (const event of batch.events) {
      const line = Buffer.from(encodeLine(event, ingestionTime, stream));
      if (segment.events > 0 && segment.bytes + line.length > SEGMENT_SIZE) {
        await flush();
        written.push(segment);
        segment = { ...newSegment() };
      }
      ids[index].push(formatEventId({ timestamp: event.timestamp, segment: segment.id, offset: segment.bytes }));
      grow(segment, event.timestamp, stream, line.length);
      chunks.push(line);
      size += line.length;
    }
    await flush();
  }
  written.push(segment);
  for (const { file } of written.slice(0, -1)) {
    await file.medium.sync();
    await file.medium.rest();
  }
  return written;
}

/** A segment being written, with exclusive access. */
type Draft = { -readonly [Member in keyof Segment]: Segment[Member] };

/** Adds a line to the counts. */
function grow(segment: Draft, time: number, stream: number, bytes: number): void {
  const [lowest, highest] = segment.events ? segment.streams : [stream, stream];
  if (segment.events === 0 || stream < lowest || stream > highest)
    segment.streams = [Math.min(lowest, stream), Math.max(highest, stream)];
  segment.bytes += bytes;
  segment.events++;
  segment.from = Math.min(segment.from, time);
  segment.to = Math.max(segment.to, time);
}

/** Appends or replaces segments. */
export function joined(before: readonly Segment[], written: readonly Segment[]): Segment[] {
  const first = written[0]!;
  const kept = before.filter(({ file }) => file !== first.file);
  // An expiry that happened during the write is applied.
  const cutoff = before.find(({ file }) => file === first.file)?.cutoff;
  return [...kept, cutoff === undefined ? first : { ...first, cutoff }, ...written.slice(1)];
}
