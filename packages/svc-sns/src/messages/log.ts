import type { SnsDelivery } from '@emu/control-client';
import { RecordBuffer } from '@emu/core/service';
import type { StoredMessage } from '../records.ts';
import type { PublishInput } from './message.ts';

/** A message and its deliveries, for observers. */
export interface LoggedMessage {
  message: StoredMessage;
  /** Message as published, with the JSON of `MessageStructure=json`. */
  input: PublishInput;
  targetArn?: string;
  phoneNumber?: string;
  deliveries: SnsDelivery[];
}

const MAX_MESSAGES = 10_000;
/** Estimates the bytes of an entry: its texts and a constant. */
const MAX_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 500;
const DELIVERY_BYTES = 200;

/** The latest messages of an account and region. Old messages are evicted by number and by memory. */
export class MessageLog {
  private readonly entries = new RecordBuffer<{ entry: LoggedMessage; size: number }>(MAX_MESSAGES, {
    limit: MAX_BYTES,
    of: ({ size }) => size,
  });

  /** @param deliveries expected number of deliveries */
  add(entry: LoggedMessage, deliveries: number): LoggedMessage {
    this.entries.add({ entry, size: textSize(entry.input) + ENTRY_BYTES + deliveries * DELIVERY_BYTES });
    return entry;
  }

  /** Returns all entries, oldest first. */
  list(): LoggedMessage[] {
    return this.entries.list().map(({ entry }) => entry);
  }
}

function textSize({ Message, MessageAttributes }: PublishInput): number {
  let size = Message.length;
  for (const { StringValue, BinaryValue } of Object.values(MessageAttributes ?? {}))
    size += (StringValue?.length ?? 0) + (BinaryValue?.length ?? 0);
  return size;
}
