import type { CallOptions, Clock, Ids, Logger, ServiceHandle } from '@emu/core';
import { parseArn } from '@emu/core';
import { AwsError } from '@emu/wire';
import { canonicalUserId } from '../access-control/owners.ts';
import type { Bucket } from '../buckets/bucket.ts';
import type { NotificationConfiguration } from '../generated/s3.ts';
import type { VersionRecord } from '../records.ts';
import type { S3State } from '../state.ts';

/** What writing and telling others needs; a request's context has it, and so has a processor. */
export interface Actor {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly handle: ServiceHandle<S3State>;
  readonly region: string;
  readonly partition: string;
  readonly requestId: string;
  /** Whoever caused it. */
  readonly principal: { readonly userId: string; readonly accountId: string };
  readonly http: { readonly remoteAddress: string | undefined } | undefined;
  call<Output = unknown>(service: string, operation: string, input: unknown, options?: CallOptions): Promise<Output>;
}

/** What happened to an object. */
export interface ObjectEvent {
  /** E.g. `ObjectCreated:Put`. */
  readonly name: string;
  readonly key: string;
  /** Undefined in buckets that never had versions. */
  readonly versionId?: string | undefined;
  readonly etag?: string | undefined;
  readonly size?: number | undefined;
  /** The operation, as EventBridge tells it, e.g. `PutObject`. */
  readonly reason?: string;
  /** More of the event's record, e.g. of a restore. */
  readonly extra?: Record<string, unknown>;
  /** More of EventBridge's detail. */
  readonly detail?: Record<string, unknown>;
}

/** One destination that a configuration names. */
interface Target {
  readonly id: string;
  readonly arn: string;
  readonly events: readonly string[];
  readonly prefix: string;
  readonly suffix: string;
  readonly kind: 'queue' | 'topic' | 'function';
}

/** The destinations of a configuration. */
function targetsOf(configuration: NotificationConfiguration): Target[] {
  const target = (
    kind: Target['kind'],
    arn: string,
    {
      Id,
      Events,
      Filter,
    }: {
      Id?: string | undefined;
      Events: string[];
      Filter?: NonNullable<NotificationConfiguration['QueueConfigurations']>[number]['Filter'];
    },
  ): Target => {
    const rule = (name: string): string =>
      Filter?.Key?.FilterRules?.find((candidate) => candidate.Name?.toLowerCase() === name)?.Value ?? '';
    return { id: Id ?? '', arn, events: Events, prefix: rule('prefix'), suffix: rule('suffix'), kind };
  };
  return [
    ...(configuration.QueueConfigurations ?? []).map((one) => target('queue', one.QueueArn, one)),
    ...(configuration.TopicConfigurations ?? []).map((one) => target('topic', one.TopicArn, one)),
    ...(configuration.LambdaFunctionConfigurations ?? []).map((one) => target('function', one.LambdaFunctionArn, one)),
  ];
}

/** Whether a configured event such as `s3:ObjectCreated:*` is what happened. */
function covers(configured: string, name: string): boolean {
  const pattern = configured.slice('s3:'.length);
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** The version of a record's format. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html */
const formatOf = (name: string): string =>
  /^(ObjectTagging|ObjectAcl|LifecycleExpiration|LifecycleTransition|IntelligentTiering)/.test(name)
    ? '2.3'
    : name.startsWith('Replication')
      ? '2.2'
      : '2.1';

/** Keys in records are form-encoded. */
const encodeKey = (key: string): string =>
  encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replaceAll('%20', '+')
    .replace(/[!'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const isCreation = (name: string): boolean => name.startsWith('ObjectCreated') || name.startsWith('ObjectRestore');
const isSequenced = (name: string): boolean => !/^(ObjectTagging|ObjectAcl)/.test(name);

/** A number that grows with each event, so that the order of two events of a key can be told. */
const sequencerOf = (actor: Actor): string =>
  (
    BigInt(Math.floor(actor.clock.now())) * 1000n +
    BigInt(actor.handle.state(actor.principal.accountId, actor.region).nextEvent())
  )
    .toString(16)
    .toUpperCase()
    .padStart(16, '0');

function recordOf(
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
    userIdentity: { principalId: `AWS:${actor.principal.userId}` },
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
        arn: bucket.arn(actor.partition),
      },
      object: {
        key: encodeKey(key),
        ...(isCreation(name) && size !== undefined ? { size } : {}),
        ...(etag === undefined || etag === '' ? {} : { eTag: etag }),
        ...(versionId === undefined ? {} : { versionId }),
        ...(isSequenced(name) ? { sequencer } : {}),
      },
    },
    ...event.extra,
  };
}

/** Detail types of EventBridge. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/EventBridge.html */
function detailTypeOf(name: string): string | undefined {
  if (name.startsWith('ObjectCreated')) return 'Object Created';
  if (name.startsWith('ObjectRemoved') || name.startsWith('LifecycleExpiration')) return 'Object Deleted';
  if (name === 'ObjectRestore:Post') return 'Object Restore Initiated';
  if (name === 'ObjectRestore:Completed') return 'Object Restore Completed';
  if (name === 'ObjectRestore:Delete') return 'Object Restore Expired';
  if (name === 'LifecycleTransition') return 'Object Storage Class Changed';
  if (name === 'ObjectTagging:Put') return 'Object Tags Added';
  if (name === 'ObjectTagging:Delete') return 'Object Tags Deleted';
  return name === 'ObjectAcl:Put' ? 'Object ACL Updated' : undefined;
}

function bridgeEntry(actor: Actor, bucket: Bucket, event: ObjectEvent, detailType: string, sequencer: string): object {
  const { name, key, versionId, etag, size, reason } = event;
  const marker = name.endsWith('DeleteMarkerCreated');
  const detail = {
    version: '0',
    bucket: { name: bucket.name },
    object: {
      key,
      ...(size === undefined || detailType === 'Object Deleted' || /Tags|ACL/.test(detailType) ? {} : { size }),
      ...(etag === undefined || etag === '' ? {} : { etag }),
      ...(versionId === undefined ? {} : { 'version-id': versionId }),
      ...(detailType === 'Object Created' || detailType === 'Object Deleted' ? { sequencer } : {}),
    },
    'request-id': actor.requestId,
    requester: actor.principal.accountId,
    ...(actor.http ? { 'source-ip-address': actor.http.remoteAddress ?? '127.0.0.1' } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(detailType === 'Object Deleted'
      ? { 'deletion-type': marker ? 'Delete Marker Created' : 'Permanently Deleted' }
      : {}),
    ...event.detail,
  };
  return {
    Source: 'aws.s3',
    DetailType: detailType,
    Detail: JSON.stringify(detail),
    Resources: [bucket.arn(actor.partition)],
    Time: new Date(actor.clock.now()),
  };
}

/** S3 itself, as which it calls others for a bucket. */
export function asS3(actor: Actor, bucket: Bucket, accountId: string, region: string): CallOptions {
  return {
    accountId,
    region,
    principal: { type: 'service', accountId: bucket.accountId, arn: 's3.amazonaws.com', userId: 's3.amazonaws.com' },
    authorize: { sourceArn: bucket.arn(actor.partition), sourceAccount: bucket.accountId },
  };
}

/**
 * Tells everybody whom a bucket's configuration names what happened. Deliveries go on by themselves; each is kept for
 * the control route, with its error where it failed.
 */
export function emit(actor: Actor, bucket: Bucket, event: ObjectEvent): void {
  const configuration = bucket.record.configurations.notification;
  if (!configuration) return;
  const sequencer = sequencerOf(actor);
  for (const target of targetsOf(configuration as NotificationConfiguration)) {
    if (!target.events.some((configured) => covers(configured, event.name))) continue;
    if (!event.key.startsWith(target.prefix) || !event.key.endsWith(target.suffix)) continue;
    const message = { Records: [recordOf(actor, bucket, event, target.id, sequencer)] };
    track(actor, bucket, event, target.id, target.arn, () => deliver(actor, bucket, target, message));
  }
  const detailType = configuration.EventBridgeConfiguration && detailTypeOf(event.name);
  if (detailType !== undefined)
    track(actor, bucket, event, '', 'eventbridge', () =>
      actor.call(
        'events',
        'PutEvents',
        { Entries: [bridgeEntry(actor, bucket, event, detailType, sequencer)] },
        asS3(actor, bucket, bucket.accountId, bucket.region),
      ),
    );
}

function track(
  actor: Actor,
  bucket: Bucket,
  event: ObjectEvent,
  configurationId: string,
  destination: string,
  delivery: () => Promise<unknown>,
): void {
  const { notifications } = actor.handle.state(bucket.accountId, bucket.region);
  const record = {
    accountId: bucket.accountId,
    region: bucket.region,
    bucket: bucket.name,
    key: event.key,
    eventName: event.name,
    ...(event.versionId === undefined ? {} : { versionId: event.versionId }),
    ...(event.etag ? { eTag: event.etag } : {}),
    ...(event.size === undefined ? {} : { size: event.size }),
    configurationId,
    destination,
    timestamp: new Date(actor.clock.now()).toISOString(),
  };
  delivery().then(
    () => notifications.add({ ...record, status: 'delivered' }),
    (error: unknown) => {
      if (!(error instanceof AwsError))
        actor.log.error('a bucket notification failed', { bucket: bucket.name, destination, error });
      notifications.add({ ...record, status: 'failed', error: error instanceof Error ? error.message : String(error) });
    },
  );
}

/** Hands a message to a queue, topic or function. */
function deliver(
  actor: Actor,
  bucket: Bucket,
  target: Pick<Target, 'arn' | 'kind'>,
  message: object,
): Promise<unknown> {
  const arn = parseArn(target.arn)!;
  const options = asS3(actor, bucket, arn.accountId, arn.region);
  const text = JSON.stringify(message);
  switch (target.kind) {
    case 'queue':
      return actor.call(
        'sqs',
        'SendMessage',
        { QueueUrl: `http://sqs.${arn.region}/${arn.accountId}/${arn.resource}`, MessageBody: text },
        options,
      );
    case 'topic':
      return actor.call(
        'sns',
        'Publish',
        { TopicArn: target.arn, Subject: 'Amazon S3 Notification', Message: text },
        options,
      );
    case 'function':
      return actor.call(
        'lambda',
        'Invoke',
        { FunctionName: target.arn, InvocationType: 'Event', Payload: Buffer.from(text) },
        options,
      );
  }
}

/** The message by which S3 tries a queue or topic when it is configured. */
export function sendTestEvent(actor: Actor, bucket: Bucket, kind: 'queue' | 'topic', arn: string): Promise<unknown> {
  return deliver(
    actor,
    bucket,
    { arn, kind },
    {
      Service: 'Amazon S3',
      Event: 's3:TestEvent',
      Time: new Date(actor.clock.now()).toISOString(),
      Bucket: bucket.name,
      RequestId: actor.requestId,
      HostId: Buffer.from(actor.requestId).toString('base64'),
    },
  );
}

/** The members of an event that a version gives. */
export function eventOf(
  bucket: Bucket,
  version: Pick<VersionRecord, 'key' | 'versionId' | 'etag' | 'size'>,
): Pick<ObjectEvent, 'key' | 'versionId' | 'etag' | 'size'> {
  const { key, versionId, etag, size } = version;
  return { key, etag, size, ...(bucket.record.versioning === undefined ? {} : { versionId }) };
}
