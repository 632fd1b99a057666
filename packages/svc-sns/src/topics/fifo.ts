import { createHash } from 'node:crypto';
import type { Collection } from '@emu/core';
import type { DeduplicationRecord, SequenceRecord } from '../records.ts';
import type { Topic } from './topic.ts';

/** How long equal deduplication ids mean the same message, in milliseconds. */
const INTERVAL = 5 * 60 * 1000;
const FIRST = 10_000_000_000_000_000_000n;
/** Distance of sequence numbers. */
const STEP = 1000n;
const SEPARATOR = '\u0000';

/** What tells one message of a FIFO topic from another. */
export interface FifoIdentity {
  groupId: string;
  deduplicationId: string;
}

/** The deduplication id of a message that comes without one: SHA-256 of its text. */
export const contentDeduplicationId = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Knows which messages FIFO topics have had in the last minutes, and numbers the new ones. */
export class Deduplication {
  /** @param records ordered by their expiry, as all live equally long */
  constructor(
    private readonly records: Collection<DeduplicationRecord>,
    private readonly sequences: Collection<SequenceRecord>,
  ) {}

  /** The message that came before with the same id. */
  find(topic: Topic, identity: FifoIdentity, now: number): DeduplicationRecord | undefined {
    const record = this.records.get(keyOf(topic, identity));
    return record && record.expiresAt > now ? record : undefined;
  }

  /** Takes note of a message. @returns its sequence number, 20 digits */
  add(topic: Topic, identity: FifoIdentity, messageId: string, now: number): string {
    this.dropExpired(now);
    const last = this.sequences.get(topic.name)?.last;
    const sequence = String((last === undefined ? FIRST : BigInt(last)) + STEP);
    this.sequences.put(topic.name, { last: sequence });
    const key = keyOf(topic, identity);
    // An expired record keeps its place, so it has to go first.
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

  /** Forgets a topic. */
  forget(topic: string): void {
    this.sequences.delete(topic);
    for (const key of this.records.keys()) if (key.startsWith(topic + SEPARATOR)) this.records.delete(key);
  }
}

const keyOf = (topic: Topic, { groupId, deduplicationId }: FifoIdentity): string =>
  [topic.name, topic.deduplicatesByGroup ? groupId : '', deduplicationId].join(SEPARATOR);
