import type { SnsDelivery } from '@emu/control-client';
import { RecordBuffer } from '@emu/core';
import type { StoredMessage } from '../records.ts';
import type { PublishInput } from './message.ts';

/** A message and what became of it, for those who look. */
export interface LoggedMessage {
  message: StoredMessage;
  /** As it was published, before `MessageStructure=json` was taken apart. */
  input: PublishInput;
  targetArn?: string;
  phoneNumber?: string;
  deliveries: SnsDelivery[];
}

const MAX_MESSAGES = 10_000;
/** Bytes of texts, with a guess for the rest. */
const MAX_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 500;
const DELIVERY_BYTES = 200;

/** The latest messages of an account and region: old ones go when there are many, or when they take much memory. */
export class MessageLog {
  private readonly entries = new RecordBuffer<{ entry: LoggedMessage; size: number }>(MAX_MESSAGES, {
    limit: MAX_BYTES,
    of: ({ size }) => size,
  });

  /** @param deliveries how many the message is going to have */
  add(entry: LoggedMessage, deliveries: number): LoggedMessage {
    this.entries.add({ entry, size: textSize(entry.input) + ENTRY_BYTES + deliveries * DELIVERY_BYTES });
    return entry;
  }

  /** Every entry, oldest first. */
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
