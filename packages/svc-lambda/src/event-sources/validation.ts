import { compilePattern, EVENT_PATTERNS, PatternError } from '@emu/core/patterns';
import { type CallOptions, type DeepReadonly, parseArn } from '@emu/core/service';
import { queueUrl } from '@emu/polling';
import { AwsError, violationText } from '@emu/wire';
import { executionPrincipal } from '../configuration/role.ts';
import type { LambdaContext } from '../context.ts';
import { conflict, invalidParameterValue } from '../errors.ts';
import type { EventSourceMapping, EventSourceSettings, Version } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { checkApplicable, type EventSourceKind } from './kinds.ts';

const missing = (member: string) => invalidParameterValue(violationText(member, 'Member must not be null.', null));

/**
 * Validates the settings of a mapping that are independent of other resources.
 * @param timestamp `StartingPositionTimestamp` in epoch milliseconds
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkSettings(kind: EventSourceKind, settings: EventSourceSettings, timestamp?: number): void {
  checkApplicable(kind, settings);
  checkFilters(settings);
  checkPosition(kind, settings, timestamp);
  const { BatchSize = 0, MaximumBatchingWindowInSeconds: window = 0, EventSourceArn = '' } = settings;
  if (kind === 'sqs') {
    if (EventSourceArn.endsWith('.fifo')) {
      if (window > 0) throw invalidParameterValue('Batching window is not supported for FIFO queues.');
      if (BatchSize > 10) throw invalidParameterValue('Batch size must be less than or equal to 10 for FIFO queues.');
    } else if (BatchSize > 10 && window === 0)
      throw invalidParameterValue(
        'Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10',
      );
    if (settings.ProvisionedPollerConfig && settings.ScalingConfig?.MaximumConcurrency !== undefined)
      throw invalidParameterValue('ScalingConfig and ProvisionedPollerConfig cannot be specified together.');
  }
  const { MinimumPollers, MaximumPollers } = settings.ProvisionedPollerConfig ?? {};
  if (MinimumPollers !== undefined && MaximumPollers !== undefined && MinimumPollers > MaximumPollers)
    throw invalidParameterValue('MinimumPollers must be less than or equal to MaximumPollers.');
  if ((settings.TumblingWindowInSeconds ?? 0) > 0 && (settings.ParallelizationFactor ?? 1) > 1)
    throw invalidParameterValue('ParallelizationFactor must be 1 when TumblingWindowInSeconds is specified.');
  if ((kind === 'kafka' || kind === 'self-managed-kafka') && !settings.Topics?.length) throw missing('topics');
  if (kind === 'mq' && !settings.Queues?.length) throw missing('queues');
  if (kind === 'docdb' && !settings.DocumentDBEventSourceConfig) throw missing('documentDBEventSourceConfig');
  if ((kind === 'self-managed-kafka' || kind === 'mq' || kind === 'docdb') && !settings.SourceAccessConfigurations)
    throw invalidParameterValue("Required 'sourceAccessConfigurations' parameter is missing.");
}

function checkPosition(kind: EventSourceKind, settings: EventSourceSettings, timestamp: number | undefined): void {
  const { StartingPosition: position, EventSourceArn } = settings;
  const streaming = kind === 'kinesis' || kind === 'dynamodb';
  if (streaming && position === undefined) throw missing('startingPosition');
  if (position !== 'AT_TIMESTAMP') {
    if (timestamp !== undefined)
      throw invalidParameterValue(
        'StartingPositionTimestamp can be specified only when StartingPosition is AT_TIMESTAMP.',
      );
    return;
  }
  if (kind === 'dynamodb') throw invalidParameterValue(`Unsupported starting position for arn type: ${EventSourceArn}`);
  if (timestamp === undefined) throw missing('startingPositionTimestamp');
}

function checkFilters({ FilterCriteria }: EventSourceSettings): void {
  const filters = FilterCriteria?.Filters ?? [];
  if (filters.length > 10) throw invalidParameterValue('The number of filters must be less than or equal to 10.');
  for (const { Pattern } of filters) {
    if (Pattern === undefined) continue;
    try {
      compilePattern(Pattern, EVENT_PATTERNS);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      throw invalidParameterValue('Invalid filter pattern definition.');
    }
  }
}

/**
 * Rejects a missing source, and a queue whose visibility timeout is below the function's timeout.
 * @throws AwsError `InvalidParameterValueException`
 */
export async function checkSource(
  kind: EventSourceKind,
  arn: string | undefined,
  version: Version,
  ctx: LambdaContext,
): Promise<void> {
  const parsed = arn === undefined ? undefined : parseArn(arn);
  if (!parsed || arn === undefined) return;
  await checkRole(kind, arn, version.config.role, ctx);
  if (kind === 'sqs') {
    const QueueUrl = `https://sqs.${parsed.region}.amazonaws.com/${parsed.accountId}/${parsed.resource}`;
    const answer = await callSource(
      ctx.call('sqs', 'GetQueueAttributes', { QueueUrl, AttributeNames: ['VisibilityTimeout'] }),
      ctx,
      ({ code, message }) => {
        const known = code === 'QueueDoesNotExist' ? 'AWS.SimpleQueueService.NonExistentQueue' : code;
        return invalidParameterValue(
          `Error occurred while ReceiveMessage. SQS Error Code: ${known}. SQS Error Message: ${message}`,
        );
      },
    );
    const visibility = Number(answer?.Attributes?.VisibilityTimeout ?? Number.POSITIVE_INFINITY);
    const { timeout } = version.config;
    if (visibility < timeout)
      throw invalidParameterValue(
        `Queue visibility timeout: ${visibility} seconds is less than Function timeout: ${timeout} seconds`,
      );
  }
  const noStream = () => invalidParameterValue(`Stream not found: ${arn}`);
  if (kind === 'dynamodb')
    await callSource(ctx.call('dynamodbstreams', 'DescribeStream', { StreamArn: arn, Limit: 1 }), ctx, noStream);
  if (kind === 'kinesis') {
    const asked = parsed.resource.includes('/consumer/')
      ? ctx.call('kinesis', 'DescribeStreamConsumer', { ConsumerARN: arn })
      : ctx.call('kinesis', 'DescribeStreamSummary', { StreamARN: arn });
    await callSource<unknown>(asked, ctx, noStream);
  }
}

/** Reads a source with a valid request, to check only the permission. */
type Read = (ctx: LambdaContext, arn: string, options: CallOptions) => Promise<unknown>;

const SHARD = 'shardId-00000000000000000000-00000000';

/** Operations whose permissions are required to read a source. */
const READS: Readonly<Record<'sqs' | 'dynamodb', Readonly<Record<string, Read>>>> = {
  sqs: {
    ReceiveMessage: (ctx, arn, options) => ctx.call('sqs', 'ReceiveMessage', { QueueUrl: queueUrl(arn) }, options),
    DeleteMessage: (ctx, arn, options) =>
      ctx.call('sqs', 'DeleteMessage', { QueueUrl: queueUrl(arn), ReceiptHandle: '-' }, options),
    GetQueueAttributes: (ctx, arn, options) =>
      ctx.call('sqs', 'GetQueueAttributes', { QueueUrl: queueUrl(arn) }, options),
  },
  dynamodb: {
    DescribeStream: (ctx, StreamArn, options) => ctx.call('dynamodbstreams', 'DescribeStream', { StreamArn }, options),
    GetShardIterator: (ctx, StreamArn, options) => {
      const input = { StreamArn, ShardId: SHARD, ShardIteratorType: 'LATEST' } as const;
      return ctx.call('dynamodbstreams', 'GetShardIterator', input, options);
    },
  },
};

/**
 * Rejects a role without permission to read the source, if policies are enforced.
 * @throws AwsError `InvalidParameterValueException`
 */
async function checkRole(kind: EventSourceKind, arn: string, role: string, ctx: LambdaContext): Promise<void> {
  if (!ctx.enforced || (kind !== 'sqs' && kind !== 'dynamodb')) return;
  const { accountId, region } = parseArn(arn)!;
  const principal = executionPrincipal(role, 'event-source', ctx.state);
  for (const [operation, read] of Object.entries(READS[kind])) {
    const options = { accountId, region, principal, authorize: { dryRun: true } };
    try {
      await read(ctx, arn, options);
    } catch (error) {
      if (!(error instanceof AwsError) || !error.code.startsWith('AccessDenied')) continue;
      throw invalidParameterValue(
        kind === 'sqs'
          ? `The provided execution role does not have permissions to call ${operation} on SQS`
          : `Cannot access stream ${arn}. Please ensure the role can perform the GetRecords, GetShardIterator, DescribeStream, and ListStreams Actions on your stream in IAM.`,
      );
    }
  }
}

/**
 * Returns the response of the source's service; undefined if emu lacks the service, so that the source cannot be
 * checked.
 */
async function callSource<Output>(
  asked: Promise<Output>,
  ctx: LambdaContext,
  refuse: (error: AwsError) => AwsError,
): Promise<Output | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code !== 'NotImplemented') throw refuse(error);
    ctx.log.warn(`an event source is stored without being checked: ${error.message}`);
    return undefined;
  }
}

const endpointsOf = ({ SelfManagedEventSource }: DeepReadonly<EventSourceSettings>): readonly string[] =>
  Object.values(SelfManagedEventSource?.Endpoints ?? {}).flat() as readonly string[];

/**
 * Rejects a second mapping of the same source and function.
 * @throws AwsError `ResourceConflictException`
 */
export function checkDuplicate(
  kind: EventSourceKind,
  wanted: Pick<EventSourceMapping, 'functionName' | 'qualifier' | 'settings'>,
  state: LambdaState,
  except?: string,
): void {
  const { functionName, qualifier, settings } = wanted;
  const { EventSourceArn: arn } = settings;
  const hint = (uuid: string) => `Please update or delete the existing mapping with UUID ${uuid}`;
  for (const other of state.eventSourceMappings.values()) {
    if (other.uuid === except || other.functionName !== functionName || other.qualifier !== qualifier) continue;
    if (other.settings.EventSourceArn !== arn) continue;
    if (kind === 'sqs')
      throw conflict(
        `An event source mapping with SQS arn (" ${arn} ") and function (" ${functionName} ") already exists. ${hint(other.uuid)}`,
      );
    const topics = settings.Topics ?? settings.Queues ?? [];
    const otherTopics = other.settings.Topics ?? other.settings.Queues ?? [];
    if (topics.join() !== otherTopics.join()) continue;
    if (kind === 'self-managed-kafka') {
      const endpoints = endpointsOf(settings);
      if (!endpointsOf(other.settings).some((endpoint) => endpoints.includes(endpoint))) continue;
      throw conflict(
        `An event source mapping with event source ("${endpoints.join(',')}"), function ("${state.functionArn(functionName, qualifier)}"), topics ("${topics.join(',')}") already exists. ${hint(other.uuid)}`,
      );
    }
    throw conflict(
      `The event source arn (" ${arn} ") and function (" ${functionName} ") provided mapping already exists. ${hint(other.uuid)}`,
    );
  }
}
