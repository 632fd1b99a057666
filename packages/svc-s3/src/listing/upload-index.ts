import type { DeepReadonly } from '@emu/core/service';
import type { PartRecord, UploadRecord } from '../records.ts';
import { sortKeyOf } from './key-order.ts';

/** A stored part, read-only. */
export type UploadPart = DeepReadonly<PartRecord>;

/** A multipart upload with its parts. */
export class Upload {
  private readonly byNumber = new Map<number, UploadPart>();

  constructor(public record: DeepReadonly<UploadRecord>) {}

  get id(): string {
    return this.record.uploadId;
  }

  part(number: number): UploadPart | undefined {
    return this.byNumber.get(number);
  }

  /** Returns all parts, by number. */
  parts(): UploadPart[] {
    return [...this.byNumber.values()].sort((a, b) => a.number - b.number);
  }

  put(part: UploadPart): void {
    this.byNumber.set(part.number, part);
  }
}

/** Multipart uploads in progress in a bucket. */
export class UploadIndex {
  private readonly byId = new Map<string, Upload>();
  private readonly byKey = new Map<string, Set<Upload>>();

  get size(): number {
    return this.byId.size;
  }

  get(uploadId: string): Upload | undefined {
    return this.byId.get(uploadId);
  }

  ofKey(key: string): Iterable<Upload> {
    return this.byKey.get(key) ?? [];
  }

  add(upload: Upload): Upload {
    this.byId.set(upload.id, upload);
    const { key } = upload.record;
    const sameKey = this.byKey.get(key);
    if (sameKey) sameKey.add(upload);
    else this.byKey.set(key, new Set([upload]));
    return upload;
  }

  remove(upload: Upload): void {
    this.byId.delete(upload.id);
    const { key } = upload.record;
    const sameKey = this.byKey.get(key);
    sameKey?.delete(upload);
    if (sameKey?.size === 0) this.byKey.delete(key);
  }

  /** Returns all uploads, by key bytes and then order of initiation. */
  sorted(): Upload[] {
    return [...this.byId.values()]
      .map((upload) => ({ upload, sortKey: sortKeyOf(upload.record.key) }))
      .sort((a, b) =>
        a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : a.upload.record.sequence - b.upload.record.sequence,
      )
      .map(({ upload }) => upload);
  }
}
