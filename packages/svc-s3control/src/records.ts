import { type AnyCollectionDefinition, defineCollection, type PublicAccessSettings } from '@emu/core/service';
import type { Scope, Tag } from '@emu/service-types/s3control';
import { accessGrantsCollections } from './access-grants/records.ts';
import { objectLambdaCollection } from './access-points/object-lambda-records.ts';
import { jobCollection } from './jobs/records.ts';
import { multiRegionCollections } from './multi-region/records.ts';
import { outpostsCollection } from './outposts/records.ts';
import { storageLensCollections } from './storage-lens/records.ts';

/** Public access settings, all members set. */
export type PublicAccessBlock = PublicAccessSettings;

/** An access point of a bucket. Times are epoch milliseconds. */
export interface AccessPointRecord {
  name: string;
  alias: string;
  bucket: string;
  /** Owner of the bucket. */
  bucketAccountId: string;
  /** Undefined for the network origin internet. */
  vpcId?: string;
  publicAccessBlock: PublicAccessBlock;
  /** JSON text as given. */
  policy?: string;
  /** For access points of directory buckets only. */
  scope?: Scope;
  tags: Tag[];
  createdAt: number;
}

/** Access points by name. */
export const accessPointCollection = defineCollection<AccessPointRecord>('access-points', 'region');

/** Public access block of the account; a single record named `account` in the partition's global region. */
export const publicAccessBlockCollection = defineCollection<PublicAccessBlock>('public-access-blocks', 'region');

/** All collections of the service. */
export const collections: readonly AnyCollectionDefinition[] = [
  accessPointCollection,
  publicAccessBlockCollection,
  objectLambdaCollection,
  ...multiRegionCollections,
  outpostsCollection,
  jobCollection,
  ...storageLensCollections,
  ...accessGrantsCollections,
];
