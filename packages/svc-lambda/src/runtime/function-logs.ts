import { type Logger, RecordBuffer, type ServiceCaller } from '@emu/core';
import { AwsError } from '@emu/wire';

/** A line of a function's log, as CloudWatch Logs keeps it. */
export interface LogEvent {
  group: string;
  stream: string;
  /** Epoch milliseconds. */
  timestamp: number;
  message: string;
}

/** Events that wait for CloudWatch Logs at most, and characters of theirs. */
const MAX_WAITING = 10_000;
const MAX_WAITING_LENGTH = 32 * 1024 * 1024;
/** Bytes and events of one PutLogEvents. */
const MAX_BATCH_BYTES = 1_000_000;
const MAX_BATCH = 10_000;
/** Bytes that CloudWatch Logs counts for each event besides its message. */
const EVENT_OVERHEAD = 26;

/**
 * Brings log lines to CloudWatch Logs, in batches and in order. Where the emulator has no such service the newest are
 * kept; a function that logs faster than its lines are taken loses the oldest.
 */
export class FunctionLogs {
  private waiting: LogEvent[] = [];
  private waitingLength = 0;
  private readonly kept = new RecordBuffer<LogEvent>(MAX_WAITING, {
    limit: MAX_WAITING_LENGTH,
    of: ({ message }) => message.length,
  });
  private readonly streams = new Set<string>();
  private running: Promise<void> | undefined;
  private unavailable = false;
  private dropped = 0;

  constructor(
    private readonly call: ServiceCaller['call'],
    private readonly log: Logger,
  ) {}

  /** Adds a line; it is brought away soon. */
  add(event: LogEvent): void {
    if (this.log.enabled('debug')) this.log.debug(`${event.group}: ${event.message}`);
    if (this.unavailable) {
      this.kept.add(event);
      return;
    }
    if (this.waiting.length >= MAX_WAITING || this.waitingLength >= MAX_WAITING_LENGTH) {
      this.dropped++;
      return;
    }
    this.waiting.push(event);
    this.waitingLength += event.message.length;
    this.running ??= this.run();
  }

  /** What CloudWatch Logs could not be given, oldest first. */
  events(): LogEvent[] {
    return [...this.kept.list(), ...this.waiting];
  }

  /** Resolves when everything so far was brought away. */
  async flushed(): Promise<void> {
    while (this.running) await this.running;
  }

  private async run(): Promise<void> {
    // Lines of one turn go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      try {
        await this.put(batch);
      } catch (error) {
        this.giveUp(batch, error);
      }
    }
    this.running = undefined;
    if (this.dropped > 0) this.log.warn(`${this.dropped} log lines of functions came faster than they could be kept`);
    this.dropped = 0;
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
    const [{ group: logGroupName, stream: logStreamName }] = batch as [LogEvent];
    const key = `${logGroupName} ${logStreamName}`;
    if (!this.streams.has(key)) {
      await ensured(this.call('logs', 'CreateLogGroup', { logGroupName }));
      await ensured(this.call('logs', 'CreateLogStream', { logGroupName, logStreamName }));
      this.streams.add(key);
    }
    const logEvents = batch.map(({ timestamp, message }) => ({ timestamp, message }));
    try {
      await this.call('logs', 'PutLogEvents', { logGroupName, logStreamName, logEvents });
    } catch (error) {
      this.streams.delete(key);
      throw error;
    }
  }

  private giveUp(batch: LogEvent[], error: unknown): void {
    for (const event of batch) this.kept.add(event);
    if (error instanceof AwsError && error.code === 'NotImplemented') {
      this.unavailable = true;
      for (const event of this.waiting.splice(0)) this.kept.add(event);
      return;
    }
    this.log.warn('log lines of a function could not be written to CloudWatch Logs', { error });
  }
}

/** Waits for something to be made, which may be there already. */
async function ensured(making: Promise<unknown>): Promise<void> {
  try {
    await making;
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'ResourceAlreadyExistsException') throw error;
  }
}
