import { contentOf, type DataEvent, type PolledRecord, type Position } from '@emu/polling';
import type { PipeWork } from '../execution/work.ts';

/**
 * The event of a data record, whose members stand side by side, other than Lambda's.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-kinesis.html
 */
export const dataEvent: DataEvent = ({ record, envelope, text }) => {
  const value = { ...record, ...envelope };
  return { value, decoded: { ...value, data: contentOf(text) } };
};

/** Where a pipe begins to read its stream. */
export function startingPosition({ sourceParameters }: PipeWork['pipe']): Position {
  const { parameters, startAt } = sourceParameters;
  const type = (parameters.KinesisStreamParameters ?? parameters.DynamoDBStreamParameters)!.StartingPosition;
  return type === 'AT_TIMESTAMP' ? { type, timestamp: startAt ?? 0 } : { type };
}

/** The records that are dealt with: of a message group, none that comes after one that failed. */
export function withoutLater(batch: readonly PolledRecord[], failed: ReadonlySet<number>): PolledRecord[] {
  const stuck = new Set<string>();
  return batch.filter(({ key }, index) => {
    const over = !failed.has(index) && (key === undefined || !stuck.has(key));
    if (!over && key !== undefined) stuck.add(key);
    return over;
  });
}
