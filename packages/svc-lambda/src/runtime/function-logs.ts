import { stripVTControlCharacters } from 'node:util';
import { type Logger, type LogWriter, RecordBuffer } from '@emu/core/service';

/** A line of a function's log for CloudWatch Logs. */
export interface LogEvent {
  functionName: string;
  /** Executed version, e.g. `$LATEST`. */
  version: string;
  group: string;
  stream: string;
  /** Source of the line. */
  source: LogSource;
  /** Request id of the current invocation, or the one the environment was started for. */
  requestId: string;
  /** Whether it is a platform report of a successful invocation. */
  routine: boolean;
  /** Epoch milliseconds. */
  timestamp: number;
  message: string;
}

/** Sources of lines. */
export type LogSource = 'platform' | 'function' | 'extension';

/** Maximum number and characters of events waiting for CloudWatch Logs. */
const MAX_WAITING = 10_000;
const MAX_WAITING_LENGTH = 32 * 1024 * 1024;
/** Batching delay in milliseconds, and the number of lines that ends it early. */
const GATHERING = 20;
const ENOUGH = 1000;
/** Maximum bytes and events per PutLogEvents. */
const MAX_BATCH_BYTES = 1_000_000;
const MAX_BATCH = 10_000;
/** Overhead in bytes that CloudWatch Logs adds to each message. */
const EVENT_OVERHEAD = 26;

/** Control characters for terminals, except tab and newline. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Escapes a line for terminals, so that output of a package cannot control them. */
const printable = (message: string): string =>
  stripVTControlCharacters(message)
    .trimEnd()
    .replaceAll(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);

/**
 * Sends log lines to CloudWatch Logs, in batches and in order; if a function logs faster than lines are accepted, the
 * oldest are dropped. Keeps the newest lines for inspection, and copies lines to the emulator's log.
 */
export class FunctionLogs {
  private waiting: LogEvent[] = [];
  private waitingLength = 0;
  private readonly recent = new RecordBuffer<LogEvent>(MAX_WAITING, {
    limit: MAX_WAITING_LENGTH,
    of: ({ message }) => message.length,
  });
  private running: Promise<void> | undefined;
  /** Ends the batching delay early. */
  private hurry: (() => void) | undefined;
  private unavailable = false;
  private dropped = 0;

  /**
   * @param place account and region of the functions
   * @param writer CloudWatch Logs; undefined if not mounted
   */
  constructor(
    private readonly place: { readonly accountId: string; readonly region: string },
    private readonly writer: () => LogWriter | undefined | Promise<LogWriter | undefined>,
    private readonly log: Logger,
  ) {}

  /** Adds a line, which is sent soon. */
  add(event: LogEvent): void {
    this.recent.add(event);
    this.publish(event);
    if (this.unavailable) return;
    if (this.waiting.length >= MAX_WAITING || this.waitingLength >= MAX_WAITING_LENGTH) {
      this.dropped++;
      return;
    }
    this.waiting.push(event);
    this.waitingLength += event.message.length;
    this.running ??= this.run();
    if (this.waiting.length >= ENOUGH) this.hurry?.();
  }

  /** Returns the newest lines, oldest first. */
  events(): LogEvent[] {
    return this.recent.list();
  }

  /** Writes a line to the emulator's own log. */
  private publish({ functionName, requestId, message, routine }: LogEvent): void {
    const { log } = this;
    const level = routine ? 'debug' : 'info';
    if (!log.enabled(level)) return;
    if (log.format === 'json') log[level](message.trimEnd(), { function: functionName, requestId });
    else log[level](`[${functionName}] ${printable(message)}`);
  }

  /** Resolves when all lines so far have been sent. */
  async flushed(): Promise<void> {
    while (this.running) {
      this.hurry?.();
      await this.running;
    }
  }

  private async run(): Promise<void> {
    await this.gather();
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      try {
        await this.put(batch);
      } catch (error) {
        this.giveUp(error);
      }
    }
    this.running = undefined;
    if (this.dropped > 0) this.log.warn(`${this.dropped} log lines of functions came faster than they could be kept`);
    this.dropped = 0;
  }

  /** Waits briefly to batch the lines of several invocations. */
  private async gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHERING);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.hurry = undefined;
  }

  /** Takes the next lines of one stream. */
  private takeBatch(): LogEvent[] {
    const [{ group, stream }] = this.waiting as [LogEvent];
    const batch: LogEvent[] = [];
    const others: LogEvent[] = [];
    let size = 0;
    for (const event of this.waiting) {
      const cost = Buffer.byteLength(event.message) + EVENT_OVERHEAD;
      const fits = size + cost <= MAX_BATCH_BYTES && batch.length < MAX_BATCH;
      if (event.group !== group || event.stream !== stream || !fits) others.push(event);
      else {
        batch.push(event);
        size += cost;
        this.waitingLength -= event.message.length;
      }
    }
    this.waiting = others;
    return batch;
  }

  private async put(batch: LogEvent[]): Promise<void> {
    const writer = await this.writer();
    if (!writer) {
      this.unavailable = true;
      this.waiting = [];
      this.waitingLength = 0;
      return;
    }
    const [{ group, stream }] = batch as [LogEvent];
    const { accountId, region } = this.place;
    const lines = batch.map(({ timestamp, message, requestId }) => ({ timestamp, message, cause: requestId }));
    await writer.write({ accountId, region, group, stream }, lines);
  }

  private giveUp(error: unknown): void {
    this.log.warn('log lines of a function could not be written to CloudWatch Logs', { error });
  }
}
