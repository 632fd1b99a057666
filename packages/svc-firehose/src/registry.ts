import type { Clock, DeepReadonly, Ids, Logger, ServiceCaller } from '@emu/core/service';
import type { Arrival } from './delivery/pieces.ts';
import type { CheckpointRecord, DeliveryStreamRecord } from './records.ts';

/** A delivery stream as it is read. */
export type DeliveryStream = DeepReadonly<DeliveryStreamRecord>;

/** The delivery streams of one account and region, as what works on them sees them. */
export interface StreamRegistry {
  stream(name: string): DeliveryStream | undefined;
  /** The delivery stream of a number; undefined where it has been deleted. */
  streamOfNumber(number: number): DeliveryStream | undefined;
  /** Every delivery stream, in order of the names. */
  listStreams(): DeliveryStream[];
  updateStream(name: string, change: (draft: DeliveryStreamRecord) => void): DeliveryStream;
  /** Deletes a delivery stream with the records that wait in it. */
  deleteStream(name: string): void;
}

/** What deliveries and sources work with. */
export interface DeliveryScope extends StreamRegistry {
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly call: ServiceCaller['call'];
  /** Takes records. */
  readonly buffers: { accept(stream: DeliveryStream, arrivals: readonly Arrival[]): void };
  arnOf(name: string): string;
  /** Reports metrics of a delivery stream to CloudWatch. */
  report(stream: string, values: Readonly<Record<string, number>>): void;
  /** How far a shard has been read for a delivery stream: a sequence number; undefined where nothing was taken. */
  checkpoint(stream: number, shard: string): string | undefined;
  setCheckpoint(record: CheckpointRecord): void;
}
