/** What a sequence number tells. */
export interface Sequence {
  /** Number of the shard. */
  readonly shard: number;
  /** When the shard was made, in seconds since the epoch. */
  readonly shardCreatedAt: number;
  /** Orders the records of a stream. */
  readonly index: number;
}

/** Index behind every record of a shard: the end of a closed one. */
export const LAST_INDEX = 0x7fffffffffffffffn;

const VERSION = '2';
/** Digits of the hexadecimal form. */
const LENGTH = 47;

const hex = (value: number | bigint, digits: number): string => value.toString(16).padStart(digits, '0').slice(-digits);

/**
 * A sequence number in the form of Kinesis: 186 bits, written as a decimal number, that grow with the age of the shard
 * and with the index of the record.
 * @param index of the record within its stream; 0 for the beginning of the shard
 * @param at epoch milliseconds of the record's arrival
 */
export function sequenceNumber(
  shard: { readonly index: number; readonly createdAt: number },
  index: number | bigint,
  at: number,
): string {
  const text = [
    VERSION,
    hex(Math.floor(shard.createdAt / 1000), 9),
    hex(shard.index & 15, 1),
    hex(index, 16),
    '00',
    hex(Math.floor(at / 1000), 9),
    hex(shard.index, 8),
    VERSION,
  ].join('');
  return BigInt(`0x${text}`).toString();
}

/** What a sequence number tells; undefined for a number that is none. */
export function readSequence(text: string): Sequence | undefined {
  const digits = BigInt(text).toString(16);
  if (digits.length !== LENGTH || digits[0] !== VERSION || digits.at(-1) !== VERSION) return undefined;
  const part = (start: number, end: number): number => Number.parseInt(digits.slice(start, end), 16);
  const [shardCreatedAt, index, shard] = [part(1, 10), part(11, 27), part(38, 46)];
  if (index > Number(LAST_INDEX) || shard > 0x7fffffff) return undefined;
  return { shard, shardCreatedAt, index };
}
