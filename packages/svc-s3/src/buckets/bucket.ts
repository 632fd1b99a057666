import type { DeepReadonly } from '@emu/core/service';
import { ObjectIndex } from '../listing/object-index.ts';
import { UploadIndex } from '../listing/upload-index.ts';
import type { BucketRecord } from '../records.ts';
import { DueKeys } from './due-keys.ts';

/** A bucket with its objects. */
export class Bucket {
  readonly objects = new ObjectIndex();
  readonly uploads = new UploadIndex();
  private due: DueKeys | undefined;

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

  /** Returns the due times of keys under configurations; recomputed when a configuration changes. */
  dueKeys(configurations: readonly (object | undefined)[]): DueKeys {
    if (!this.due?.follows(configurations)) this.due = new DueKeys(configurations, this.objects);
    return this.due;
  }

  /** Drops the due times if nothing is due by any configuration. */
  discardDueKeys(): void {
    this.due = undefined;
    this.objects.changed = undefined;
  }
}
