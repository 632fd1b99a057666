import type { ParquetColumn, ParquetValue } from '@emu/service-types/internal/s3';
import { grantsOf, ownerOnly } from '../access-control/acl.ts';
import { canonicalUserId } from '../access-control/owners.ts';
import type { Bucket } from '../buckets/bucket.ts';
import { accessTierOf } from '../lifecycle/access-tiers.ts';
import { expirationTime } from '../lifecycle/evaluation.ts';
import type { ObjectVersion } from '../listing/object-index.ts';

/** Data of a version for inventories. */
export interface Listed {
  readonly bucket: Bucket;
  readonly version: ObjectVersion;
  readonly latest: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A field value: times are epoch milliseconds, keys are unencoded. */
type Value = (listed: Listed) => ParquetValue;

/** A column of an inventory. */
export interface InventoryField {
  /** Name in CSV, e.g. `LastModifiedDate`. */
  readonly name: string;
  /** Name in Parquet, e.g. `last_modified_date`. */
  readonly column: ParquetColumn;
  readonly value: Value;
}

/** Returns the encryption status of a version in inventories. */
function encryptionStatus({ encryption: { algorithm } }: ObjectVersion): string {
  if (algorithm === 'customer') return 'SSE-C';
  return { AES256: 'SSE-S3', 'aws:kms': 'SSE-KMS', 'aws:kms:dsse': 'DSSE-KMS' }[algorithm];
}

/** Returns the Base64 of the ACL as JSON. */
function accessControlList({ version, bucket }: Listed): string {
  const acl = version.acl ?? ownerOnly(version.owner ?? bucket.accountId);
  const grants = grantsOf(acl).map(({ Grantee, Permission }) => ({
    canonicalId: Grantee?.ID,
    uri: Grantee?.URI,
    type: Grantee?.Type,
    permission: Permission,
  }));
  return Buffer.from(JSON.stringify({ version: '2022-11-10', status: 'AVAILABLE', grants })).toString('base64');
}

/** Columns of all inventories. */
const ALWAYS: Readonly<Record<string, Value>> = {
  Bucket: ({ bucket }) => bucket.name,
  Key: ({ version }) => version.key,
};
/** Additional columns if all versions are listed. */
const OF_VERSIONS: Readonly<Record<string, Value>> = {
  VersionId: ({ version }) => version.versionId,
  IsLatest: ({ latest }) => latest,
  IsDeleteMarker: ({ version }) => version.deleteMarker === true,
};
/** Optional fields in column order. Delete markers have few of them. */
const OPTIONAL: Readonly<Record<string, Value>> = {
  Size: ({ version }) => (version.deleteMarker ? undefined : version.size),
  LastModifiedDate: ({ version }) => version.lastModified,
  ETag: ({ version }) => version.etag,
  StorageClass: ({ version }) => (version.deleteMarker ? undefined : version.storageClass),
  IsMultipartUploaded: ({ version }) => version.parts !== undefined,
  ReplicationStatus: ({ version }) => version.replicationStatus,
  EncryptionStatus: ({ version }) => (version.deleteMarker ? undefined : encryptionStatus(version)),
  ObjectLockRetainUntilDate: ({ version }) => version.retention?.until,
  ObjectLockMode: ({ version }) => version.retention?.mode,
  ObjectLockLegalHoldStatus: ({ version }) => version.legalHold,
  IntelligentTieringAccessTier: ({ version, now }) => (version.deleteMarker ? undefined : accessTierOf(version, now)),
  BucketKeyStatus: ({ version: { encryption, deleteMarker } }) =>
    deleteMarker ? undefined : 'bucketKey' in encryption && encryption.bucketKey ? 'ENABLED' : 'DISABLED',
  ChecksumAlgorithm: ({ version }) => version.checksum?.algorithm,
  ObjectAccessControlList: accessControlList,
  ObjectOwner: ({ version, bucket }) => canonicalUserId(version.owner ?? bucket.accountId),
  LifecycleExpirationDate: ({ bucket, version, latest }) =>
    latest && !version.deleteMarker ? expirationTime(bucket, version) : undefined,
};

/** Non-text fields. */
const TYPES: Readonly<Record<string, ParquetColumn['type']>> = {
  IsLatest: 'boolean',
  IsDeleteMarker: 'boolean',
  Size: 'long',
  LastModifiedDate: 'timestamp',
  IsMultipartUploaded: 'boolean',
  ObjectLockRetainUntilDate: 'timestamp',
  LifecycleExpirationDate: 'timestamp',
};

/** Names of optional fields. */
export const OPTIONAL_FIELDS: readonly string[] = Object.keys(OPTIONAL);

/** Converts a name: `e_tag` for `ETag`. */
const snakeCase = (name: string): string => name.replaceAll(/(?<!^)(?=[A-Z])/g, '_').toLowerCase();

/**
 * Returns the columns of an inventory, in order.
 * @param versions whether all versions are listed
 * @param optional names of the requested optional fields
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory.html#storage-inventory-contents
 */
export function fieldsOf(versions: boolean, optional: readonly string[]): readonly InventoryField[] {
  const asked = Object.entries(OPTIONAL).filter(([name]) => optional.includes(name));
  return [...Object.entries(ALWAYS), ...(versions ? Object.entries(OF_VERSIONS) : []), ...asked].map(
    ([name, value]) => ({ name, column: { name: snakeCase(name), type: TYPES[name] ?? 'string' }, value }),
  );
}
