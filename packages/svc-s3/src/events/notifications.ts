import { parseArn } from '@emu/core';
import type { NotificationConfiguration } from '@emu/service-types/s3';
import { AwsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import { stateOf } from '../buckets/lookup.ts';
import { type Actor, asS3 } from './actor.ts';
import { bridgeEntry, detailTypeOf, type ObjectEvent, recordOf } from './messages.ts';

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

/** A number that grows with each event, so that the order of two events of a key can be told. */
const sequencerOf = (actor: Actor, bucket: Bucket): string =>
  (BigInt(Math.floor(actor.clock.now())) * 1000n + BigInt(stateOf(actor, bucket).nextEvent()))
    .toString(16)
    .toUpperCase()
    .padStart(16, '0');

/**
 * Tells everybody whom a bucket's configuration names what happened. Deliveries go on by themselves; each is kept for
 * the control route, with its error where it failed.
 */
export function emit(actor: Actor, bucket: Bucket, event: ObjectEvent): void {
  const configuration = bucket.record.configurations.notification;
  if (!configuration) return;
  const sequencer = sequencerOf(actor, bucket);
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
        asS3(bucket, bucket.accountId, bucket.region),
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
  const { notifications } = stateOf(actor, bucket);
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
  const options = asS3(bucket, arn.accountId, arn.region);
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
