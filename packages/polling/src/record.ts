import type { JsonObject } from './json.ts';

/** A record of a queue or stream. */
export interface PolledRecord {
  /** Event for the consumer. */
  readonly value: JsonObject;
  /** Event with the encoded data of its source decoded, for filters. */
  readonly decoded: JsonObject;
  /** Message id or sequence number. */
  readonly id: string;
  /** Time of arrival in the source in epoch milliseconds; 0 if unknown. */
  readonly arrivedAt: number;
  /** Records with the same key are processed in order. */
  readonly key: string | undefined;
  /** Size of the event in bytes. */
  readonly size: number;
  /** Cause id of the write, if the source reports it. */
  readonly cause: string | undefined;
}

/** Parts of a data record's event, from which services create different events. */
export interface DataMembers {
  /** Record with its data in base64. */
  readonly record: JsonObject;
  /** Metadata of the record. */
  readonly envelope: JsonObject;
  /** Stream data as text. */
  readonly text: string;
}

/** Creates a service's event of a data record. */
export type DataEvent = (members: DataMembers) => Pick<PolledRecord, 'value' | 'decoded'>;
