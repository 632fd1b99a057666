import { type Arn, type DeepReadonly, parseArn } from '@emu/core/service';
import type { PipeSourceParameters } from '@emu/service-types/pipes';

/** A kind of source. */
export type SourceKind = 'sqs' | 'kinesis' | 'dynamodb' | 'activemq' | 'rabbitmq' | 'msk' | 'self-managed-kafka';

/** Properties of a kind of source. */
export interface SourceTraits {
  /** Member of the source parameters for this kind. */
  readonly member: Exclude<keyof PipeSourceParameters, 'FilterCriteria'>;
  /** Whether that member is required. */
  readonly needed: boolean;
  /** Default batch size. */
  readonly batch: number;
  /** Name in events. */
  readonly label: string;
  /** Member of an event whose JSON text is parsed for templates and paths. */
  readonly body?: 'body' | 'data' | 'value';
  /** Name of a source that emu does not read; undefined for supported sources. */
  readonly unread?: string;
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-event-source.html */
export const SOURCES: Readonly<Record<SourceKind, SourceTraits>> = {
  sqs: { member: 'SqsQueueParameters', needed: false, batch: 10, label: 'aws:sqs', body: 'body' },
  kinesis: { member: 'KinesisStreamParameters', needed: true, batch: 100, label: 'aws:kinesis', body: 'data' },
  dynamodb: { member: 'DynamoDBStreamParameters', needed: true, batch: 100, label: 'aws:dynamodb' },
  activemq: {
    member: 'ActiveMQBrokerParameters',
    needed: true,
    batch: 100,
    label: 'aws:amq',
    body: 'data',
    unread: 'Amazon MQ',
  },
  rabbitmq: {
    member: 'RabbitMQBrokerParameters',
    needed: true,
    batch: 100,
    label: 'aws:rmq',
    body: 'data',
    unread: 'Amazon MQ',
  },
  msk: {
    member: 'ManagedStreamingKafkaParameters',
    needed: true,
    batch: 100,
    label: 'aws:kafka',
    body: 'value',
    unread: 'Amazon MSK',
  },
  'self-managed-kafka': {
    member: 'SelfManagedKafkaParameters',
    needed: true,
    batch: 100,
    label: 'SelfManagedKafka',
    body: 'value',
    unread: 'Apache Kafka',
  },
};

/**
 * Returns the kind of a source; undefined for an unsupported ARN.
 * @param parameters distinguish the two kinds of Amazon MQ brokers
 */
export function sourceKind(source: string, parameters: DeepReadonly<PipeSourceParameters>): SourceKind | undefined {
  if (source.startsWith('smk://')) return 'self-managed-kafka';
  const arn: Arn | undefined = parseArn(source);
  switch (arn?.service) {
    case 'sqs':
      return 'sqs';
    case 'kinesis':
      return /^stream\/[^/]+(?:\/consumer\/.+)?$/.test(arn.resource) ? 'kinesis' : undefined;
    case 'dynamodb':
      return /^table\/[^/]+\/stream\//.test(arn.resource) ? 'dynamodb' : undefined;
    case 'mq':
      return parameters.RabbitMQBrokerParameters ? 'rabbitmq' : 'activemq';
    case 'kafka':
      return 'msk';
    default:
      return undefined;
  }
}

/** Common parameters of queues and streams. */
export interface BatchParameters {
  readonly BatchSize?: number | undefined;
  readonly MaximumBatchingWindowInSeconds?: number | undefined;
}

/** Returns the batch settings in the source parameters. */
export const batchParameters = (kind: SourceKind, parameters: DeepReadonly<PipeSourceParameters>): BatchParameters =>
  parameters[SOURCES[kind].member] ?? {};
