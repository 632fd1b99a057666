import type { SourceRecord } from './source.ts';

/** Bytes of one batch. */
export const MAX_BATCH = 6_291_456;

/** Bytes of records together. */
export const sizeOf = (records: readonly SourceRecord[]): number => records.reduce((sum, { size }) => sum + size, 0);

/** Records by their keys, so that one key stays in one lane. */
export function lanesOf(records: readonly SourceRecord[], count: number): SourceRecord[][] {
  const lanes = Array.from({ length: count }, (): SourceRecord[] => []);
  for (const record of records) {
    let hash = 0;
    for (const character of record.key ?? '') hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
    lanes[hash % count]!.push(record);
  }
  return lanes;
}

/** Cuts records into batches of so many records and so many bytes. */
export function batchesOf(records: readonly SourceRecord[], most: number): SourceRecord[][] {
  const batches: SourceRecord[][] = [];
  let size = 0;
  for (const record of records) {
    const last = batches.at(-1);
    if (!last || last.length >= most || size + record.size > MAX_BATCH - 1024) {
      batches.push([record]);
      size = record.size;
    } else {
      last.push(record);
      size += record.size;
    }
  }
  return batches;
}
