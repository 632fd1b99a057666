/** Contents of a sequence number. */
export interface Sequence {
  /** Number of the shard. */
  readonly shard: number;
  /** Creation of the shard in seconds since the epoch. */
  readonly shardCreatedAt: number;
  /** Orders the records of a stream. */
  readonly index: number;
}

/** Index after all records of a shard: the end of a closed one. */
export const LAST_INDEX = 0x7fffffffffffffffn;

const VERSION = '2';
/** Digits of the hexadecimal form. */
const LENGTH = 47;

const hex = (value: number | bigint, digits: number): string => value.toString(16).padStart(digits, '0').slice(-digits);

/** Position of the index in the number. */
const INDEX_BIT = 80n;

/** Cached sequence number without index, for the last shard and second: most records share it. */
let latest = { shard: -1, createdAt: -1, second: -1, rest: 0n };

function restOf(shard: number, createdAt: number, second: number): bigint {
  if (latest.shard === shard && latest.createdAt === createdAt && latest.second === second) return latest.rest;
  const text = [
    VERSION,
    hex(Math.floor(createdAt / 1000), 9),
    hex(shard & 15, 1),
    hex(0, 16),
    '00',
    hex(second, 9),
    hex(shard, 8),
    VERSION,
  ].join('');
  latest = { shard, createdAt, second, rest: BigInt(`0x${text}`) };
  return latest.rest;
}

/**
 * Returns the sequence number in Kinesis's format: 186 bits as a decimal number, increasing with the shard's creation
 * and the record's index.
 * @param index of the record within its stream; 0 for the start of the shard
 * @param at arrival of the record in epoch milliseconds
 */
export function sequenceNumber(
  shard: { readonly index: number; readonly createdAt: number },
  index: number | bigint,
  at: number,
): string {
  const rest = restOf(shard.index, shard.createdAt, Math.floor(at / 1000));
  return (rest + (BigInt(index) << INDEX_BIT)).toString();
}

/** Parses a sequence number; undefined if it is invalid. */
export function readSequence(text: string): Sequence | undefined {
  const digits = BigInt(text).toString(16);
  if (digits.length !== LENGTH || digits[0] !== VERSION || digits.at(-1) !== VERSION) return undefined;
  const part = (start: number, end: number): number => Number.parseInt(digits.slice(start, end), 16);
  const [shardCreatedAt, index, shard] = [part(1, 10), part(11, 27), part(38, 46)];
  if (index > Number(LAST_INDEX) || shard > 0x7fffffff) return undefined;
  return { shard, shardCreatedAt, index };
}
