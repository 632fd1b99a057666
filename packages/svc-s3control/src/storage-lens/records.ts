import { type AnyCollectionDefinition, defineCollection } from '@emu/core/service';
import type { StorageLensConfiguration, StorageLensGroupFilter, Tag } from '@emu/service-types/s3control';

/** The dashboard that every account has. */
export const DEFAULT_DASHBOARD = 'default-account-dashboard';

/** A dashboard of S3 Storage Lens; it belongs to the region it was made in. */
export interface StorageLensRecord {
  id: string;
  configuration: StorageLensConfiguration;
  tags: Tag[];
  /** The day (UTC, `YYYY-MM-DD`) that it was made on: the first that is exported. */
  since: string;
  /** The last day whose metrics were exported. */
  exported?: string;
}

/** A filter by which Storage Lens sums up objects. */
export interface StorageLensGroupRecord {
  name: string;
  filter: StorageLensGroupFilter;
  tags: Tag[];
}

/** Configurations by id. The account's own dashboard is there as soon as it has been changed. */
export const storageLensCollection = defineCollection<StorageLensRecord>('storage-lens', 'region');

/** Groups by name. */
export const storageLensGroupCollection = defineCollection<StorageLensGroupRecord>('storage-lens-groups', 'region');

export const storageLensCollections: readonly AnyCollectionDefinition[] = [
  storageLensCollection,
  storageLensGroupCollection,
];
