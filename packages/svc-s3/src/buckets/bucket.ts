import type { DeepReadonly } from '@emu/core';
import { ObjectIndex } from '../listing/object-index.ts';
import { UploadIndex } from '../listing/upload-index.ts';
import type { BucketRecord } from '../records.ts';

/** A bucket with its objects. */
export class Bucket {
  readonly objects = new ObjectIndex();
  readonly uploads = new UploadIndex();

  constructor(
    readonly accountId: string,
    public record: DeepReadonly<BucketRecord>,
  ) {}

  get name(): string {
    return this.record.name;
  }
  get region(): string {
    return this.record.region;
  }
}
