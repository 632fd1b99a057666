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
  /** The location the bucket was made with, where it is not the name of its region: `EU`. */
  readonly location?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Undefined while versioning has never been turned on. */
  versioning?: 'Enabled' | 'Suspended';
  mfaDelete?: 'Enabled' | 'Disabled';
  /** Set by `x-amz-bucket-object-lock-enabled`; cannot be turned off. */
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
  /** Settings of the bucket by the name of their subresource, as they were put. */
  configurations: BucketConfigurations;
  /** When the list of each inventory configuration was delivered last, in epoch milliseconds. */
  inventoryDeliveries?: Record<string, number>;
  /** When each analytics configuration was analyzed last, or began to be, in epoch milliseconds. */
  analyticsDeliveries?: Record<string, number>;
}

/** A run of an object's bytes: one stored body. */
export interface Segment {
  /** Id of the body. */
  readonly body: string;
  /** Bytes. */
  readonly size: number;
}

/** A part of an object that was uploaded in parts. */
export interface StoredPart {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
  /** Base64, of the object's algorithm; undefined where the parts had none. */
  readonly checksum?: string;
}

/** A checksum as S3 keeps it. */
export interface StoredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64; composite ones end in `-<parts>`. */
  readonly value: string;
  readonly type: ChecksumType;
}

/** Headers that S3 stores with an object and gives back as they were. */
export interface SystemMetadata {
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly contentType?: string;
  readonly expires?: string;
}

/** How an object is encrypted at rest. The bytes are stored in the clear; KMS is asked for
 * their data keys all the same, so that its permissions and the states of its keys count. */
export type ObjectEncryption =
  | { readonly algorithm: 'AES256' }
  | {
      readonly algorithm: 'aws:kms' | 'aws:kms:dsse';
      /** ARN of the key. */
      readonly keyId: string;
      readonly bucketKey: boolean;
      /** Pairs of the encryption context that the caller gave, base64 of JSON. */
      readonly context?: string;
      /** ARN that the data key is bound to: the object's as it was written, or its bucket's. */
      readonly boundTo?: string;
      /** The data key as KMS encrypted it, base64. */
      readonly dataKey?: string;
    }
  | {
      readonly algorithm: 'customer';
      /** Base64 MD5 of the customer's key, as the caller gave it. */
      readonly keyMd5: string;
      /** SHA-256 of the key, by which later callers are checked; the key itself is not kept. */
      readonly keyHash: string;
    };

/** One version of an object, or a delete marker. */
export interface VersionRecord {
  readonly bucket: string;
  readonly key: string;
  /** `null` where versioning was not on. */
  readonly versionId: string;
  /** Order of creation in the account; the key of the record. */
  readonly sequence: number;
  readonly deleteMarker?: true;
  /** Epoch milliseconds, whole seconds as S3 keeps them. */
  readonly lastModified: number;
  /** Without quotes. */
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
  readonly content: readonly Segment[];
  /** Of an object uploaded in parts. */
  readonly parts?: readonly StoredPart[];
  /** The upload that it came of, whose completion may be repeated. */
  readonly uploadId?: string;
  readonly system: SystemMetadata;
  /** User metadata by lower-case name. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly storageClass: string;
  readonly websiteRedirectLocation?: string;
  /** Undefined where it is computed when first asked for: the CRC-64/NVME that S3 adds by itself. */
  checksum?: StoredChecksum;
  encryption: ObjectEncryption;
  tags?: readonly Tag[];
  /** Account that wrote the object, where it is not the bucket's. */
  readonly owner?: string;
  acl?: AccessControl;
  retention?: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE' /** Epoch milliseconds. */; readonly until: number };
  legalHold?: 'ON' | 'OFF';
  replicationStatus?: 'PENDING' | 'COMPLETED' | 'FAILED' | 'REPLICA';
  /**
   * A restore from an archive storage class: when it is done and when the copy goes, in epoch milliseconds, and whether
   * it was told that it is done.
   */
  restore?: { readonly completesAt: number; readonly expiresAt: number; readonly announced?: true };
}

/** What an object is given when it is written, besides its bytes. */
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

/** A multipart upload that is going on. */
export interface UploadRecord {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
  /** Order of initiation in the account. */
  readonly sequence: number;
  /** Epoch milliseconds. */
  readonly initiatedAt: number;
  /** ARN of whoever began it. */
  readonly initiator: string;
  /** Undefined where none was named: then any may come with the parts, and the object gets a CRC-64/NVME. */
  readonly checksumAlgorithm?: ChecksumAlgorithm;
  readonly checksumType?: ChecksumType;
  readonly settings: ObjectSettings;
  /** Set when its key is deleted meanwhile, which conditional completions must know. */
  deletedMeanwhile?: true;
}

/** A part of an upload that is going on. */
export interface PartRecord {
  readonly uploadId: string;
  readonly number: number;
  /** MD5 in hexadecimal. */
  readonly md5: string;
  readonly etag: string;
  readonly segment: Segment;
  /** Of the upload's algorithm, or CRC-64/NVME where it has none. */
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

/** A notification that its destination has not taken yet, kept by an id of its own. */
export interface NotificationRecord {
  readonly id: string;
  /** The bucket. */
  readonly source: { readonly arn: string; readonly accountId: string; readonly region: string };
  readonly kind: 'queue' | 'topic' | 'function' | 'bus';
  /** ARN of the destination; `eventbridge` for the bus of the bucket's account. */
  readonly arn: string;
  /** The message as JSON text; for a bus, the entry. */
  readonly text: string;
  /** Id of the request, or of the run of a timer, that it tells of. */
  readonly cause: string;
  /** X-Ray's header of the request, by which Lambda ends loops. */
  readonly traceHeader?: string;
  readonly shown: Omit<S3Notification, 'status' | 'error'>;
}

/** A version that is to be replicated, kept by its sequence. */
export interface ReplicationRecord {
  readonly bucket: string;
  readonly key: string;
  readonly sequence: number;
  /** Id of the request that wrote it. */
  readonly cause: string;
}

/** Members of an object that are the client's own. */
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

/** Every collection of S3. */
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
