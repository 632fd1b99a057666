import type { Collection, DeepReadonly } from '@emu/core/service';
import type { ArchiveRecord, StoredMessage } from '../records.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Messages of FIFO topics with an ArchivePolicy, in order of publication. */
export class Archive {
  constructor(private readonly records: Collection<ArchiveRecord>) {}

  /** @param message with a sequence number */
  add(topic: string, message: StoredMessage): void {
    this.records.put(`${topic}/${message.sequence}`, { topic, message });
  }

  /** Returns the messages of a topic within a period. Times are epoch milliseconds; without an end, up to now. */
  *between(topic: string, start: number, end: number | undefined): Iterable<DeepReadonly<StoredMessage>> {
    for (const { topic: name, message } of this.records.values())
      if (name === topic && message.publishedAt >= start && (end === undefined || message.publishedAt <= end))
        yield message;
  }

  dropExpired(topic: string, days: number, now: number): void {
    for (const [key, record] of this.records.entries())
      if (record.topic === topic && record.message.publishedAt + days * DAY <= now) this.records.delete(key);
  }

  discard(topic: string): void {
    for (const [key, record] of this.records.entries()) if (record.topic === topic) this.records.delete(key);
  }
}
