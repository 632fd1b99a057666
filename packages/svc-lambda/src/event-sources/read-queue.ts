import { type PolledRecord, QueueReader, recordFilter, type SourceReader } from '@emu/polling';
import { AwsError } from '@emu/wire';
import { resolveFunction } from '../names.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import type { EventSourceMapping } from '../records.ts';
import { Executor } from '../runtime/executor.ts';
import type { LambdaState } from '../state.ts';
import { sourceCaller } from './caller.ts';
import { failedItems } from './failed-items.ts';

/** Default number of concurrent batches of a mapping: AWS starts as many pollers. */
const DEFAULT_CONCURRENCY = 5;
/** Default number of messages per batch. */
const DEFAULT_BATCH = 10;

/**
 * Polls a queue and invokes a mapping's function with its messages.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
export function readQueue(state: LambdaState, mapping: EventSourceMapping): SourceReader {
  const { settings, functionName } = mapping;
  const arn = settings.EventSourceArn!;
  const cap = state.service.settings.of(LAMBDA_OPTIONS).EMULATOR_LAMBDA_MAX_CONCURRENCY;
  return new QueueReader({
    clock: state.clock,
    arn,
    call: sourceCaller(state, mapping),
    batchSize: settings.BatchSize ?? DEFAULT_BATCH,
    window: settings.MaximumBatchingWindowInSeconds ?? 0,
    concurrency: Math.min(cap, settings.ScalingConfig?.MaximumConcurrency ?? DEFAULT_CONCURRENCY),
    matches: recordFilter(settings.FilterCriteria?.Filters),
    work: (batch, signal) => invoke(state, mapping, batch, signal),
    warn: (error, read) =>
      state.log.warn(
        read
          ? `the queue of an event source mapping cannot be read: ${arn}`
          : `messages of ${arn} could not be handed to ${functionName}`,
        { error },
      ),
  });
}

/**
 * Invokes the function.
 * @returns the records that it processed
 */
async function invoke(
  state: LambdaState,
  mapping: EventSourceMapping,
  batch: readonly PolledRecord[],
  signal: AbortSignal,
): Promise<readonly PolledRecord[]> {
  const resolved = resolveFunction(state, mapping.functionName, mapping.qualifier);
  try {
    const { errorType, payload } = await Executor.of(state).execute(resolved, {
      requestId: state.ids.uuid(),
      // An invocation has a single cause: the one of the batch's first message.
      cause: batch[0]!.cause,
      payload: Buffer.from(JSON.stringify({ Records: batch.map(({ value }) => value) })),
      traceHeader: batch.map(traceHeaderOf).find((header) => header !== undefined),
      invocationType: 'RequestResponse',
      source: mapping.settings.EventSourceArn!,
      tail: false,
      signal: () => signal,
    });
    if (errorType !== undefined) return [];
    if (!mapping.settings.FunctionResponseTypes?.includes('ReportBatchItemFailures')) return batch;
    const failed = failedItems(payload, new Set(batch.map(({ id }) => id)));
    return failed ? batch.filter(({ id }) => !failed.has(id)) : [];
  } catch (error) {
    // Throttled, or a loop: the messages stay in the queue, and its redrive policy limits the attempts.
    if (error instanceof AwsError && /^TooManyRequests|^RecursiveInvocation/.test(error.code)) return [];
    throw error;
  }
}

const traceHeaderOf = ({ value }: PolledRecord): string | undefined =>
  (value.attributes as { AWSTraceHeader?: string }).AWSTraceHeader;
