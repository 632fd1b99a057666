import type { Message, ReceiveMessageRequest } from '@emu/service-types/sqs';
import { batchSizeOf } from '../definition/batch-size.ts';
import { batchParameters } from '../definition/sources.ts';
import { queueUrl } from '../execution/addresses.ts';
import { execute } from '../execution/execute.ts';
import type { PipeWork } from '../execution/work.ts';
import { batchesOf, MAX_BATCH } from './batches.ts';
import { recordFilter } from './filters.ts';
import { queueRecord } from './records.ts';
import type { CallSource, SourceReader, SourceRecord } from './source.ts';
import { Wait } from './wait.ts';

/** Messages of one ReceiveMessage or DeleteMessageBatch, and seconds that a receive waits. */
const MAX_MESSAGES = 10;
const LONG_POLL = 20;
/** Batches that a pipe works on at the same time: AWS starts with as many pollers. */
const CONCURRENCY = 5;
/** Milliseconds before a queue that could not be read is tried again: the first time and at most. */
const RETRY = { first: 1000, most: 60_000 };

/**
 * Brings the messages of a queue through a pipe in batches. It waits at the queue as any other receiver does, so that a
 * message that is sent wakes it; what fails comes back when its visibility timeout is over, as often as the queue's own
 * redrive policy lets it. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-sqs.html
 */
export class QueueReader implements SourceReader {
  /** A queue keeps what comes before it is read. */
  readonly started = Promise.resolve();
  private readonly wait: Wait;
  private readonly url: string;
  private readonly matches: (record: SourceRecord) => boolean;
  private readonly batchSize: number;
  private readonly window: number;
  private readonly under = new Set<Promise<void>>();
  private readonly polling: Promise<void>;
  private freed: (() => void) | undefined;

  constructor(
    private readonly work: PipeWork,
    private readonly call: CallSource,
  ) {
    const { pipe, state } = work;
    this.wait = new Wait(state.clock);
    this.url = queueUrl(pipe.source);
    const { parameters } = pipe.sourceParameters;
    this.matches = recordFilter(parameters);
    this.batchSize = batchSizeOf(pipe);
    this.window = batchParameters('sqs', parameters).MaximumBatchingWindowInSeconds ?? 0;
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
        while (this.under.size >= CONCURRENCY && !this.wait.closed)
          await new Promise<void>((resolve) => {
            this.freed = resolve;
          });
      } catch (error) {
        if (this.wait.closed) return;
        const { state, pipe } = this.work;
        if (failures === 0) state.log.warn(`the queue of the pipe ${pipe.name} cannot be read`, { error });
        await this.wait.pause(Math.min(RETRY.most, RETRY.first * 2 ** failures++));
      }
    }
  }

  /** Waits for messages, and then until there are enough or the batching window is over. */
  private async gather(): Promise<Message[]> {
    const batch = await this.receive(this.batchSize, this.wait.signal);
    if (batch.length === 0 || batch.length >= this.batchSize || this.window === 0) return batch;
    const over = new AbortController();
    const end = (): void => over.abort();
    const timer = this.work.state.clock.after(this.window * 1000, end);
    this.wait.signal.addEventListener('abort', end, { once: true });
    let size = batch.reduce((sum, { Body }) => sum + Body!.length, 0);
    while (batch.length < this.batchSize && size < MAX_BATCH && !over.signal.aborted) {
      const more = await this.receive(this.batchSize - batch.length, over.signal);
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
    return (await this.call('sqs', 'ReceiveMessage', input, signal)).Messages ?? [];
  }

  /** Brings messages through the pipe; those that the filter rejects are deleted at once. */
  private async handle(messages: readonly Message[]): Promise<void> {
    const { state, pipe } = this.work;
    try {
      const records = messages.map((message) => queueRecord(message, pipe.source));
      const wanted: SourceRecord[] = [];
      const unwanted: SourceRecord[] = [];
      for (const record of records) (this.matches(record) ? wanted : unwanted).push(record);
      await this.remove(unwanted);
      for (const batch of batchesOf(wanted, this.batchSize)) {
        const { failed } = await execute(this.work, batch);
        await this.remove(withoutLater(batch, failed));
      }
    } catch (error) {
      if (!this.wait.closed) state.log.warn(`messages could not go through the pipe ${pipe.name}`, { error });
    }
  }

  private async remove(records: readonly SourceRecord[]): Promise<void> {
    for (let start = 0; start < records.length; start += MAX_MESSAGES) {
      const Entries = records.slice(start, start + MAX_MESSAGES).map(({ value }, index) => ({
        Id: String(index),
        ReceiptHandle: value.receiptHandle as string,
      }));
      await this.call('sqs', 'DeleteMessageBatch', { QueueUrl: this.url, Entries });
    }
  }
}

/** The records that are dealt with: of a message group, none that comes after one that failed. */
function withoutLater(batch: readonly SourceRecord[], failed: ReadonlySet<number>): SourceRecord[] {
  const stuck = new Set<string>();
  return batch.filter(({ key }, index) => {
    const over = !failed.has(index) && (key === undefined || !stuck.has(key));
    if (!over && key !== undefined) stuck.add(key);
    return over;
  });
}
