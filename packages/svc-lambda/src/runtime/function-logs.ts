import { stripVTControlCharacters } from 'node:util';
import { type Logger, type LogWriter, RecordBuffer } from '@emu/core/service';

/** A line of a function's log, as CloudWatch Logs keeps it. */
export interface LogEvent {
  functionName: string;
  /** The version that ran, e.g. `$LATEST`. */
  version: string;
  group: string;
  stream: string;
  /** Who wrote it. */
  source: LogSource;
  /** Of the invocation that the environment worked on, or was started for. */
  requestId: string;
  /** Whether it is the platform's account of an invocation that went well. */
  routine: boolean;
  /** Epoch milliseconds. */
  timestamp: number;
  message: string;
}

/** Who writes a line. */
export type LogSource = 'platform' | 'function' | 'extension';

/** Events that wait for CloudWatch Logs at most, and characters of theirs. */
const MAX_WAITING = 10_000;
const MAX_WAITING_LENGTH = 32 * 1024 * 1024;
/** Milliseconds for which lines wait for others, and how many make that needless. */
const GATHERING = 20;
const ENOUGH = 1000;
/** Bytes and events of one PutLogEvents. */
const MAX_BATCH_BYTES = 1_000_000;
const MAX_BATCH = 10_000;
/** Bytes that CloudWatch Logs counts for each event besides its message. */
const EVENT_OVERHEAD = 26;

/** Characters that a terminal would act on; a tab and the end of a line are none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** A line as it may go to a terminal: what a package prints must not act on it. */
const printable = (message: string): string =>
  stripVTControlCharacters(message)
    .trimEnd()
    .replaceAll(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);

/**
 * Brings log lines to CloudWatch Logs, in batches and in order; a function that logs faster than its lines are taken
 * loses the oldest. The newest are kept to be looked at, and told in the emulator's own log.
 */
export class FunctionLogs {
  private waiting: LogEvent[] = [];
  private waitingLength = 0;
  private readonly recent = new RecordBuffer<LogEvent>(MAX_WAITING, {
    limit: MAX_WAITING_LENGTH,
    of: ({ message }) => message.length,
  });
  private running: Promise<void> | undefined;
  /** Ends the wait for more lines. */
  private hurry: (() => void) | undefined;
  private unavailable = false;
  private dropped = 0;

  /**
   * @param place account and region of the functions
   * @param writer CloudWatch Logs; undefined where it is not mounted
   */
  constructor(
    private readonly place: { readonly accountId: string; readonly region: string },
    private readonly writer: () => LogWriter | undefined | Promise<LogWriter | undefined>,
    private readonly log: Logger,
  ) {}

  /** Adds a line; it is brought away soon. */
  add(event: LogEvent): void {
    this.recent.add(event);
    this.tell(event);
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

  /** The newest lines, oldest first. */
  events(): LogEvent[] {
    return this.recent.list();
  }

  /** Writes a line to the emulator's own log. */
  private tell({ functionName, requestId, message, routine }: LogEvent): void {
    const { log } = this;
    const level = routine ? 'debug' : 'info';
    if (!log.enabled(level)) return;
    if (log.format === 'json') log[level](message.trimEnd(), { function: functionName, requestId });
    else log[level](`[${functionName}] ${printable(message)}`);
  }

  /** Resolves when everything so far was brought away. */
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

  /** Waits a moment, so that lines of several invocations go together. */
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

  /** The next lines of one stream. */
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
