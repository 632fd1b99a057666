import { isBlank, parseArn } from '@emu/core/service';
import { invalidParameterValue } from '../errors.ts';
import type { EventSourceSettings } from '../records.ts';

/** A kind of event source. */
export type EventSourceKind = 'sqs' | 'kinesis' | 'dynamodb' | 'kafka' | 'self-managed-kafka' | 'mq' | 'docdb';

/** Properties of a kind of event source. */
export interface EventSourceTraits {
  /** Default settings. */
  readonly defaults: EventSourceSettings;
  /** Optional settings that this kind supports. */
  readonly settings: readonly (keyof EventSourceSettings)[];
  /** Reasons of state transitions, in AWS's words. */
  readonly transitionReason: string;
  /** Whether AWS reports the last processing result. */
  readonly reportsResult: boolean;
  /** Reason why emu does not read this kind of source. */
  readonly unread?: string;
}

const STREAM: EventSourceTraits = {
  defaults: {
    BatchSize: 100,
    MaximumBatchingWindowInSeconds: 0,
    ParallelizationFactor: 1,
    DestinationConfig: { OnFailure: {} },
    MaximumRecordAgeInSeconds: -1,
    MaximumRetryAttempts: -1,
    BisectBatchOnFunctionError: false,
    TumblingWindowInSeconds: 0,
    FunctionResponseTypes: [],
  },
  settings: [
    'StartingPosition',
    'ParallelizationFactor',
    'DestinationConfig',
    'MaximumRecordAgeInSeconds',
    'MaximumRetryAttempts',
    'BisectBatchOnFunctionError',
    'TumblingWindowInSeconds',
    'FunctionResponseTypes',
  ],
  transitionReason: 'User action',
  reportsResult: true,
};

/** Returns the state transition reason of a mapping whose source is not read. */
const unread = (what: string): string => `PROBLEM: emu does not read ${what}.`;

const KAFKA: EventSourceTraits = {
  unread: unread('Apache Kafka'),
  defaults: { BatchSize: 100 },
  settings: [
    'StartingPosition',
    'Topics',
    'SourceAccessConfigurations',
    'DestinationConfig',
    'ProvisionedPollerConfig',
    'MaximumRecordAgeInSeconds',
    'MaximumRetryAttempts',
    'BisectBatchOnFunctionError',
    'FunctionResponseTypes',
  ],
  transitionReason: 'USER_INITIATED',
  reportsResult: true,
};

/**
 * The kinds of event sources and their settings. @see
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
 */
export const EVENT_SOURCES: Readonly<Record<EventSourceKind, EventSourceTraits>> = {
  sqs: {
    defaults: { BatchSize: 10, MaximumBatchingWindowInSeconds: 0, FunctionResponseTypes: [] },
    settings: ['ScalingConfig', 'FunctionResponseTypes', 'ProvisionedPollerConfig'],
    transitionReason: 'USER_INITIATED',
    reportsResult: false,
  },
  kinesis: STREAM,
  dynamodb: STREAM,
  kafka: { ...KAFKA, settings: [...KAFKA.settings, 'AmazonManagedKafkaEventSourceConfig'] },
  'self-managed-kafka': {
    ...KAFKA,
    settings: [...KAFKA.settings, 'SelfManagedEventSource', 'SelfManagedKafkaEventSourceConfig'],
  },
  mq: {
    unread: unread('Amazon MQ'),
    defaults: { BatchSize: 100, MaximumBatchingWindowInSeconds: 0 },
    settings: ['Queues', 'SourceAccessConfigurations'],
    transitionReason: 'USER_INITIATED',
    reportsResult: true,
  },
  docdb: {
    unread: unread('Amazon DocumentDB'),
    defaults: { BatchSize: 100, MaximumBatchingWindowInSeconds: 0 },
    settings: ['StartingPosition', 'DocumentDBEventSourceConfig', 'SourceAccessConfigurations'],
    transitionReason: 'USER_INITIATED',
    reportsResult: true,
  },
};

/** Settings of all kinds of sources. */
const COMMON: readonly (keyof EventSourceSettings)[] = [
  'EventSourceArn',
  'BatchSize',
  'MaximumBatchingWindowInSeconds',
  'FilterCriteria',
  'KMSKeyArn',
  'MetricsConfig',
  'LoggingConfig',
];

/**
 * Returns the kind of a mapping's source.
 * @throws AwsError `InvalidParameterValueException` for an unknown kind
 */
export function kindOf({ EventSourceArn, SelfManagedEventSource }: EventSourceSettings): EventSourceKind {
  if (EventSourceArn === undefined) {
    if (SelfManagedEventSource) return 'self-managed-kafka';
    throw invalidParameterValue('Unrecognized event source.');
  }
  const arn = parseArn(EventSourceArn);
  if (arn?.service === 'sqs') return 'sqs';
  if (arn?.service === 'kinesis' && arn.resource.startsWith('stream/')) return 'kinesis';
  if (arn?.service === 'dynamodb' && /^table\/[^/]+\/stream\//.test(arn.resource)) return 'dynamodb';
  if (arn?.service === 'kafka') return 'kafka';
  if (arn?.service === 'mq') return 'mq';
  if (arn?.service === 'rds' && arn.resource.startsWith('cluster:')) return 'docdb';
  throw invalidParameterValue('Unrecognized event source.');
}

/** Whether a kind of source has a setting. */
const hasSetting = (kind: EventSourceKind, name: keyof EventSourceSettings): boolean =>
  COMMON.includes(name) || EVENT_SOURCES[kind].settings.includes(name);

/** Returns settings without undefined ones, and without empty ones that the kind of source does not support. */
export function presentSettings(kind: EventSourceKind, given: EventSourceSettings): EventSourceSettings {
  const entries = Object.entries(given) as [keyof EventSourceSettings, unknown][];
  return Object.fromEntries(
    entries.filter(
      ([name, value]) => value !== undefined && (hasSetting(kind, name) || !(value === false || isBlank(value))),
    ),
  );
}

/**
 * Rejects settings that a kind of source does not support.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkApplicable(kind: EventSourceKind, given: EventSourceSettings): void {
  for (const name of Object.keys(given) as (keyof EventSourceSettings)[])
    if (!hasSetting(kind, name))
      throw invalidParameterValue(`Unsupported ${name} parameter for given event source mapping type.`);
}
