import type { OperationInput, OperationName, OperationOutput } from '@emu/core';
import type { JsonObject } from '../definition/json.ts';
import type { PipeEvent } from '../execution/template.ts';

/** Where reading a shard begins. */
export type Position =
  | { type: 'TRIM_HORIZON' | 'LATEST' }
  | { type: 'AT_TIMESTAMP'; timestamp: number }
  | { type: 'AFTER_SEQUENCE_NUMBER'; sequence: string };

/** A record of a source. */
export interface SourceRecord extends PipeEvent {
  readonly value: JsonObject;
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

/** What brings the records of a source through a pipe. */
export interface SourceReader {
  /** Resolves when it is known where reading begins: what comes into the source from then on is read. */
  readonly started: Promise<void>;
  /** Reads nothing any more; what was read runs to its end. */
  close(): void;
  /** Resolves when nothing is under way any more; only after `close`. */
  idle(): Promise<void>;
}

/** The services that have queues and streams. */
export type SourceService = 'sqs' | 'dynamodbstreams' | 'kinesis';

/** Calls an operation of the source's service as the pipe's role. */
export type CallSource = <Service extends SourceService, Operation extends OperationName<Service>>(
  service: Service,
  operation: Operation,
  input: OperationInput<Service, Operation>,
  signal?: AbortSignal,
) => Promise<OperationOutput<Service, Operation>>;
