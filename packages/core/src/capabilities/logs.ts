import { type Capability, defineCapability } from './capability.ts';

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
