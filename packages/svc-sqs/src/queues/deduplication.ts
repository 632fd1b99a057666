import { hash } from 'node:crypto';
import type { Collection, DeepReadonly } from '@emu/core/service';
import type { DeduplicationRecord, DeduplicationScope } from '../records.ts';

/** Lifetime of an id in milliseconds: five minutes, even if its message is deleted. */
const DEDUPLICATION_INTERVAL = 5 * 60 * 1000;

/** Returns the content-based deduplication id of a body. */
export function contentDeduplicationId(body: string): string {
  return hash('sha256', body, 'hex');
}

/** Deduplication ids of one FIFO queue used in the last five minutes. */
export class DeduplicationWindow {
  private readonly seen = new Map<string, DeepReadonly<DeduplicationRecord>>();
  /** Keys by age; those before `start` are expired. */
  private readonly keys: string[] = [];
  private start = 0;

  constructor(
    private readonly queue: string,
    private readonly scope: DeduplicationScope,
    private readonly records: Collection<DeduplicationRecord>,
  ) {}

  /** Expiry of the oldest id in epoch milliseconds. */
  get nextExpiry(): number {
    const key = this.keys[this.start];
    return (key === undefined ? undefined : this.seen.get(key)?.expiresAt) ?? Number.POSITIVE_INFINITY;
  }

  /** Restores persisted ids, oldest first. */
  restore(key: string, record: DeepReadonly<DeduplicationRecord>): void {
    this.seen.set(key, record);
    this.keys.push(key);
  }

  /** Returns the message that used the id within the last five minutes. */
  find(id: string, groupId: string, now: number): DeepReadonly<DeduplicationRecord> | undefined {
    this.expire(now);
    const record = this.seen.get(this.keyOf(id, groupId));
    return record && record.expiresAt > now ? record : undefined;
  }

  /** Stores the id of a sent message. */
  add(id: string, groupId: string, message: { messageId: string; sequence: string }, now: number): void {
    const key = this.keyOf(id, groupId);
    const record = { queue: this.queue, ...message, expiresAt: now + DEDUPLICATION_INTERVAL };
    this.seen.set(key, this.records.put(key, record));
    this.keys.push(key);
  }

  /** Evicts expired ids. */
  expire(now: number): void {
    const { keys } = this;
    while (this.nextExpiry <= now) this.discard(keys[this.start++]!);
    if (this.start > 1024 && this.start * 2 > keys.length) {
      keys.splice(0, this.start);
      this.start = 0;
    }
  }

  /** Removes all ids. */
  clear(): void {
    for (const key of this.seen.keys()) this.records.delete(key);
    this.seen.clear();
    this.keys.length = 0;
    this.start = 0;
  }

  private discard(key: string): void {
    this.seen.delete(key);
    this.records.delete(key);
  }

  /** Returns the key of an id. Ids contain no spaces. */
  private keyOf(id: string, groupId: string): string {
    return this.scope === 'queue' ? `${this.queue} ${id}` : `${this.queue} ${groupId} ${id}`;
  }
}
