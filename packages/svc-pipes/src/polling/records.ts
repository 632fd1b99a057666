import { contentOf, type DataEvent, type PolledRecord, type Position } from '@emu/polling';
import type { PipeWork } from '../execution/work.ts';

/**
 * Returns the event of a record. Unlike in Lambda, the members of the record are at the top level.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-kinesis.html
 */
export const dataEvent: DataEvent = ({ record, envelope, text }) => {
  const value = { ...record, ...envelope };
  return { value, decoded: { ...value, data: contentOf(text) } };
};

/** Returns the position at which a pipe starts reading its stream. */
export function startingPosition({ sourceParameters }: PipeWork['pipe']): Position {
  const { parameters, startAt } = sourceParameters;
  const type = (parameters.KinesisStreamParameters ?? parameters.DynamoDBStreamParameters)!.StartingPosition;
  return type === 'AT_TIMESTAMP' ? { type, timestamp: startAt ?? 0 } : { type };
}

/** Returns the records to delete: within a message group, none after a failed one. */
export function withoutLater(batch: readonly PolledRecord[], failed: ReadonlySet<number>): PolledRecord[] {
  const stuck = new Set<string>();
  return batch.filter(({ key }, index) => {
    const over = !failed.has(index) && (key === undefined || !stuck.has(key));
    if (!over && key !== undefined) stuck.add(key);
    return over;
  });
}
