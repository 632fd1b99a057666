import { defineCollection } from '@emu/core/service';
import type { ReplicationConfiguration, S3Tag } from '@emu/service-types/s3control';

/** A bucket on an Outpost. */
export interface OutpostsBucketRecord {
  name: string;
  outpostId: string;
  /** JSON text as given. */
  policy?: string;
  /** Rules as JSON text, with times as ISO strings. */
  lifecycle?: string;
  replication?: ReplicationConfiguration;
  tags?: S3Tag[];
  versioning?: 'Enabled' | 'Suspended';
  /** Epoch milliseconds. */
  createdAt: number;
}

/** Buckets on Outposts by `<outpost>/<name>`. */
export const outpostsCollection = defineCollection<OutpostsBucketRecord>('outposts-buckets', 'region');
