import type { JsonObject } from './json.ts';
import type { PolledRecord } from './record.ts';

/** Where a record of a Kinesis stream was read, and by whom. */
export interface DataOrigin {
  readonly shard: string;
  readonly streamArn: string;
  /** ARN of the role that reads. */
  readonly role: string;
}

/** The members of a data record's event, of which services make events of different forms. */
export interface DataMembers {
  /** The record itself, with its data in base64. */
  readonly record: JsonObject;
  /** What is said of it. */
  readonly envelope: JsonObject;
  /** What was put into the stream, as text. */
  readonly text: string;
}

/** How a service makes an event of a data record. */
export type DataEvent = (members: DataMembers) => Pick<PolledRecord, 'value' | 'decoded'>;
