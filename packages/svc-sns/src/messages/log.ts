import type { SnsDelivery } from '@emu/control-client';
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
  /** Oldest first; those before `first` are gone. A set would be searched for its first entry each time one goes. */
  private entries: ({ entry: LoggedMessage; size: number } | undefined)[] = [];
  private first = 0;
  private bytes = 0;

  /** @param deliveries how many the message is going to have */
  add(entry: LoggedMessage, deliveries: number): LoggedMessage {
    const size = textSize(entry.input) + ENTRY_BYTES + deliveries * DELIVERY_BYTES;
    this.entries.push({ entry, size });
    this.bytes += size;
    while (this.count > MAX_MESSAGES || (this.bytes > MAX_BYTES && this.count > 1)) this.dropOldest();
    return entry;
  }

  /** Every entry, oldest first. */
  list(): LoggedMessage[] {
    return this.entries.slice(this.first).map((kept) => kept!.entry);
  }

  private get count(): number {
    return this.entries.length - this.first;
  }

  private dropOldest(): void {
    this.bytes -= this.entries[this.first]!.size;
    this.entries[this.first++] = undefined;
    if (this.first < MAX_MESSAGES) return;
    this.entries = this.entries.slice(this.first);
    this.first = 0;
  }
}

function textSize({ Message, MessageAttributes }: PublishInput): number {
  let size = Message.length;
  for (const { StringValue, BinaryValue } of Object.values(MessageAttributes ?? {}))
    size += (StringValue?.length ?? 0) + (BinaryValue?.length ?? 0);
  return size;
}
