import { parseArn } from '@emu/core/service';
import { type PolledRecord, queueUrl } from '@emu/polling';
import { callerFor } from '../execution/addresses.ts';
import type { PipeWork } from '../execution/work.ts';

/** Reason why records are dropped. */
export type GivenUp = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

/** Records that failed permanently. */
export interface FailedRecords {
  records: readonly PolledRecord[];
  shard: string;
  condition: GivenUp;
  attempts: number;
}

const iso = (time: number): string => new Date(time).toISOString();

/**
 * Reports dropped records to the dead-letter queue or topic of a pipe: their positions in the stream, without their
 * data. Failed reports are logged.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-error-troubleshooting.html
 */
export async function reportDroppedRecords(
  work: PipeWork,
  { records, shard, condition, attempts }: FailedRecords,
): Promise<void> {
  const { state, pipe } = work;
  const { KinesisStreamParameters: kinesis, DynamoDBStreamParameters: dynamodb } = pipe.sourceParameters.parameters;
  const letters = (kinesis ?? dynamodb)?.DeadLetterConfig?.Arn;
  if (letters === undefined) return;
  const [first, last] = [records[0]!, records.at(-1)!];
  const info = {
    shardId: shard,
    startSequenceNumber: first.id,
    endSequenceNumber: last.id,
    approximateArrivalOfFirstRecord: iso(first.arrivedAt),
    approximateArrivalOfLastRecord: iso(last.arrivedAt),
    batchSize: records.length,
    streamArn: pipe.source,
  };
  const text = JSON.stringify({
    context: { partnerResourceArn: state.pipeArn(pipe.name), condition, approximateInvokeCount: attempts },
    ...(kinesis ? { KinesisBatchInfo: info } : { DDBStreamBatchInfo: info }),
    timestamp: iso(state.clock.now()),
    version: '1.0',
  });
  const options = callerFor(work, letters, first.cause);
  try {
    if (parseArn(letters)?.service === 'sns')
      await state.call('sns', 'Publish', { TopicArn: letters, Message: text }, options);
    else await state.call('sqs', 'SendMessage', { QueueUrl: queueUrl(letters), MessageBody: text }, options);
  } catch (error) {
    state.log.warn(`the dead-letter queue of the pipe ${pipe.name} could not be reached: ${letters}`, { error });
  }
}
