import { createHash } from 'node:crypto';

const MAGIC = Buffer.from([0xf3, 0x89, 0x9a, 0xc2]);
const DIGEST_LENGTH = 16;
/** Wire types of Protocol Buffers. */
const [VARINT, BYTES] = [0, 2];
/** Fields of AggregatedRecord, and of its records. */
const [PARTITION_KEYS, RECORDS] = [1, 3];
const [KEY_INDEX, DATA] = [1, 3];

/** A record within a Kinesis record. */
export interface UserRecord {
  readonly partitionKey: string;
  readonly data: Buffer;
}

/**
 * Splits a record aggregated by the Kinesis Producer Library.
 * @returns undefined for other records
 * @see https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
 */
export function userRecords(data: Buffer): UserRecord[] | undefined {
  if (data.length < MAGIC.length + DIGEST_LENGTH || !data.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const message = data.subarray(MAGIC.length, -DIGEST_LENGTH);
  if (!createHash('md5').update(message).digest().equals(data.subarray(-DIGEST_LENGTH))) return undefined;
  const keys: string[] = [];
  const records: { key: number; data: Buffer }[] = [];
  for (const { field, bytes } of fieldsOf(message)) {
    if (field === PARTITION_KEYS) keys.push(bytes!.toString('utf8'));
    if (field !== RECORDS) continue;
    const record: { key: number; data: Buffer } = { key: 0, data: Buffer.alloc(0) };
    for (const inner of fieldsOf(bytes!)) {
      if (inner.field === KEY_INDEX) record.key = inner.value;
      if (inner.field === DATA) record.data = inner.bytes!;
    }
    records.push(record);
  }
  return records.map(({ key, data: own }) => ({ partitionKey: keys[key] ?? '', data: own }));
}

interface Field {
  readonly field: number;
  /** For numbers. */
  readonly value: number;
  /** For bytes, texts and messages. */
  readonly bytes: Buffer | undefined;
}

/** Reads the fields of a Protocol Buffers message; the Kinesis Producer Library uses numbers and bytes. */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    const value = varint();
    if (type === VARINT) yield { field, value, bytes: undefined };
    else if (type === BYTES) {
      yield { field, value, bytes: message.subarray(at, at + value) };
      at += value;
    } else return;
  }
}
