import type { Collection } from '@emu/core/service';
import type { SequenceRecord } from '../records.ts';

/** Numbers reserved at once: one journal record per so many messages. */
const BLOCK = 10_000;
const KEY = 'messages';

/**
 * Hands out the sequence numbers of a region's messages: always increasing, also across restarts. A message's number
 * is its key, and its place in the queue it was sent to.
 */
export class SequenceNumbers {
  private next: number;
  private reserved: number;

  constructor(private readonly records: Collection<SequenceRecord>) {
    this.reserved = records.get(KEY)?.reserved ?? 1;
    this.next = this.reserved;
  }

  take(): number {
    if (this.next === this.reserved) {
      this.reserved += BLOCK;
      this.records.put(KEY, { reserved: this.reserved });
    }
    return this.next++;
  }
}

/** A number as the `SequenceNumber` of a FIFO message: 20 digits, like AWS's. */
export function formatSequenceNumber(sequence: string): string {
  return `188${sequence.padStart(17, '0')}`;
}
