import type { AwsNames, Clock, DeepReadonly, Ids, Logger, ServiceCaller } from '@emu/core/service';
import type { Arrival } from './delivery/pieces.ts';
import type { CheckpointRecord, DeliveryStreamRecord } from './records.ts';

/** A stored delivery stream. */
export type DeliveryStream = DeepReadonly<DeliveryStreamRecord>;

/** Access to the delivery streams of one account and region. */
export interface StreamRegistry {
  stream(name: string): DeliveryStream | undefined;
  /** Returns the delivery stream with a number; undefined if deleted. */
  streamOfNumber(number: number): DeliveryStream | undefined;
  /** Returns all delivery streams in order of name. */
  listStreams(): DeliveryStream[];
  updateStream(name: string, change: (draft: DeliveryStreamRecord) => void): DeliveryStream;
  /** Deletes a delivery stream with its waiting records. */
  deleteStream(name: string): void;
}

/** Context of deliveries and sources. */
export interface DeliveryScope extends StreamRegistry {
  readonly names: AwsNames;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly call: ServiceCaller['call'];
  /** Accepts records. */
  readonly buffers: { accept(stream: DeliveryStream, arrivals: readonly Arrival[]): void };
  arnOf(name: string): string;
  /** Reports metrics of a delivery stream to CloudWatch. */
  report(stream: string, values: Readonly<Record<string, number>>): void;
  /** Returns the position of a delivery stream in a shard: a sequence number; undefined before the first record. */
  checkpoint(stream: number, shard: string): string | undefined;
  setCheckpoint(record: CheckpointRecord): void;
}
