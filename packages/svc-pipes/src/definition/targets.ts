import { type Arn, parseArn } from '@emu/core/service';
import type { PipeTargetParameters } from '@emu/service-types/pipes';

/** A kind of target. */
export type TargetKind =
  | 'api-destination'
  | 'api-gateway'
  | 'batch'
  | 'ecs'
  | 'event-bus'
  | 'firehose'
  | 'inspector'
  | 'kinesis'
  | 'lambda'
  | 'logs'
  | 'redshift'
  | 'sagemaker'
  | 'sns'
  | 'sqs'
  | 'state-machine'
  | 'timestream';

/** Properties of a kind of target. */
export interface TargetTraits {
  /** Member of the target parameters for this kind. */
  readonly member?: Exclude<keyof PipeTargetParameters, 'InputTemplate'>;
  /** Whether that member is required. */
  readonly needed?: true;
  /** Records per request; infinite if a request accepts them all as a list. */
  readonly most: number;
}

/**
 * Targets with the number of records that each accepts per request.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-batching-concurrency.html
 */
export const TARGETS: Readonly<Record<TargetKind, TargetTraits>> = {
  'api-destination': { member: 'HttpParameters', most: 1 },
  'api-gateway': { member: 'HttpParameters', most: 1 },
  batch: { member: 'BatchJobParameters', needed: true, most: 1 },
  ecs: { member: 'EcsTaskParameters', needed: true, most: 1 },
  'event-bus': { member: 'EventBridgeEventBusParameters', most: 10 },
  firehose: { most: 500 },
  inspector: { most: 1 },
  kinesis: { member: 'KinesisStreamParameters', needed: true, most: 500 },
  lambda: { member: 'LambdaFunctionParameters', most: Number.POSITIVE_INFINITY },
  logs: { member: 'CloudWatchLogsParameters', most: 10_000 },
  redshift: { member: 'RedshiftDataParameters', needed: true, most: 1 },
  sagemaker: { member: 'SageMakerPipelineParameters', most: 1 },
  sns: { most: 10 },
  sqs: { member: 'SqsQueueParameters', most: 10 },
  'state-machine': { member: 'StepFunctionStateMachineParameters', most: Number.POSITIVE_INFINITY },
  timestream: { member: 'TimestreamParameters', needed: true, most: 1 },
};

/** Kinds by the service in the ARN, with patterns of the resource part. */
const KINDS: Readonly<Record<string, readonly (readonly [RegExp, TargetKind])[]>> = {
  batch: [[/^job-queue\//, 'batch']],
  ecs: [[/^cluster\//, 'ecs']],
  events: [
    [/^event-bus\//, 'event-bus'],
    [/^api-destination\//, 'api-destination'],
  ],
  'execute-api': [[/^[^/]+\/[^/]+\/[^/]+/, 'api-gateway']],
  firehose: [[/^deliverystream\//, 'firehose']],
  inspector: [[/^target\/[^/]+\/template\//, 'inspector']],
  kinesis: [[/^stream\/[^/]+$/, 'kinesis']],
  lambda: [[/^function:/, 'lambda']],
  logs: [[/^log-group:/, 'logs']],
  redshift: [[/^cluster:/, 'redshift']],
  'redshift-serverless': [[/^workgroup\//, 'redshift']],
  sagemaker: [[/^pipeline\//, 'sagemaker']],
  // FIFO topics are not valid targets.
  sns: [[/^(?!.*\.fifo$)[^:]+$/, 'sns']],
  sqs: [[/./, 'sqs']],
  states: [[/^stateMachine:/, 'state-machine']],
  timestream: [[/^database\/[^/]+\/table\//, 'timestream']],
};

/** Returns the kind of a target; undefined for an invalid target. */
export function targetKind(target: string): TargetKind | undefined {
  const arn: Arn | undefined = parseArn(target);
  return arn && KINDS[arn.service]?.find(([resource]) => resource.test(arn.resource))?.[1];
}

/** A kind of enrichment. */
export type EnrichmentKind = Extract<TargetKind, 'lambda' | 'state-machine' | 'api-destination' | 'api-gateway'>;

const ENRICHMENTS: ReadonlySet<TargetKind | undefined> = new Set([
  'lambda',
  'state-machine',
  'api-destination',
  'api-gateway',
] as const);

/**
 * Returns the kind of an enrichment; undefined for an invalid one.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/pipes-enrichment.html
 */
export function enrichmentKind(enrichment: string): EnrichmentKind | undefined {
  const kind = targetKind(enrichment);
  return ENRICHMENTS.has(kind) ? (kind as EnrichmentKind) : undefined;
}
