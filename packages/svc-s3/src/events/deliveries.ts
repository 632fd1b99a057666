import type { S3Notification } from '@emu/control-client';
import {
  type CallOptions,
  type Collection,
  type InterruptedWork,
  interruptedRecords,
  parseArn,
  type RecordBuffer,
  type StateScope,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { NotificationRecord } from '../records.ts';
import { asS3 } from './source.ts';

/** Destination of a notification. */
export type Destination = Pick<NotificationRecord, 'arn' | 'kind'>;

/** A message to deliver. */
type Message = Destination & Pick<NotificationRecord, 'source' | 'text' | 'cause' | 'traceHeader'>;

/**
 * Sends a message to a queue, topic, function or event bus.
 * @param call makes the call
 */
export function deliver(call: StateScope['call'], message: Message): Promise<unknown> {
  const { source, kind, text, cause, traceHeader } = message;
  const arn = kind === 'bus' ? { ...source, resource: '' } : parseArn(message.arn)!;
  const options: CallOptions = {
    ...asS3(source, arn.accountId, arn.region),
    cause,
    ...(traceHeader !== undefined && { traceHeader }),
  };
  switch (kind) {
    case 'queue': {
      const QueueUrl = `http://sqs.${arn.region}/${arn.accountId}/${arn.resource}`;
      return call('sqs', 'SendMessage', { QueueUrl, MessageBody: text }, options);
    }
    case 'topic': {
      const input = { TopicArn: message.arn, Subject: 'Amazon S3 Notification', Message: text };
      return call('sns', 'Publish', input, options);
    }
    case 'function': {
      const Payload = Buffer.from(text);
      return call('lambda', 'Invoke', { FunctionName: message.arn, InvocationType: 'Event', Payload }, options);
    }
    case 'bus': {
      const entry = JSON.parse(text) as { Time: string };
      return call('events', 'PutEvents', { Entries: [{ ...entry, Time: new Date(entry.Time) }] }, options);
    }
  }
}

/** Pending notifications. They are persisted, so that a restart loses none. */
export class NotificationDeliveries implements Worker {
  private closed = false;

  /** @param shown their outcomes, for the control route */
  constructor(
    private readonly scope: StateScope,
    private readonly records: Collection<NotificationRecord>,
    private readonly shown: RecordBuffer<S3Notification>,
  ) {}

  /** Continues deliveries in order after a restart; those in flight are sent again. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ id }) => `notification ${id}`,
      resume: (record) => this.attempt(record as NotificationRecord),
      fail: ({ id, shown }, error) => {
        this.shown.add({ ...shown, status: 'failed', error });
        this.records.delete(id);
      },
    });
  }

  close(): void {
    this.closed = true;
  }

  /** Starts a delivery without waiting for its outcome. */
  begin(record: NotificationRecord): void {
    this.records.put(record.id, record);
    void this.attempt(record);
  }

  private async attempt(record: NotificationRecord): Promise<void> {
    const { shown } = record;
    try {
      await deliver(this.scope.call, record);
      this.shown.add({ ...shown, status: 'delivered' });
    } catch (error) {
      // The next state resumes deliveries that this one ends.
      if (this.closed) return;
      if (!(error instanceof AwsError))
        this.scope.log.error('a bucket notification failed', { bucket: shown.bucket, destination: record.arn, error });
      const text = error instanceof Error ? error.message : String(error);
      this.shown.add({ ...shown, status: 'failed', error: text });
    }
    if (!this.closed) this.records.delete(record.id);
  }
}
