import type { PolledRecord } from './record.ts';

/** Limit of a batch in bytes. */
export const MAX_BATCH = 6_291_456;
/** Bytes of a batch besides its records. */
const ENVELOPE = 1024;

/** Returns the bytes of records together. */
export const sizeOf = (records: readonly PolledRecord[]): number => records.reduce((sum, { size }) => sum + size, 0);

/** Groups records by key, so that one lane processes all records of a key. */
export function lanesOf(records: readonly PolledRecord[], count: number): PolledRecord[][] {
  const lanes = Array.from({ length: count }, (): PolledRecord[] => []);
  for (const record of records) {
    let hash = 0;
    for (const character of record.key ?? '') hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
    lanes[hash % count]!.push(record);
  }
  return lanes;
}

/** Splits records into batches limited by number and bytes. */
export function batchesOf(records: readonly PolledRecord[], most: number): PolledRecord[][] {
  const batches: PolledRecord[][] = [];
  let size = 0;
  for (const record of records) {
    const last = batches.at(-1);
    // The comma between two records.
    const cost = record.size + 1;
    if (!last || last.length >= most || size + cost > MAX_BATCH - ENVELOPE) {
      batches.push([record]);
      size = cost;
    } else {
      last.push(record);
      size += cost;
    }
  }
  return batches;
}
