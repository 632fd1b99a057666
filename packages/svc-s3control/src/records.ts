import { type AnyCollectionDefinition, defineCollection, type PublicAccessSettings } from '@emu/core/service';
import type { Scope, Tag } from '@emu/service-types/s3control';
import { accessGrantsCollections } from './access-grants/records.ts';
import { objectLambdaCollection } from './access-points/object-lambda-records.ts';
import { jobCollection } from './jobs/records.ts';
import { multiRegionCollections } from './multi-region/records.ts';
import { outpostsCollection } from './outposts/records.ts';
import { storageLensCollections } from './storage-lens/records.ts';

/** What may be public, each setting spelled out. */
export type PublicAccessBlock = PublicAccessSettings;

/** An access point of a bucket. Points in time are epoch milliseconds. */
export interface AccessPointRecord {
  name: string;
  alias: string;
  bucket: string;
  /** Owner of the bucket. */
  bucketAccountId: string;
  /** Undefined where its network origin is the internet. */
  vpcId?: string;
  publicAccessBlock: PublicAccessBlock;
  /** JSON text as put. */
  policy?: string;
  /** Of access points of directory buckets only. */
  scope?: Scope;
  tags: Tag[];
  createdAt: number;
}

/** Access points by name. */
export const accessPointCollection = defineCollection<AccessPointRecord>('access-points', 'region');

/** The account's public access block; one record, named `account`, in the partition's global region. */
export const publicAccessBlockCollection = defineCollection<PublicAccessBlock>('public-access-blocks', 'region');

/** Every collection of the service. */
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
