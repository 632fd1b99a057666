import type { NotificationConfiguration } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { stateOf } from '../lookup.ts';
import type { NotificationRecord } from '../records.ts';
import type { Actor } from './actor.ts';
import { type Destination, deliver } from './deliveries.ts';
import { bridgeEntry, detailTypeOf, type ObjectEvent, recordOf } from './messages.ts';
import { sourceOf } from './source.ts';

/** A configured destination. */
interface Target {
  readonly id: string;
  readonly arn: string;
  readonly events: readonly string[];
  readonly prefix: string;
  readonly suffix: string;
  readonly kind: 'queue' | 'topic' | 'function';
}

/** Returns the destinations of a configuration. */
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

/** Whether a configured event such as `s3:ObjectCreated:*` includes an event. */
function covers(configured: string, name: string): boolean {
  const pattern = configured.slice('s3:'.length);
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Returns an increasing number that orders the events of a key. */
const sequencerOf = (actor: Actor, bucket: Bucket): string =>
  (BigInt(Math.floor(actor.clock.now())) * 1000n + BigInt(stateOf(actor, bucket).nextEvent()))
    .toString(16)
    .toUpperCase()
    .padStart(16, '0');

/**
 * Notifies the bucket's configured destinations of an event. Deliveries continue in the background and after a restart;
 * each is recorded for the control route, with the error of a failure.
 */
export function emit(actor: Actor, bucket: Bucket, event: ObjectEvent): void {
  const configuration = bucket.record.configurations.notification;
  if (!configuration) return;
  const { deliveries } = stateOf(actor, bucket);
  const sequencer = sequencerOf(actor, bucket);
  const begin = (configurationId: string, destination: Destination, message: object): void =>
    deliveries.begin({
      id: actor.ids.uuid(),
      source: sourceOf(bucket),
      ...destination,
      text: JSON.stringify(message),
      cause: actor.requestId,
      ...(actor.traceHeader !== undefined && { traceHeader: actor.traceHeader }),
      shown: shownOf(actor, bucket, event, configurationId, destination.arn),
    });
  for (const { id, arn, kind, events, prefix, suffix } of targetsOf(configuration as NotificationConfiguration)) {
    if (!events.some((configured) => covers(configured, event.name))) continue;
    if (!event.key.startsWith(prefix) || !event.key.endsWith(suffix)) continue;
    begin(id, { arn, kind }, { Records: [recordOf(actor, bucket, event, id, sequencer)] });
  }
  const detailType = configuration.EventBridgeConfiguration && detailTypeOf(event.name);
  if (detailType !== undefined)
    begin('', { arn: 'eventbridge', kind: 'bus' }, bridgeEntry(actor, bucket, event, detailType, sequencer));
}

/** Returns the notification for the control route, without its outcome. */
function shownOf(
  actor: Actor,
  bucket: Bucket,
  event: ObjectEvent,
  configurationId: string,
  destination: string,
): NotificationRecord['shown'] {
  return {
    accountId: bucket.accountId,
    region: bucket.region,
    bucket: bucket.name,
    key: event.key,
    eventName: event.name,
    ...(event.versionId !== undefined && { versionId: event.versionId }),
    ...(event.etag && { eTag: event.etag }),
    ...(event.size !== undefined && { size: event.size }),
    configurationId,
    destination,
    timestamp: new Date(actor.clock.now()).toISOString(),
  };
}

/** Sends a test message to a queue or topic when it is configured. */
export function sendTestEvent(actor: Actor, bucket: Bucket, kind: 'queue' | 'topic', arn: string): Promise<unknown> {
  const text = JSON.stringify({
    Service: 'Amazon S3',
    Event: 's3:TestEvent',
    Time: new Date(actor.clock.now()).toISOString(),
    Bucket: bucket.name,
    RequestId: actor.requestId,
    HostId: Buffer.from(actor.requestId).toString('base64'),
  });
  return deliver(actor.call.bind(actor), { source: sourceOf(bucket), kind, arn, text, cause: actor.requestId });
}
