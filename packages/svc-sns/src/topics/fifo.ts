import { createHash } from 'node:crypto';
import type { Collection } from '@emu/core/service';
import type { DeduplicationRecord, SequenceRecord } from '../records.ts';
import type { Topic } from './topic.ts';

/** Deduplication interval in milliseconds. */
const INTERVAL = 5 * 60 * 1000;
const FIRST = 10_000_000_000_000_000_000n;
/** Distance of sequence numbers. */
const STEP = 1000n;
const SEPARATOR = '\u0000';

/** Identity of a message of a FIFO topic. */
export interface FifoIdentity {
  groupId: string;
  deduplicationId: string;
}

/** Returns the default deduplication id: SHA-256 of the message text. */
export const contentDeduplicationId = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Detects duplicate messages of FIFO topics and assigns sequence numbers. */
export class Deduplication {
  /** @param records ordered by expiry, because all have the same lifetime */
  constructor(
    private readonly records: Collection<DeduplicationRecord>,
    private readonly sequences: Collection<SequenceRecord>,
  ) {}

  /** Returns the earlier message with the same id. */
  find(topic: Topic, identity: FifoIdentity, now: number): DeduplicationRecord | undefined {
    const record = this.records.get(keyOf(topic, identity));
    return record && record.expiresAt > now ? record : undefined;
  }

  /** Records a message. @returns its sequence number, 20 digits */
  add(topic: Topic, identity: FifoIdentity, messageId: string, now: number): string {
    this.dropExpired(now);
    const last = this.sequences.get(topic.name)?.last;
    const sequence = String((last === undefined ? FIRST : BigInt(last)) + STEP);
    this.sequences.put(topic.name, { last: sequence });
    const key = keyOf(topic, identity);
    // An expired record would keep its position, so it is deleted first.
    this.records.delete(key);
    this.records.put(key, { messageId, sequence, expiresAt: now + INTERVAL });
    return sequence;
  }

  dropExpired(now: number): void {
    for (const [key, { expiresAt }] of this.records.entries()) {
      if (expiresAt > now) return;
      this.records.delete(key);
    }
  }

  /** Removes the records of a topic. */
  discard(topic: string): void {
    this.sequences.delete(topic);
    for (const key of this.records.keys()) if (key.startsWith(topic + SEPARATOR)) this.records.delete(key);
  }
}

const keyOf = (topic: Topic, { groupId, deduplicationId }: FifoIdentity): string =>
  [topic.name, topic.deduplicatesByGroup ? groupId : '', deduplicationId].join(SEPARATOR);
