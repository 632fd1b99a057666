import type { JsonObject } from './json.ts';

/** A record of a queue or stream. */
export interface PolledRecord {
  /** The event that is made of it. */
  readonly value: JsonObject;
  /** The event with what its source encodes taken for what it holds, as filters look at it. */
  readonly decoded: JsonObject;
  /** Id of a message, or sequence number. */
  readonly id: string;
  /** Epoch milliseconds at which it came into its source; 0 where that is not known. */
  readonly arrivedAt: number;
  /** Records of one key are worked on in their order. */
  readonly key: string | undefined;
  /** Bytes of the event. */
  readonly size: number;
  /** Id of what wrote it, where its source knows. */
  readonly cause: string | undefined;
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
