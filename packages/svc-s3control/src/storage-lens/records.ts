import { type AnyCollectionDefinition, defineCollection } from '@emu/core/service';
import type { StorageLensConfiguration, StorageLensGroupFilter, Tag } from '@emu/service-types/s3control';

/** Default dashboard of every account. */
export const DEFAULT_DASHBOARD = 'default-account-dashboard';

/** A dashboard of S3 Storage Lens; its home region is where it was created. */
export interface StorageLensRecord {
  id: string;
  configuration: StorageLensConfiguration;
  tags: Tag[];
  /** Creation day (UTC, `YYYY-MM-DD`): the first that is exported. */
  since: string;
  /** Last exported day. */
  exported?: string;
}

/** A filter for aggregating objects. */
export interface StorageLensGroupRecord {
  name: string;
  filter: StorageLensGroupFilter;
  tags: Tag[];
}

/** Configurations by id. The default dashboard is stored after its first change. */
export const storageLensCollection = defineCollection<StorageLensRecord>('storage-lens', 'region');

/** Groups by name. */
export const storageLensGroupCollection = defineCollection<StorageLensGroupRecord>('storage-lens-groups', 'region');

export const storageLensCollections: readonly AnyCollectionDefinition[] = [
  storageLensCollection,
  storageLensGroupCollection,
];
