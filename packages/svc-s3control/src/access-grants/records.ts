import { type AnyCollectionDefinition, defineCollection } from '@emu/core/service';
import type { GranteeType, Permission, Tag } from '@emu/service-types/s3control';

/** The single S3 Access Grants instance of an account in a region. Times are epoch milliseconds. */
export interface InstanceRecord {
  createdAt: number;
  identityCenter?: { instanceArn: string; applicationArn: string };
  /** JSON text as given. */
  policy?: { text: string; organization?: string; createdAt: number };
  tags: Tag[];
}

/** A registered location. */
export interface LocationRecord {
  id: string;
  /** `s3://`, `s3://<bucket>` or `s3://<bucket>/<prefix>*`. */
  scope: string;
  roleArn: string;
  createdAt: number;
  tags: Tag[];
}

/** A grant on a location or a part of it. */
export interface GrantRecord {
  id: string;
  locationId: string;
  subPrefix?: string;
  granteeType: GranteeType;
  granteeIdentifier: string;
  permission: Permission;
  applicationArn?: string;
  /** `s3://<bucket>/<prefix>*`, or an object. */
  scope: string;
  createdAt: number;
  tags: Tag[];
}

/** A single record, named `default` like the instance on AWS. */
export const instanceCollection = defineCollection<InstanceRecord>('access-grants-instances', 'region');
/** Locations by id. */
export const locationCollection = defineCollection<LocationRecord>('access-grants-locations', 'region');
/** Grants by id. */
export const grantCollection = defineCollection<GrantRecord>('access-grants', 'region');

export const accessGrantsCollections: readonly AnyCollectionDefinition[] = [
  instanceCollection,
  locationCollection,
  grantCollection,
];
