import { type CallOptions, parseArn } from '@emu/core/service';
import { type PolledRecord, queueUrl } from '@emu/polling';
import { executionPrincipal } from '../configuration/role.ts';
import type { EventSourceMapping } from '../records.ts';
import type { Execution } from '../runtime/executor.ts';
import type { LambdaState } from '../state.ts';

/** Reasons for discarding records. */
export type DiscardReason = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

/** Records that a function never processed. */
export interface FailedBatch {
  records: readonly PolledRecord[];
  shard: string;
  condition: DiscardReason;
  attempts: number;
  role: string;
  requestId: string;
  execution: Execution | undefined;
}

const iso = (time: number): string => new Date(time).toISOString();

/** Returns the body for a destination: the batch's position in the stream, without the records. */
function invocationRecord(state: LambdaState, mapping: EventSourceMapping, batch: FailedBatch) {
  const { records, shard, condition, attempts, requestId, execution } = batch;
  const [first, last] = [records[0]!, records.at(-1)!];
  const streamArn = mapping.settings.EventSourceArn!;
  const info = {
    shardId: shard,
    startSequenceNumber: first.id,
    endSequenceNumber: last.id,
    approximateArrivalOfFirstRecord: iso(first.arrivedAt),
    approximateArrivalOfLastRecord: iso(last.arrivedAt),
    batchSize: records.length,
    streamArn,
  };
  return {
    requestContext: {
      requestId,
      functionArn: state.functionArn(mapping.functionName, mapping.qualifier),
      condition,
      approximateInvokeCount: attempts,
    },
    ...(execution && {
      responseContext: {
        statusCode: 200,
        executedVersion: execution.executedVersion,
        ...(execution.errorType !== undefined && { functionError: 'Unhandled' }),
      },
    }),
    version: '1.0',
    timestamp: iso(state.clock.now()),
    ...(parseArn(streamArn)!.service === 'kinesis' ? { KinesisBatchInfo: info } : { DDBStreamBatchInfo: info }),
  };
}

/**
 * Reports discarded records to the mapping's on-failure destination. Logs delivery failures.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export async function deliverFailure(
  state: LambdaState,
  mapping: EventSourceMapping,
  batch: FailedBatch,
): Promise<void> {
  const arn = mapping.settings.DestinationConfig?.OnFailure?.Destination;
  if (arn === undefined) return;
  const { accountId, region } = parseArn(arn) ?? {};
  const options: CallOptions = {
    accountId: accountId || state.accountId,
    region: region || state.region,
    principal: executionPrincipal(batch.role, mapping.functionName, state),
    authorize: {},
    cause: batch.requestId,
  };
  try {
    await send(state, mapping, arn, batch, options);
  } catch (error) {
    state.log.warn(`the destination of an event source mapping could not be reached: ${arn}`, { error });
  }
}

async function send(
  state: LambdaState,
  mapping: EventSourceMapping,
  arn: string,
  batch: FailedBatch,
  options: CallOptions,
): Promise<void> {
  const record = invocationRecord(state, mapping, batch);
  const { service, resource } = parseArn(arn)!;
  if (service === 'sqs')
    await state.call('sqs', 'SendMessage', { QueueUrl: queueUrl(arn), MessageBody: JSON.stringify(record) }, options);
  else if (service === 'sns')
    await state.call('sns', 'Publish', { TopicArn: arn, Message: JSON.stringify(record) }, options);
  else {
    // A bucket also receives the records.
    const payload = JSON.stringify({ Records: batch.records.map(({ value }) => value) });
    const [date, time] = record.timestamp.split('T') as [string, string];
    const moment = `${date}T${time.slice(0, 8).replaceAll(':', '.')}`;
    const Key = `aws/lambda/${mapping.uuid}/${batch.shard}/${date.replaceAll('-', '/')}/${moment}-${state.ids.uuid()}`;
    const Body = Buffer.from(JSON.stringify({ ...record, payload }));
    await state.call('s3', 'PutObject', { Bucket: resource, Key, Body }, options);
  }
}
