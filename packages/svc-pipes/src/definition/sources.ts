import { type Arn, type DeepReadonly, parseArn } from '@emu/core';
import type { PipeSourceParameters } from '@emu/service-types/pipes';

/** A kind of source. */
export type SourceKind = 'sqs' | 'kinesis' | 'dynamodb' | 'activemq' | 'rabbitmq' | 'msk' | 'self-managed-kafka';

/** What EventBridge Pipes says of a kind of source. */
export interface SourceTraits {
  /** Its member of the source parameters. */
  readonly member: Exclude<keyof PipeSourceParameters, 'FilterCriteria'>;
  /** Whether a pipe cannot be made without that member. */
  readonly needed: boolean;
  /** Records of a batch where the pipe does not say. */
  readonly batch: number;
  /** As events name it. */
  readonly label: string;
  /** Member of an event whose text is read as JSON by templates and paths. */
  readonly body?: 'body' | 'data' | 'value';
  /** What emu does not read; undefined where it does. */
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
 * The kind of a source; undefined where EventBridge Pipes reads no such thing.
 * @param parameters by which the two kinds of Amazon MQ's brokers are told apart
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

/** Parameters that queues and streams have in common. */
export interface BatchParameters {
  readonly BatchSize?: number | undefined;
  readonly MaximumBatchingWindowInSeconds?: number | undefined;
}

/** What the source parameters say of batches. */
export const batchParameters = (kind: SourceKind, parameters: DeepReadonly<PipeSourceParameters>): BatchParameters =>
  parameters[SOURCES[kind].member] ?? {};
