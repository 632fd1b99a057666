import type { OperationInput, OperationName, OperationOutput } from '@emu/core';
import { type CallOptions, causeOf, parseArn } from '@emu/core';
import type { Message, ReceiveMessageRequest } from '@emu/service-types/sqs';
import { AwsError } from '@emu/wire';
import { resolveFunction } from '../names.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import type { EventSourceMapping } from '../records.ts';
import { executionPrincipal } from '../role.ts';
import { queueUrl } from '../runtime/destinations.ts';
import { Executor } from '../runtime/executor.ts';
import type { LambdaState } from '../state.ts';
import { recordFilter } from './filters.ts';
import type { Poller } from './poller.ts';
import { failedItems, filterable, type SqsRecord, sqsRecord } from './sqs-records.ts';
import { Wait } from './wait.ts';

/** Messages of one ReceiveMessage or DeleteMessageBatch, and seconds that a receive waits. */
const MAX_MESSAGES = 10;
const LONG_POLL = 20;
/** Batches that a mapping works on at the same time unless it says otherwise: AWS starts with as many pollers. */
const DEFAULT_CONCURRENCY = 5;
/** Bytes of one event. */
const MAX_EVENT = 6_291_456;
/** Milliseconds before a queue that could not be read is tried again: the first time and at most. */
const RETRY = { first: 1000, most: 60_000 };

/**
 * Brings the messages of a queue to a function in batches. It waits at the queue as any other receiver does, so that a
 * message that is sent wakes it. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
export class SqsPoller implements Poller {
  /** A queue keeps what comes before it is read. */
  readonly started = Promise.resolve();
  private readonly wait: Wait;
  private readonly queue: string;
  private readonly url: string;
  private readonly options: CallOptions;
  private readonly matches: (record: object) => boolean;
  private readonly limit: number;
  private working = 0;
  private freed: (() => void) | undefined;

  constructor(
    private readonly state: LambdaState,
    readonly mapping: EventSourceMapping,
  ) {
    this.wait = new Wait(state.clock);
    this.queue = mapping.settings.EventSourceArn!;
    this.url = queueUrl(this.queue);
    const { accountId, region } = parseArn(this.queue)!;
    this.options = { accountId, region };
    this.matches = recordFilter(mapping);
    const cap = state.service.settings.of(LAMBDA_OPTIONS).EMULATOR_LAMBDA_MAX_CONCURRENCY;
    this.limit = Math.min(cap, mapping.settings.ScalingConfig?.MaximumConcurrency ?? DEFAULT_CONCURRENCY);
    void this.poll();
  }

  /** Receives nothing any more; what was received runs to its end. */
  close(): void {
    this.wait.close();
    this.freed?.();
  }

  private async poll(): Promise<void> {
    for (let failures = 0; !this.wait.closed; ) {
      try {
        const batch = await this.gather();
        failures = 0;
        if (batch.length === 0) continue;
        this.working++;
        void this.work(batch);
        while (this.working >= this.limit && !this.wait.closed)
          await new Promise<void>((resolve) => {
            this.freed = resolve;
          });
      } catch (error) {
        if (failures === 0)
          this.state.log.warn(`the queue of an event source mapping cannot be read: ${this.queue}`, { error });
        await this.wait.pause(Math.min(RETRY.most, RETRY.first * 2 ** failures++));
      }
    }
  }

  /** Waits for messages, and then until there are enough or the batching window is over. */
  private async gather(): Promise<Message[]> {
    const { BatchSize = MAX_MESSAGES, MaximumBatchingWindowInSeconds: window = 0 } = this.mapping.settings;
    const batch = await this.receive(BatchSize, this.wait.signal);
    if (batch.length === 0 || batch.length >= BatchSize || window === 0) return batch;
    const over = new AbortController();
    const end = (): void => over.abort();
    const timer = this.state.clock.after(window * 1000, end);
    this.wait.signal.addEventListener('abort', end, { once: true });
    let size = batch.reduce((sum, { Body }) => sum + Body!.length, 0);
    while (batch.length < BatchSize && size < MAX_EVENT && !over.signal.aborted) {
      const more = await this.receive(BatchSize - batch.length, over.signal);
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
    const output = await this.call('ReceiveMessage', input, signal);
    return output.Messages ?? [];
  }

  private async work(messages: Message[]): Promise<void> {
    try {
      const { region } = parseArn(this.queue)!;
      const records = messages.map((message) => sqsRecord(message, this.queue, region));
      const wanted: SqsRecord[] = [];
      const unwanted: SqsRecord[] = [];
      for (const record of records) (this.matches(filterable(record)) ? wanted : unwanted).push(record);
      await this.remove(unwanted);
      const causes = new Map(messages.map((message) => [message.MessageId, causeOf(message)]));
      for (const batch of splitBySize(wanted)) {
        // One invocation has one cause: of a batch, the first message's.
        const cause = causes.get(batch[0]!.messageId);
        await this.remove(await this.invoke(batch, cause));
      }
    } catch (error) {
      if (!this.wait.closed)
        this.state.log.warn(`messages of ${this.queue} could not be handed to ${this.mapping.functionName}`, { error });
    } finally {
      this.working--;
      this.freed?.();
    }
  }

  /**
   * Runs the function.
   * @returns the records that it dealt with; the others come back when their visibility timeout is over
   */
  private async invoke(records: SqsRecord[], cause: string | undefined): Promise<SqsRecord[]> {
    const { state, mapping } = this;
    const resolved = resolveFunction(state, mapping.functionName, mapping.qualifier);
    try {
      const { errorType, payload } = await Executor.of(state).execute(resolved, {
        requestId: state.ids.uuid(),
        cause,
        payload: Buffer.from(JSON.stringify({ Records: records })),
        traceHeader: records.find(({ attributes }) => attributes.AWSTraceHeader)?.attributes.AWSTraceHeader,
        invocationType: 'RequestResponse',
        source: this.queue,
        tail: false,
        signal: () => this.wait.signal,
      });
      if (errorType !== undefined) return [];
      if (!mapping.settings.FunctionResponseTypes?.includes('ReportBatchItemFailures')) return records;
      const failed = failedItems(payload, new Set(records.map(({ messageId }) => messageId)));
      return failed ? records.filter(({ messageId }) => !failed.has(messageId)) : [];
    } catch (error) {
      // No room, or a loop: the queue keeps the messages, and its redrive policy decides how often.
      if (error instanceof AwsError && /^TooManyRequests|^RecursiveInvocation/.test(error.code)) return [];
      throw error;
    }
  }

  private async remove(records: readonly SqsRecord[]): Promise<void> {
    for (let start = 0; start < records.length; start += MAX_MESSAGES) {
      const Entries = records.slice(start, start + MAX_MESSAGES).map(({ receiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
      }));
      await this.call('DeleteMessageBatch', { QueueUrl: this.url, Entries }, undefined);
    }
  }

  private call<Operation extends OperationName<'sqs'>>(
    operation: Operation,
    input: OperationInput<'sqs', Operation>,
    signal: AbortSignal | undefined,
  ): Promise<OperationOutput<'sqs', Operation>> {
    const { functionName, qualifier } = this.mapping;
    const { version } = resolveFunction(this.state, functionName, qualifier);
    const principal = executionPrincipal(version.config.role, functionName, this.state);
    return this.state.call('sqs', operation, input, {
      ...this.options,
      principal,
      authorize: {},
      cause: this.mapping.uuid,
      ...(signal && { signal }),
    });
  }
}

/** Cuts a batch so that each event is no larger than an event may be. */
function splitBySize(records: readonly SqsRecord[]): SqsRecord[][] {
  const batches: SqsRecord[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const cost = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (size + cost > MAX_EVENT - 64) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)!.push(record);
    size += cost;
  }
  return batches;
}
