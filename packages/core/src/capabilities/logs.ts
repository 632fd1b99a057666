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

/** What CloudWatch Logs takes from services that log of their own accord, as Lambda does for functions. */
export interface LogWriter {
  /**
   * Appends lines to a stream, in their order; makes the stream, and its group, where they are missing. It resolves when
   * the lines are kept.
   * @throws Error where they cannot be written
   */
  write(place: LogPlace, lines: readonly LogLine[]): Promise<void>;
}

/** Logs of services. */
export const logWriter: Capability<LogWriter> = defineCapability('logs');

/** A log that a service makes of one of its resources, for the deliveries that somebody has asked for. */
export interface VendedLog {
  readonly accountId: string;
  readonly region: string;
  readonly resourceArn: string;
  /** As PutDeliverySource names it, e.g. `INFO_LOGS`. */
  readonly logType: string;
  /** Name of the stream where it goes to a log group. */
  readonly stream: string;
}

/** A record of such a log: its fields by name. */
export interface VendedRecord {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Id of what it tells of, where that is known. */
  readonly cause?: string | undefined;
}

/** Deliveries of CloudWatch Logs, which carry logs of services to log groups, buckets and Firehose streams. */
export interface VendedLogs {
  /**
   * Delivers records, in their order, to every destination that a delivery joins with the resource and the type; without
   * one they go nowhere. What cannot be delivered is logged and lost, as deliveries are best effort.
   */
  deliver(log: VendedLog, records: readonly VendedRecord[]): Promise<void>;
}

/** Deliveries of services' logs. */
export const vendedLogs: Capability<VendedLogs> = defineCapability('deliveries of logs');
