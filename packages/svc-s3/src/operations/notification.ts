import { type Arn, parseArn } from '@emu/core/service';
import type {
  Event,
  InputOf,
  LambdaFunctionConfiguration,
  NotificationConfiguration,
  NotificationConfigurationFilter,
  OutputOf,
  QueueConfiguration,
  TopicConfiguration,
} from '@emu/service-types/s3';
import { AwsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import { putSetting, shown } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, malformedXml } from '../errors.ts';
import { sendTestEvent } from '../events/notifications.ts';
import { requireBucket } from '../lookup.ts';

type Kind = 'Queue' | 'Topic' | 'CloudFunction';
const SERVICES: Readonly<Record<Kind, string>> = { Queue: 'sqs', Topic: 'sns', CloudFunction: 'lambda' };
const EVENT =
  /^s3:(ReducedRedundancyLostObject|LifecycleTransition|IntelligentTiering|ObjectAcl:Put|ObjectCreated:(\*|Put|Post|Copy|CompleteMultipartUpload)|ObjectRemoved:(\*|Delete|DeleteMarkerCreated)|ObjectRestore:(\*|Post|Completed|Delete)|Replication:(\*|OperationFailedReplication|OperationNotTracked|OperationMissedThreshold|OperationReplicatedAfterThreshold)|LifecycleExpiration:(\*|Delete|DeleteMarkerCreated)|ObjectTagging:(\*|Put|Delete))$/;

interface Destination {
  readonly id: string | undefined;
  readonly kind: Kind;
  readonly arn: string;
  readonly events: readonly Event[];
  readonly filter: NotificationConfigurationFilter | undefined;
}

function destinationsOf(configuration: NotificationConfiguration): Destination[] {
  return [
    ...(configuration.QueueConfigurations ?? []).map(
      ({ Id: id, QueueArn: arn, Events: events, Filter: filter }): Destination => ({
        id,
        kind: 'Queue',
        arn,
        events,
        filter,
      }),
    ),
    ...(configuration.TopicConfigurations ?? []).map(
      ({ Id: id, TopicArn: arn, Events: events, Filter: filter }): Destination => ({
        id,
        kind: 'Topic',
        arn,
        events,
        filter,
      }),
    ),
    ...(configuration.LambdaFunctionConfigurations ?? []).map(
      ({ Id: id, LambdaFunctionArn: arn, Events: events, Filter: filter }): Destination => ({
        id,
        kind: 'CloudFunction',
        arn,
        events,
        filter,
      }),
    ),
  ];
}

/** @throws AwsError `InvalidArgument`, `MalformedXML` */
function check({ kind, arn, events, filter }: Destination): Arn {
  const parsed = parseArn(arn);
  if (!parsed || parsed.service !== SERVICES[kind] || parsed.resource === '')
    throw invalidArgument('The ARN could not be parsed', kind, arn);
  if (events.length === 0) throw malformedXml();
  for (const event of events)
    if (!EVENT.test(event))
      throw invalidArgument('A specified event is not supported for notifications.', 'Event', event);
  const seen = new Set<string>();
  for (const { Name: name, Value: value } of filter?.Key?.FilterRules ?? []) {
    if (name === undefined || value === undefined) throw malformedXml();
    const lower = name.toLowerCase();
    if (lower !== 'prefix' && lower !== 'suffix')
      throw invalidArgument('filter rule name must be either prefix or suffix', 'FilterRule.Name', name);
    if (seen.has(lower))
      throw invalidArgument('Cannot specify more than one prefix rule in a filter.', 'FilterRule.Name', name);
    seen.add(lower);
  }
  return parsed;
}

/** Returns the prefix or suffix in a destination's filter; empty by default. */
const ruleOf = ({ filter }: Destination, name: 'prefix' | 'suffix'): string =>
  filter?.Key?.FilterRules?.find((rule) => rule.Name?.toLowerCase() === name)?.Value ?? '';

/** Returns the overlapping events of two destinations, in the form of each. */
function sharedEvent(one: Destination, other: Destination): readonly [string, string] | undefined {
  const covers = (wide: string, event: string) =>
    wide === event || (wide.endsWith('*') && event.startsWith(wide.slice(0, -1)));
  for (const event of one.events)
    for (const another of other.events) if (covers(event, another) || covers(another, event)) return [event, another];
  return undefined;
}

/**
 * Rejects two destinations for the same event of the same key, and duplicate ids.
 * @throws AwsError `InvalidArgument`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-how-to-filtering.html
 */
function checkAgreement(destinations: readonly Destination[]): void {
  const ids = destinations.flatMap(({ id }) => (id ? [id] : []));
  if (new Set(ids).size < ids.length)
    throw invalidArgument('Same ID used for multiple configurations. IDs must be unique');
  for (const [at, one] of destinations.entries())
    for (const other of destinations.slice(0, at)) {
      const shared = sharedEvent(other, one);
      if (!shared) continue;
      const [prefix, otherPrefix, suffix, otherSuffix] = [
        ruleOf(one, 'prefix'),
        ruleOf(other, 'prefix'),
        ruleOf(one, 'suffix'),
        ruleOf(other, 'suffix'),
      ];
      const prefixes = prefix.startsWith(otherPrefix) || otherPrefix.startsWith(prefix);
      if (!prefixes || !(suffix.endsWith(otherSuffix) || otherSuffix.endsWith(suffix))) continue;
      if (`${prefix}${otherPrefix}${suffix}${otherSuffix}` === '')
        throw invalidArgument(
          'Configurations overlap. Configurations on the same bucket cannot share a common event type.',
          'Event',
          shared.join(', '),
        );
      throw invalidArgument(
        'Configuration is ambiguously defined. Cannot have overlapping suffixes in two rules if the prefixes are overlapping for the same event type.',
      );
    }
}

/** Returns why a destination is invalid; undefined if it is valid. */
async function problemOf(
  ctx: S3Context,
  bucket: Bucket,
  { kind, arn }: Destination,
  parsed: Arn,
): Promise<[name: string, value: string] | undefined> {
  try {
    if (kind === 'CloudFunction') {
      await ctx.call(
        'lambda',
        'GetFunctionConfiguration',
        { FunctionName: arn },
        { accountId: parsed.accountId, region: parsed.region },
      );
      return undefined;
    }
    await sendTestEvent(ctx, bucket, kind === 'Queue' ? 'queue' : 'topic', arn);
    return undefined;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (kind === 'CloudFunction') return [`${arn}, null`, `Not authorized to invoke function [${arn}]`];
    const missing = /NonExistent|DoesNotExist|NotFound/.test(error.code);
    return [
      arn,
      missing
        ? `The destination ${kind.toLowerCase()} does not exist`
        : `Permissions on the destination ${kind.toLowerCase()} do not allow S3 to publish notifications from this bucket`,
    ];
  }
}

async function validate(
  ctx: S3Context,
  bucket: Bucket,
  configuration: NotificationConfiguration,
  skip: boolean,
): Promise<void> {
  const destinations = destinationsOf(configuration);
  const parsed = destinations.map(check);
  if (parsed.some(({ region }) => region !== bucket.region))
    throw invalidArgument(
      'The notification destination service region is not valid for the bucket location constraint',
    );
  checkAgreement(destinations);
  if (skip) return;
  const problems: [string, string][] = [];
  // Configurations may share a destination, which receives one test event.
  const checked = new Map<string, Awaited<ReturnType<typeof problemOf>>>();
  for (const [at, destination] of destinations.entries()) {
    const { arn } = destination;
    if (!checked.has(arn)) checked.set(arn, await problemOf(ctx, bucket, destination, parsed[at]!));
    const problem = checked.get(arn);
    if (problem) problems.push(problem);
  }
  if (problems.length === 0) return;
  const error = invalidArgument('Unable to validate the following destination configurations');
  for (const [at, [name, value]] of problems.entries()) {
    error.members![`ArgumentName${at + 1}`] = name;
    error.members![`ArgumentValue${at + 1}`] = value;
  }
  throw error;
}

/** Adds missing ids, and normalizes the names of filter rules. */
function completed<T extends { Id?: string | undefined; Filter?: NotificationConfigurationFilter | undefined }>(
  ctx: S3Context,
  all: readonly T[] | undefined,
): T[] | undefined {
  return all?.length
    ? all.map((one) => ({
        ...one,
        Id: one.Id || ctx.ids.uuid(),
        ...(one.Filter?.Key?.FilterRules && {
          Filter: {
            Key: {
              FilterRules: one.Filter.Key.FilterRules.map(({ Name, Value }) => ({
                Name: (Name?.toLowerCase() === 'prefix' ? 'Prefix' : 'Suffix') as 'prefix',
                Value: Value ?? '',
              })),
            },
          },
        }),
      }))
    : undefined;
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketNotificationConfiguration.html */
export async function PutBucketNotificationConfiguration(
  input: InputOf<'PutBucketNotificationConfiguration'>,
  ctx: S3Context,
): Promise<OutputOf<'PutBucketNotificationConfiguration'>> {
  const bucket = requireBucket(ctx, input);
  const given = input.NotificationConfiguration;
  await validate(ctx, bucket, given, input.SkipDestinationValidation === true);
  const queues = completed<QueueConfiguration>(ctx, given.QueueConfigurations);
  const topics = completed<TopicConfiguration>(ctx, given.TopicConfigurations);
  const functions = completed<LambdaFunctionConfiguration>(ctx, given.LambdaFunctionConfigurations);
  return putSetting(ctx, input, 'notification', {
    ...(queues && { QueueConfigurations: queues }),
    ...(topics && { TopicConfigurations: topics }),
    ...(functions && { LambdaFunctionConfigurations: functions }),
    ...(given.EventBridgeConfiguration && { EventBridgeConfiguration: {} }),
  });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketNotificationConfiguration.html */
export function GetBucketNotificationConfiguration(
  input: InputOf<'GetBucketNotificationConfiguration'>,
  ctx: S3Context,
): OutputOf<'GetBucketNotificationConfiguration'> {
  return shown<NotificationConfiguration>(requireBucket(ctx, input).record.configurations.notification ?? {});
}

const eventsOf = ({ Events, Event: one }: { Events?: Event[] | undefined; Event?: Event | undefined }): Event[] =>
  Events ?? (one === undefined ? [] : [one]);

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketNotification.html */
export function PutBucketNotification(
  input: InputOf<'PutBucketNotification'>,
  ctx: S3Context,
): Promise<OutputOf<'PutBucketNotification'>> {
  const {
    TopicConfiguration: topic,
    QueueConfiguration: queue,
    CloudFunctionConfiguration: cloud,
  } = input.NotificationConfiguration;
  return PutBucketNotificationConfiguration(
    {
      Bucket: input.Bucket,
      ExpectedBucketOwner: input.ExpectedBucketOwner,
      NotificationConfiguration: {
        ...(topic && { TopicConfigurations: [{ Id: topic.Id, TopicArn: topic.Topic ?? '', Events: eventsOf(topic) }] }),
        ...(queue && { QueueConfigurations: [{ Id: queue.Id, QueueArn: queue.Queue ?? '', Events: eventsOf(queue) }] }),
        ...(cloud && {
          LambdaFunctionConfigurations: [
            { Id: cloud.Id, LambdaFunctionArn: cloud.CloudFunction ?? '', Events: eventsOf(cloud) },
          ],
        }),
      },
    },
    ctx,
  );
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketNotification.html */
export function GetBucketNotification(
  input: InputOf<'GetBucketNotification'>,
  ctx: S3Context,
): OutputOf<'GetBucketNotification'> {
  const { TopicConfigurations, QueueConfigurations, LambdaFunctionConfigurations } = GetBucketNotificationConfiguration(
    input,
    ctx,
  );
  const [topic, queue, cloud] = [TopicConfigurations?.[0], QueueConfigurations?.[0], LambdaFunctionConfigurations?.[0]];
  return {
    ...(topic && {
      TopicConfiguration: { Id: topic.Id, Topic: topic.TopicArn, Events: topic.Events, Event: topic.Events[0] },
    }),
    ...(queue && {
      QueueConfiguration: { Id: queue.Id, Queue: queue.QueueArn, Events: queue.Events, Event: queue.Events[0] },
    }),
    ...(cloud && {
      CloudFunctionConfiguration: {
        Id: cloud.Id,
        CloudFunction: cloud.LambdaFunctionArn,
        Events: cloud.Events,
        Event: cloud.Events[0],
      },
    }),
  };
}
