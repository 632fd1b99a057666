import type { Segment } from './segment.ts';
import { indexLines, type SegmentIndex } from './segment-index.ts';

/** A segment with its lines looked at. */
export interface LoadedSegment {
  /** The committed bytes. */
  readonly bytes: Buffer;
  readonly index: SegmentIndex;
}

/** Segments that are kept: the newest of a few groups, and what is being read. */
const KEPT = 8;

/** The segments that were read last. */
export class SegmentCache {
  private readonly kept = new Map<number, { bytes: number; loaded: Promise<LoadedSegment> }>();

  /** A segment as far as it is committed. @throws Error where it cannot be read */
  get(segment: Segment): Promise<LoadedSegment> {
    const { id, bytes } = segment;
    const found = this.kept.get(id);
    this.kept.delete(id);
    const entry = found?.bytes === bytes ? found : { bytes, loaded: load(segment) };
    this.kept.set(id, entry);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    entry.loaded.catch(() => this.kept.delete(id));
    return entry.loaded;
  }

  forget(id: number): void {
    this.kept.delete(id);
  }
}

async function load({ file, bytes, events }: Segment): Promise<LoadedSegment> {
  const content = await file.medium.read(0, bytes);
  return { bytes: content, index: indexLines(content, events) };
}
