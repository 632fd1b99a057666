import type { Medium } from './medium.ts';

/** Metadata of a segment, stored in the manifest. */
export interface SegmentMark {
  readonly id: number;
  /** Committed bytes. */
  readonly bytes: number;
  readonly events: number;
  /** Timestamps of the oldest and the newest event. */
  readonly from: number;
  readonly to: number;
  /** Lowest and highest stream number in its events. */
  readonly streams: readonly [number, number];
  /** CRC-32 of the committed bytes; absent in memory, and if an earlier version wrote some of them. */
  readonly checksum?: number;
  /** Events before this time have expired permanently. */
  readonly cutoff?: number;
}

/** Reference-counted bytes of a segment, shared by its group, readers and checkpoints. */
export class SegmentFile {
  private users = 0;
  private unwanted = false;

  constructor(
    readonly id: number,
    readonly medium: Medium,
    /** Called when the last reference is released. */
    private readonly onUnused: (file: SegmentFile) => void,
  ) {}

  retain(): void {
    this.users++;
    this.unwanted = false;
  }

  release(): void {
    if (--this.users > 0 || this.unwanted) return;
    this.unwanted = true;
    this.onUnused(this);
  }

  get isUsed(): boolean {
    return this.users > 0;
  }
}

/** A segment of a log group: a file with its committed metadata. Immutable. */
export interface Segment extends SegmentMark {
  readonly file: SegmentFile;
  /** Whether it is closed for appends. */
  readonly sealed?: boolean;
}

/** Segments by group key, in order of creation. */
export type Groups = Map<string, readonly Segment[]>;

/** Whether a segment may contain events of a time range. */
export const overlaps = ({ from, to, cutoff = from }: SegmentMark, start: number, end: number): boolean =>
  from < end && to >= Math.max(start, cutoff);
