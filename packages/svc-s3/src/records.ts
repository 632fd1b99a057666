import type { S3Notification } from '@emu/control-client';
import { type AnyCollectionDefinition, defineCollection } from '@emu/core/service';
import type { DataRedundancy, LocationType, Tag } from '@emu/service-types/s3';
import { type BucketConfigurations, revived } from './buckets/configurations.ts';
import type { ChecksumAlgorithm, ChecksumType } from './content/checksums.ts';
import { requestCountsCollection } from './monitoring/request-metrics.ts';
import { analyticsCollections } from './reports/analytics-history.ts';

/** A bucket. */
export interface BucketRecord {
  readonly name: string;
  readonly region: string;
  /** Location constraint, if it differs from the region's name: `EU`. */
  readonly location?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Undefined if versioning was never enabled. */
  versioning?: 'Enabled' | 'Suspended';
  mfaDelete?: 'Enabled' | 'Disabled';
  /** Set by `x-amz-bucket-object-lock-enabled`; cannot be disabled. */
  objectLock?: true;
  /** A directory bucket of S3 Express One Zone. */
  readonly directory?: {
    /** Id of the zone, e.g. `use1-az4`. */
    readonly zone: string;
    readonly redundancy: DataRedundancy;
    readonly zoneType: LocationType;
  };
  tags?: readonly Tag[];
  acl?: AccessControl;
  /** Bucket settings by subresource name, as given. */
  configurations: BucketConfigurations;
  /** Last delivery of each inventory configuration, in epoch milliseconds. */
  inventoryDeliveries?: Record<string, number>;
  /** Last run, or start, of each analytics configuration, in epoch milliseconds. */
  analyticsDeliveries?: Record<string, number>;
}

/** A segment of an object's content: one stored body. */
export interface Segment {
  /** Id of the body. */
  readonly body: string;
  /** Bytes. */
  readonly size: number;
}

/** A part of a multipart object. */
export interface StoredPart {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
  /** Base64, in the object's algorithm; undefined without part checksums. */
  readonly checksum?: string;
}

/** A stored checksum. */
export interface StoredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64; composite ones end with `-<parts>`. */
  readonly value: string;
  readonly type: ChecksumType;
}

/** Headers that S3 stores with an object and returns unchanged. */
export interface SystemMetadata {
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly contentType?: string;
  readonly expires?: string;
}

/**
 * Encryption of an object at rest. The content is stored unencrypted; KMS data keys are used nevertheless, so that key
 * permissions and key states apply.
 */
export type ObjectEncryption =
  | { readonly algorithm: 'AES256' }
  | {
      readonly algorithm: 'aws:kms' | 'aws:kms:dsse';
      /** ARN of the key. */
      readonly keyId: string;
      readonly bucketKey: boolean;
      /** The caller's encryption context as base64 JSON. */
      readonly context?: string;
      /** ARN the data key is bound to: the object's at its creation, or its bucket's. */
      readonly boundTo?: string;
      /** The data key encrypted by KMS, in base64. */
      readonly dataKey?: string;
    }
  | {
      readonly algorithm: 'customer';
      /** Base64 MD5 of the customer key, as given. */
      readonly keyMd5: string;
      /** SHA-256 of the key, to verify later requests; the key itself is not stored. */
      readonly keyHash: string;
    };

/** One version of an object, or a delete marker. */
export interface VersionRecord {
  readonly bucket: string;
  readonly key: string;
  /** `null` if versioning was not enabled. */
  readonly versionId: string;
  /** Creation order in the account; key of the record. */
  readonly sequence: number;
  readonly deleteMarker?: true;
  /** Epoch milliseconds in whole seconds, like S3. */
  readonly lastModified: number;
  /** Without quotes. */
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
  readonly content: readonly Segment[];
  /** For multipart objects. */
  readonly parts?: readonly StoredPart[];
  /** Its upload, whose completion may be repeated. */
  readonly uploadId?: string;
  readonly system: SystemMetadata;
  /** User metadata by lower-case name. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly storageClass: string;
  readonly websiteRedirectLocation?: string;
  /** Undefined until first requested: the CRC-64/NVME that S3 adds by default. */
  checksum?: StoredChecksum;
  encryption: ObjectEncryption;
  tags?: readonly Tag[];
  /** Account that wrote the object, if not the bucket's. */
  readonly owner?: string;
  acl?: AccessControl;
  retention?: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE' /** Epoch milliseconds. */; readonly until: number };
  legalHold?: 'ON' | 'OFF';
  replicationStatus?: 'PENDING' | 'COMPLETED' | 'FAILED' | 'REPLICA';
  /**
   * Last access of an object in S3 Intelligent-Tiering, or its transition there, in epoch milliseconds; by default its
   * creation.
   */
  accessedAt?: number;
  archiveTier?: ArchiveTier;
  /**
   * Restore from an archive class or tier: completion and expiry in epoch milliseconds, and whether the completion event was
   * sent.
   */
  restore?: { readonly completesAt: number; readonly expiresAt: number; readonly announced?: true };
}

/** Archive tier of an object in S3 Intelligent-Tiering. */
export type ArchiveTier = 'ARCHIVE_ACCESS' | 'DEEP_ARCHIVE_ACCESS';

/** Settings of an object besides its content. */
export type ObjectSettings = Pick<
  VersionRecord,
  | 'system'
  | 'metadata'
  | 'storageClass'
  | 'websiteRedirectLocation'
  | 'encryption'
  | 'tags'
  | 'owner'
  | 'acl'
  | 'retention'
  | 'legalHold'
>;

/** A multipart upload in progress. */
export interface UploadRecord {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
  /** Order of initiation in the account. */
  readonly sequence: number;
  /** Epoch milliseconds. */
  readonly initiatedAt: number;
  /** ARN of its initiator. */
  readonly initiator: string;
  /** Undefined if none was named: parts may use any algorithm, and the object gets a CRC-64/NVME. */
  readonly checksumAlgorithm?: ChecksumAlgorithm;
  readonly checksumType?: ChecksumType;
  readonly settings: ObjectSettings;
  /** Set if its key was deleted meanwhile, which fails conditional completions. */
  deletedMeanwhile?: true;
}

/** A part of an upload in progress. */
export interface PartRecord {
  readonly uploadId: string;
  readonly number: number;
  /** MD5 in hexadecimal. */
  readonly md5: string;
  readonly etag: string;
  readonly segment: Segment;
  /** In the upload's algorithm, or CRC-64/NVME by default. */
  readonly checksum: StoredChecksum;
  /** Epoch milliseconds. */
  readonly uploadedAt: number;
}

/** Grants of a bucket or an object. */
export interface AccessControl {
  readonly grants: readonly {
    readonly grantee: { readonly type: 'CanonicalUser' | 'Group' | 'AmazonCustomerByEmail'; readonly id: string };
    readonly permission: 'FULL_CONTROL' | 'READ' | 'WRITE' | 'READ_ACP' | 'WRITE_ACP';
  }[];
}

/** An undelivered notification, keyed by its own id. */
export interface NotificationRecord {
  readonly id: string;
  /** The bucket. */
  readonly source: { readonly arn: string; readonly accountId: string; readonly region: string };
  readonly kind: 'queue' | 'topic' | 'function' | 'bus';
  /** ARN of the destination; `eventbridge` for the default bus of the bucket's account. */
  readonly arn: string;
  /** The message as JSON text; for a bus, the entry. */
  readonly text: string;
  /** Id of the causing request or timer run. */
  readonly cause: string;
  /** X-Ray header of the request, by which Lambda stops loops. */
  readonly traceHeader?: string;
  readonly shown: Omit<S3Notification, 'status' | 'error'>;
}

/** A version to replicate, keyed by its sequence. */
export interface ReplicationRecord {
  readonly bucket: string;
  readonly key: string;
  readonly sequence: number;
  /** Id of the writing request. */
  readonly cause: string;
}

/** Client-controlled members of an object. */
const OBJECT_CONTENT = ['key', 'metadata', 'system', 'tags', 'websiteRedirectLocation'];

export const bucketCollection = defineCollection<BucketRecord>('buckets', 'account', {
  decode: (json) => {
    const record = json as BucketRecord;
    return { ...record, configurations: revived(record.configurations) };
  },
});
export const versionCollection = defineCollection<VersionRecord>('versions', 'account', {
  content: OBJECT_CONTENT,
  bodies: ({ content }) => content.map(({ body }) => body),
});

export const uploadCollection = defineCollection<UploadRecord>('uploads', 'account', { content: OBJECT_CONTENT });
export const partCollection = defineCollection<PartRecord>('parts', 'account', {
  bodies: ({ segment }) => [segment.body],
});

export const notificationCollection = defineCollection<NotificationRecord>('notifications', 'account');
export const replicationCollection = defineCollection<ReplicationRecord>('replications', 'account');

/** All collections of S3. */
export const collections: readonly AnyCollectionDefinition[] = [
  bucketCollection,
  versionCollection,
  uploadCollection,
  partCollection,
  notificationCollection,
  replicationCollection,
  ...analyticsCollections,
  requestCountsCollection,
];
