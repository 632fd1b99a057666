import { crc32 } from 'node:zlib';
import { isFileError, type Logger } from '@emu/core/service';
import { logsError } from '../errors.ts';
import { damageOf } from './inspection.ts';
import type { Segment } from './segment.ts';
import { indexLines, type SegmentIndex } from './segment-index.ts';

/** An indexed segment. */
export interface LoadedSegment {
  /** The committed bytes. */
  readonly bytes: Buffer;
  readonly index: SegmentIndex;
}

/** Cached segments: the newest of a few groups, and those being read. */
const KEPT = 8;

/** Recently read segments. */
export class SegmentCache {
  private readonly kept = new Map<number, { bytes: number; loaded: Promise<LoadedSegment> }>();
  /** Damaged segments that were already logged. */
  private readonly reported = new Set<number>();

  /** @param log receives damaged segments */
  constructor(private readonly log: Logger | undefined) {}

  /**
   * Returns the committed part of a segment.
   * @throws AwsError `InternalError` (500) if it is damaged
   */
  get(segment: Segment): Promise<LoadedSegment> {
    const { id, bytes } = segment;
    const found = this.kept.get(id);
    this.kept.delete(id);
    const entry = found?.bytes === bytes ? found : { bytes, loaded: this.load(segment) };
    this.kept.set(id, entry);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    entry.loaded.catch(() => this.kept.delete(id));
    return entry.loaded;
  }

  discard(id: number): void {
    this.kept.delete(id);
    this.reported.delete(id);
  }

  private async load(segment: Segment): Promise<LoadedSegment> {
    const { medium } = segment.file;
    const content = await medium.read(0, segment.bytes).catch((error: unknown) => {
      throw isFileError(error, 'ENOENT', 'ENOTDIR') ? this.damaged(segment, 'is missing', error) : error;
    });
    const checksum = segment.checksum === undefined ? 0 : crc32(content);
    const damage = damageOf(segment, { bytes: content.length, checksum });
    if (damage !== undefined) throw this.damaged(segment, damage);
    return { bytes: content, index: indexLines(content, segment.events) };
  }

  private damaged({ id, file }: Segment, what: string, cause?: unknown): Error {
    const sentence = `${file.medium.path} ${what}`;
    if (!this.reported.has(id)) this.log?.error(`stored log events are lost: ${sentence}`);
    this.reported.add(id);
    return logsError('InternalError', `The stored content is damaged: ${sentence}.`, { status: 500, cause });
  }
}
