import { grantsOf, ownerOnly } from './acl.ts';
import type { Bucket } from './bucket.ts';
import { expirationTime } from './lifecycle.ts';
import type { ObjectVersion } from './object-index.ts';
import { canonicalUserId } from './owners.ts';

/** What an inventory tells of a version. */
export interface Listed {
  readonly bucket: Bucket;
  readonly version: ObjectVersion;
  readonly latest: boolean;
}

type Field = (listed: Listed) => string | number | boolean | undefined;

/** `2023-05-01T10:00:00.000Z`. @param at epoch milliseconds */
const date = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();

/** How a version is encrypted, as inventories call it. */
function encryptionStatus({ encryption: { algorithm } }: ObjectVersion): string {
  if (algorithm === 'customer') return 'SSE-C';
  return { AES256: 'SSE-S3', 'aws:kms': 'SSE-KMS', 'aws:kms:dsse': 'DSSE-KMS' }[algorithm];
}

/** Base64 of the ACL as JSON. */
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

/** Of every inventory. */
const ALWAYS: Readonly<Record<string, Field>> = {
  Bucket: ({ bucket }) => bucket.name,
  Key: ({ version }) => encodeURIComponent(version.key).replaceAll('%2F', '/'),
};
/** Of inventories of all versions. */
const OF_VERSIONS: Readonly<Record<string, Field>> = {
  VersionId: ({ version }) => version.versionId,
  IsLatest: ({ latest }) => latest,
  IsDeleteMarker: ({ version }) => version.deleteMarker === true,
};
/** Fields that a configuration may ask for, in the order of a list. A delete marker has few of them. */
const OPTIONAL: Readonly<Record<string, Field>> = {
  Size: ({ version }) => (version.deleteMarker ? undefined : version.size),
  LastModifiedDate: ({ version }) => date(version.lastModified),
  ETag: ({ version }) => version.etag,
  StorageClass: ({ version }) => (version.deleteMarker ? undefined : version.storageClass),
  IsMultipartUploaded: ({ version }) => version.parts !== undefined,
  ReplicationStatus: ({ version }) => version.replicationStatus,
  EncryptionStatus: ({ version }) => (version.deleteMarker ? undefined : encryptionStatus(version)),
  ObjectLockRetainUntilDate: ({ version }) => date(version.retention?.until),
  ObjectLockMode: ({ version }) => version.retention?.mode,
  ObjectLockLegalHoldStatus: ({ version }) => version.legalHold,
  IntelligentTieringAccessTier: ({ version }) =>
    version.storageClass === 'INTELLIGENT_TIERING' ? 'FREQUENT' : undefined,
  BucketKeyStatus: ({ version: { encryption, deleteMarker } }) =>
    deleteMarker ? undefined : 'bucketKey' in encryption && encryption.bucketKey ? 'ENABLED' : 'DISABLED',
  ChecksumAlgorithm: ({ version }) => version.checksum?.algorithm,
  ObjectAccessControlList: accessControlList,
  ObjectOwner: ({ version, bucket }) => canonicalUserId(version.owner ?? bucket.accountId),
  LifecycleExpirationDate: ({ bucket, version, latest }) =>
    latest && !version.deleteMarker ? date(expirationTime(bucket, version)) : undefined,
};

/** Names that a configuration may ask for. */
export const OPTIONAL_FIELDS: readonly string[] = Object.keys(OPTIONAL);

/**
 * The columns of an inventory, in order.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory.html#storage-inventory-contents
 */
export function fieldsOf(versions: boolean, optional: readonly string[]): readonly (readonly [string, Field])[] {
  const asked = Object.entries(OPTIONAL).filter(([name]) => optional.includes(name));
  return [...Object.entries(ALWAYS), ...(versions ? Object.entries(OF_VERSIONS) : []), ...asked];
}
