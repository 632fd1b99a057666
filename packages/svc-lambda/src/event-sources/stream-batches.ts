import type { StreamRecord } from './stream-records.ts';

/** Bytes of one event. */
export const MAX_EVENT = 6_291_456;

/** Bytes of records together. */
export const sizeOf = (records: readonly StreamRecord[]): number => records.reduce((sum, { size }) => sum + size, 0);

/** Records by their partition keys, so that one key stays in one lane. */
export function lanesOf(records: readonly StreamRecord[], count: number): StreamRecord[][] {
  const lanes = Array.from({ length: count }, (): StreamRecord[] => []);
  for (const record of records) {
    let hash = 0;
    for (let index = 0; index < record.partitionKey.length; index++)
      hash = (Math.imul(hash, 31) + record.partitionKey.charCodeAt(index)) >>> 0;
    lanes[hash % count]!.push(record);
  }
  return lanes;
}

/** Cuts records into batches of so many records and so many bytes. */
export function batchesOf(records: readonly StreamRecord[], most: number): StreamRecord[][] {
  const batches: StreamRecord[][] = [];
  let size = 0;
  for (const record of records) {
    const last = batches.at(-1);
    if (!last || last.length >= most || size + record.size > MAX_EVENT - 1024) {
      batches.push([record]);
      size = record.size;
    } else {
      last.push(record);
      size += record.size;
    }
  }
  return batches;
}
