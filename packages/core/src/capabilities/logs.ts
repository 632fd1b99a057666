import { type Capability, defineCapability } from '../base/capability.ts';

/** A line of a log. */
export interface LogLine {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly message: string;
  /** Id of the request or invocation that wrote it. */
  readonly cause?: string | undefined;
}

/** A log stream. */
export interface LogPlace {
  readonly accountId: string;
  readonly region: string;
  readonly group: string;
  readonly stream: string;
}

/** CloudWatch Logs for services that write logs themselves, as Lambda does for functions. */
export interface LogWriter {
  /**
   * Appends lines to a stream, in order; creates a missing stream or group. Resolves when the lines are stored.
   * @throws Error if they cannot be written
   */
  write(place: LogPlace, lines: readonly LogLine[]): Promise<void>;
}

/** Logs of services. */
export const logWriter: Capability<LogWriter> = defineCapability('logs');

/** A service's log of one of its resources, for configured deliveries. */
export interface VendedLog {
  readonly accountId: string;
  readonly region: string;
  readonly resourceArn: string;
  /** Log type in PutDeliverySource, e.g. `INFO_LOGS`. */
  readonly logType: string;
  /** Name of the stream in a destination log group. */
  readonly stream: string;
}

/** A record of such a log: its fields by name. */
export interface VendedRecord {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Id of the request or event that it describes, if known. */
  readonly cause?: string | undefined;
}

/** Deliveries of CloudWatch Logs, which send logs of services to log groups, buckets and Firehose streams. */
export interface VendedLogs {
  /**
   * Delivers records, in order, to the destinations of all deliveries for the resource and log type; discards them
   * without one. Delivery is best effort: failures are logged and the records lost.
   */
  deliver(log: VendedLog, records: readonly VendedRecord[]): Promise<void>;
}

/** Deliveries of services' logs. */
export const vendedLogs: Capability<VendedLogs> = defineCapability('deliveries of logs');
