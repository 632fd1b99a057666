/** A record of a stream. */
export interface StoredRecord {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly partitionKey: string;
  readonly data: Buffer;
}

const DIGITS = 36;

/** Last formatted time with its text, shared by consecutive records. */
let latest = { at: -1, text: '' };

function timeText(at: number): string {
  if (latest.at !== at) latest = { at, text: Math.floor(at).toString(DIGITS) };
  return latest.text;
}

/**
 * Packs a record into a string of single-byte characters, which takes about half the memory of an object with a buffer:
 * time, partition key length, partition key in UTF-8, and data.
 */
export function pack(at: number, partitionKey: string, data: Uint8Array): string {
  const keyLength = Buffer.byteLength(partitionKey);
  const isAscii = keyLength === partitionKey.length;
  const start = `${timeText(at)} ${keyLength.toString(DIGITS)} `;
  const head = isAscii ? start + partitionKey : start;
  // Built in one buffer: concatenated JavaScript strings keep their parts, which doubles the memory.
  const bytes = Buffer.allocUnsafe(start.length + keyLength + data.length);
  bytes.write(head, 0, 'latin1');
  if (!isAscii) bytes.write(partitionKey, head.length, 'utf8');
  bytes.set(data, start.length + keyLength);
  return bytes.toString('latin1');
}

/** Returns the arrival of a packed record in epoch milliseconds. */
export const arrivalOf = (packed: string): number => Number.parseInt(packed.slice(0, packed.indexOf(' ')), DIGITS);

/** Returns the size of a packed record for limits: data and partition key. */
export function sizeOf(packed: string): number {
  const second = packed.indexOf(' ', packed.indexOf(' ') + 1);
  return packed.length - second - 1;
}

/**
 * Writes partition key and data of a packed record consecutively.
 * @returns length of the partition key in bytes
 */
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
