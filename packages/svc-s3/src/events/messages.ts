import { canonicalUserId } from '../access-control/owners.ts';
import type { Bucket } from '../buckets/bucket.ts';
import type { VersionRecord } from '../records.ts';
import { bucketArn } from '../resources.ts';
import { type Actor, S3_ITSELF } from './actor.ts';

/** An event of an object. */
export interface ObjectEvent {
  /** E.g. `ObjectCreated:Put`. */
  readonly name: string;
  readonly key: string;
  /** Undefined in never versioned buckets. */
  readonly versionId?: string | undefined;
  readonly etag?: string | undefined;
  readonly size?: number | undefined;
  /** Operation for EventBridge, e.g. `PutObject`. */
  readonly reason?: string;
  /** Additional members of the record, e.g. of a restore. */
  readonly extra?: Record<string, unknown>;
  /** Additional members of EventBridge's detail. */
  readonly detail?: Record<string, unknown>;
}

/** Returns the event members of a version. */
export function eventOf(
  bucket: Bucket,
  version: Pick<VersionRecord, 'key' | 'versionId' | 'etag' | 'size'>,
): Pick<ObjectEvent, 'key' | 'versionId' | 'etag' | 'size'> {
  const { key, versionId, etag, size } = version;
  return { key, etag, size, ...(bucket.record.versioning !== undefined && { versionId }) };
}

/** Whether S3 itself caused an event, e.g. by a lifecycle rule. */
const isOwnWork = ({ principal }: Actor): boolean => principal.userId === S3_ITSELF;

/**
 * Returns the version of the record format. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
const formatOf = (name: string): string =>
  /^(ObjectTagging|ObjectAcl|LifecycleExpiration|LifecycleTransition|IntelligentTiering)/.test(name)
    ? '2.3'
    : name.startsWith('Replication')
      ? '2.2'
      : '2.1';

/** Encodes a key. Keys in records are form-encoded. */
const encodeKey = (key: string): string =>
  encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replaceAll('%20', '+')
    .replace(/[!'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const isCreation = (name: string): boolean => name.startsWith('ObjectCreated') || name.startsWith('ObjectRestore');
const isSequenced = (name: string): boolean => !/^(ObjectTagging|ObjectAcl)/.test(name);

/**
 * Returns the event record for queues, topics and functions.
 * @param sequencer orders events of a key
 */
export function recordOf(
  actor: Actor,
  bucket: Bucket,
  event: ObjectEvent,
  configurationId: string,
  sequencer: string,
): object {
  const { name, key, versionId, etag, size } = event;
  return {
    eventVersion: formatOf(name),
    eventSource: 'aws:s3',
    awsRegion: bucket.region,
    eventTime: new Date(actor.clock.now()).toISOString(),
    eventName: name,
    userIdentity: { principalId: isOwnWork(actor) ? S3_ITSELF : `AWS:${actor.principal.userId}` },
    requestParameters: { sourceIPAddress: actor.http?.remoteAddress ?? '127.0.0.1' },
    responseElements: {
      'x-amz-request-id': actor.requestId,
      'x-amz-id-2': Buffer.from(actor.requestId).toString('base64'),
    },
    s3: {
      s3SchemaVersion: '1.0',
      configurationId,
      bucket: {
        name: bucket.name,
        ownerIdentity: { principalId: canonicalUserId(bucket.accountId).slice(0, 14).toUpperCase() },
        arn: bucketArn(bucket),
      },
      object: {
        key: encodeKey(key),
        ...(isCreation(name) && size !== undefined && { size }),
        ...(etag !== undefined && etag !== '' && { eTag: etag }),
        ...(versionId !== undefined && { versionId }),
        ...(isSequenced(name) && { sequencer }),
      },
    },
    ...event.extra,
  };
}

/**
 * Returns the EventBridge detail type of an event; undefined if it is not sent there. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/EventBridge.html
 */
export function detailTypeOf(name: string): string | undefined {
  if (name.startsWith('ObjectCreated')) return 'Object Created';
  if (name.startsWith('ObjectRemoved') || name.startsWith('LifecycleExpiration')) return 'Object Deleted';
  if (name === 'ObjectRestore:Post') return 'Object Restore Initiated';
  if (name === 'ObjectRestore:Completed') return 'Object Restore Completed';
  if (name === 'ObjectRestore:Delete') return 'Object Restore Expired';
  if (name === 'LifecycleTransition') return 'Object Storage Class Changed';
  if (name === 'IntelligentTiering') return 'Object Access Tier Changed';
  if (name === 'ObjectTagging:Put') return 'Object Tags Added';
  if (name === 'ObjectTagging:Delete') return 'Object Tags Deleted';
  return name === 'ObjectAcl:Put' ? 'Object ACL Updated' : undefined;
}

/** Returns the PutEvents entry of an event. */
export function bridgeEntry(
  actor: Actor,
  bucket: Bucket,
  event: ObjectEvent,
  detailType: string,
  sequencer: string,
): object {
  const { name, key, versionId, etag, size, reason } = event;
  const marker = name.endsWith('DeleteMarkerCreated');
  const detail = {
    version: '0',
    bucket: { name: bucket.name },
    object: {
      key,
      ...(size !== undefined && detailType !== 'Object Deleted' && !/Tags|ACL/.test(detailType) && { size }),
      ...(etag !== undefined && etag !== '' && { etag }),
      ...(versionId !== undefined && { 'version-id': versionId }),
      ...((detailType === 'Object Created' || detailType === 'Object Deleted') && { sequencer }),
    },
    'request-id': actor.requestId,
    requester: isOwnWork(actor) ? S3_ITSELF : actor.principal.accountId,
    ...(actor.http && { 'source-ip-address': actor.http.remoteAddress ?? '127.0.0.1' }),
    ...(reason !== undefined && { reason }),
    ...(detailType === 'Object Deleted' && {
      'deletion-type': marker ? 'Delete Marker Created' : 'Permanently Deleted',
    }),
    ...event.detail,
  };
  return {
    Source: 'aws.s3',
    DetailType: detailType,
    Detail: JSON.stringify(detail),
    Resources: [bucketArn(bucket)],
    Time: new Date(actor.clock.now()),
  };
}
