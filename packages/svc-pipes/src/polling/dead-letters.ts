import { parseArn } from '@emu/core';
import { type PolledRecord, queueUrl } from '@emu/polling';
import { callerFor } from '../execution/addresses.ts';
import type { PipeWork } from '../execution/work.ts';

/** Why records are given up. */
export type GivenUp = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

/** Records that never came through a pipe. */
export interface FailedRecords {
  records: readonly PolledRecord[];
  shard: string;
  condition: GivenUp;
  attempts: number;
}

const iso = (time: number): string => new Date(time).toISOString();

/**
 * Tells the dead-letter queue or topic of a pipe of records that are given up: where they are in the stream, not the
 * records themselves. What cannot be delivered is logged.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-error-troubleshooting.html
 */
export async function buryRecords(
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
