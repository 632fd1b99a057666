import type { Collection } from '@emu/core/service';
import type { SequenceRecord } from '../records.ts';

/** Sequence numbers reserved at once, with one journal record. */
const BLOCK = 10_000;
const KEY = 'messages';

/**
 * Assigns sequence numbers to a region's messages: increasing, also across restarts. A message's number is its key, and
 * its position in the queue it was sent to.
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

/** Formats the `SequenceNumber` of a FIFO message: 20 digits, like AWS's. */
export function formatSequenceNumber(sequence: string): string {
  return `188${sequence.padStart(17, '0')}`;
}
