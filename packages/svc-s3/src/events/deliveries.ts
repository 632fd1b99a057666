import type { S3Notification } from '@emu/control-client';
import {
  type CallOptions,
  type Collection,
  parseArn,
  type RecordBuffer,
  type StateScope,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { NotificationRecord } from '../records.ts';
import { asS3 } from './source.ts';

/** Where a notification goes. */
export type Destination = Pick<NotificationRecord, 'arn' | 'kind'>;

/** A message on its way. */
type Message = Destination & Pick<NotificationRecord, 'source' | 'text' | 'cause' | 'traceHeader'>;

/** Hands a message to a queue, topic, function or event bus. @param call makes the call */
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

/** Notifications on their way to their destinations. They are records, so that a restart loses none. */
export class NotificationDeliveries implements Worker {
  private closed = false;

  /** @param shown what became of them, for the control route */
  constructor(
    private readonly scope: StateScope,
    private readonly records: Collection<NotificationRecord>,
    private readonly shown: RecordBuffer<S3Notification>,
  ) {}

  /** Goes on with what a restart interrupted, in its order; what was under way is sent again. */
  resume(): void {
    const interrupted = [...this.records.values()] as NotificationRecord[];
    if (interrupted.length === 0) return;
    // Not before every state of every service is there.
    this.scope.clock.after(0, () => {
      for (const record of interrupted) void this.attempt(record);
    });
  }

  close(): void {
    this.closed = true;
  }

  /** Begins a delivery; its outcome is not waited for. */
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
      // What ends with the state is done by the next one.
      if (this.closed) return;
      if (!(error instanceof AwsError))
        this.scope.log.error('a bucket notification failed', { bucket: shown.bucket, destination: record.arn, error });
      const text = error instanceof Error ? error.message : String(error);
      this.shown.add({ ...shown, status: 'failed', error: text });
    }
    if (!this.closed) this.records.delete(record.id);
  }
}
