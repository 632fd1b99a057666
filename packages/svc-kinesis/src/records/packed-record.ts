/** A record of a stream. */
export interface StoredRecord {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly partitionKey: string;
  readonly data: Buffer;
}

const DIGITS = 36;

/** The last time that was written, and its text: records that come together share it. */
let latest = { at: -1, text: '' };

function timeText(at: number): string {
  if (latest.at !== at) latest = { at, text: Math.floor(at).toString(DIGITS) };
  return latest.text;
}

/**
 * A record as one text of single-byte characters, which takes about half the memory of an object with a buffer: its time,
 * the length of the partition key, the partition key in UTF-8 and the data.
 */
export function pack(at: number, partitionKey: string, data: Uint8Array): string {
  const keyLength = Buffer.byteLength(partitionKey);
  const isAscii = keyLength === partitionKey.length;
  const start = `${timeText(at)} ${keyLength.toString(DIGITS)} `;
  const head = isAscii ? start + partitionKey : start;
  // Written into one buffer: texts that are put together in JavaScript keep their parts, at twice the memory.
  const bytes = Buffer.allocUnsafe(start.length + keyLength + data.length);
  bytes.write(head, 0, 'latin1');
  if (!isAscii) bytes.write(partitionKey, head.length, 'utf8');
  bytes.set(data, start.length + keyLength);
  return bytes.toString('latin1');
}

/** When a packed record arrived, epoch milliseconds. */
export const arrivalOf = (packed: string): number => Number.parseInt(packed.slice(0, packed.indexOf(' ')), DIGITS);

/** Bytes of a packed record that count towards limits: its data and partition key. */
export function sizeOf(packed: string): number {
  const second = packed.indexOf(' ', packed.indexOf(' ') + 1);
  return packed.length - second - 1;
}

/** Writes partition key and data of a packed record, one after the other. @returns bytes of the partition key */
export function writeContent(packed: string, to: Buffer, offset: number): number {
  const first = packed.indexOf(' ');
  const second = packed.indexOf(' ', first + 1);
  to.write(packed.slice(second + 1), offset, 'latin1');
  return Number.parseInt(packed.slice(first + 1, second), DIGITS);
}

export function unpack(packed: string): StoredRecord {
  const first = packed.indexOf(' ');
  const second = packed.indexOf(' ', first + 1);
  const end = second + 1 + Number.parseInt(packed.slice(first + 1, second), DIGITS);
  return {
    at: Number.parseInt(packed.slice(0, first), DIGITS),
    partitionKey: Buffer.from(packed.slice(second + 1, end), 'latin1').toString('utf8'),
    data: Buffer.from(packed.slice(end), 'latin1'),
  };
}
