import type { Clock } from '@emu/core/service';
import type { Message, ReceiveMessageRequest } from '@emu/service-types/sqs';
import { batchesOf, MAX_BATCH } from './batches.ts';
import { type CallSource, queueUrl, retryDelay, type SourceReader } from './call.ts';
import { messageRecord } from './queue-records.ts';
import type { PolledRecord } from './record.ts';
import { Wait } from './wait.ts';

/** Messages per ReceiveMessage or DeleteMessageBatch, and wait time of a receive in seconds. */
const MAX_MESSAGES = 10;
const LONG_POLL = 20;
/** Delay before the first retry of a failed receive in milliseconds. */
const FIRST_RETRY = 1000;

/** Dependencies of a queue reader. */
export interface QueueReaderOptions {
  readonly clock: Clock;
  readonly arn: string;
  readonly call: CallSource;
  readonly batchSize: number;
  /** Seconds to wait for a full batch after the first message. */
  readonly window: number;
  /** Number of batches processed concurrently. */
  readonly concurrency: number;
  /** Whether a record passes the filters. Other records are deleted immediately. */
  matches(record: PolledRecord): boolean;
  /**
   * Processes a batch.
   * @param signal aborted when the reader ends
   * @returns the successful records; others reappear after their visibility timeout
   */
  work(batch: readonly PolledRecord[], signal: AbortSignal): Promise<readonly PolledRecord[]>;
  /** Called for each error. @param read whether reading the queue failed, rather than processing a batch */
  warn(error: unknown, read: boolean): void;
}

/**
 * Delivers the messages of a queue in batches. Long polling makes a sent message wake it. The redrive policy of the
 * queue limits the retries of a failed message.
 */
export class QueueReader implements SourceReader {
  /** A queue keeps its messages until they are read. */
  readonly started = Promise.resolve();
  private readonly wait: Wait;
  private readonly url: string;
  private readonly under = new Set<Promise<void>>();
  private readonly polling: Promise<void>;
  private freed: (() => void) | undefined;

  constructor(private readonly options: QueueReaderOptions) {
    this.wait = new Wait(options.clock);
    this.url = queueUrl(options.arn);
    this.polling = this.poll();
  }

  close(): void {
    this.wait.close();
    this.freed?.();
  }

  async idle(): Promise<void> {
    await this.polling;
    await Promise.all(this.under);
  }

  private async poll(): Promise<void> {
    for (let failures = 0; !this.wait.closed; ) {
      try {
        const batch = await this.gather();
        failures = 0;
        if (batch.length === 0) continue;
        const done = this.handle(batch).finally(() => {
          this.under.delete(done);
          this.freed?.();
        });
        this.under.add(done);
        while (this.under.size >= this.options.concurrency && !this.wait.closed)
          await new Promise<void>((resolve) => {
            this.freed = resolve;
          });
      } catch (error) {
        if (this.wait.closed) return;
        if (failures === 0) this.options.warn(error, true);
        await this.wait.pause(retryDelay(FIRST_RETRY, failures++));
      }
    }
  }

  /** Waits for messages, and then until the batch is full or the batching window has ended. */
  private async gather(): Promise<Message[]> {
    const { batchSize, clock, window } = this.options;
    const batch = await this.receive(batchSize, this.wait.signal);
    if (batch.length === 0 || batch.length >= batchSize || window === 0) return batch;
    const over = new AbortController();
    const end = (): void => over.abort();
    const timer = clock.after(window * 1000, end);
    this.wait.signal.addEventListener('abort', end, { once: true });
    let size = batch.reduce((sum, { Body }) => sum + Body!.length, 0);
    while (batch.length < batchSize && size < MAX_BATCH && !over.signal.aborted) {
      const more = await this.receive(batchSize - batch.length, over.signal);
      batch.push(...more);
      size += more.reduce((sum, { Body }) => sum + Body!.length, 0);
    }
    timer.cancel();
    this.wait.signal.removeEventListener('abort', end);
    return batch;
  }

  private async receive(wanted: number, signal: AbortSignal): Promise<Message[]> {
    const input: ReceiveMessageRequest = {
      QueueUrl: this.url,
      MaxNumberOfMessages: Math.min(MAX_MESSAGES, wanted),
      WaitTimeSeconds: LONG_POLL,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    };
    const { Messages = [] } = await this.options.call('sqs', 'ReceiveMessage', input, signal);
    // An emulator that is closing ends long polling immediately, so other work gets a turn.
    if (Messages.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return Messages;
  }

  private async handle(messages: readonly Message[]): Promise<void> {
    const { arn, batchSize } = this.options;
    try {
      const wanted: PolledRecord[] = [];
      const unwanted: PolledRecord[] = [];
      for (const message of messages) {
        const record = messageRecord(message, arn);
        (this.options.matches(record) ? wanted : unwanted).push(record);
      }
      await this.remove(unwanted);
      for (const batch of batchesOf(wanted, batchSize))
        await this.remove(await this.options.work(batch, this.wait.signal));
    } catch (error) {
      if (!this.wait.closed) this.options.warn(error, false);
    }
  }

  private async remove(records: readonly PolledRecord[]): Promise<void> {
    for (let start = 0; start < records.length; start += MAX_MESSAGES) {
      const Entries = records.slice(start, start + MAX_MESSAGES).map(({ value }, index) => ({
        Id: String(index),
        ReceiptHandle: value.receiptHandle as string,
      }));
      await this.options.call('sqs', 'DeleteMessageBatch', { QueueUrl: this.url, Entries });
    }
  }
}
