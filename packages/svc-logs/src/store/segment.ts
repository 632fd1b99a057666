import type { Medium } from './medium.ts';

/** What is known of a segment's events without reading them, as the manifest keeps it. */
export interface SegmentMark {
  readonly id: number;
  /** Committed bytes. */
  readonly bytes: number;
  readonly events: number;
  /** Timestamps of the oldest and the newest event. */
  readonly from: number;
  readonly to: number;
  /** Lowest and highest number of a stream with events in it. */
  readonly streams: readonly [number, number];
  /** CRC-32 of the committed bytes; absent in memory, and where an earlier version has written some of them. */
  readonly checksum?: number;
  /** Events before this time have expired for ever. */
  readonly cutoff?: number;
}

/** The bytes of a segment, which a group, its readers and checkpoints share: they go with the last of them. */
export class SegmentFile {
  private users = 0;
  private unwanted = false;

  constructor(
    readonly id: number,
    readonly medium: Medium,
    /** Told of the end of the last user. */
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

/** A segment of a log group: a file with what is committed of it. Replaced, never changed. */
export interface Segment extends SegmentMark {
  readonly file: SegmentFile;
  /** Whether nothing is appended to it any more. */
  readonly sealed?: boolean;
}

/** Segments by the key of their group, in the order in which they were made. */
export type Groups = Map<string, readonly Segment[]>;

/** Whether a segment may have events of a time range. */
export const overlaps = ({ from, to, cutoff = from }: SegmentMark, start: number, end: number): boolean =>
  from < end && to >= Math.max(start, cutoff);
