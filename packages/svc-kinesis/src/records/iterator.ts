import { crc32 } from 'node:zlib';
import { invalidArgument } from '../errors.ts';

/** What a shard iterator stands for: a place in a shard. */
export interface ShardIterator {
  /** Number of the stream. */
  readonly stream: number;
  readonly streamName: string;
  readonly shard: number;
  /** Index of the next record, or one between two records. */
  readonly index: number;
  /** When it was made, epoch milliseconds. */
  readonly madeAt: number;
}

/** How long iterators are good, in milliseconds. */
export const ITERATOR_LIFETIME = 300_000;

const VERSION = 1n;
/** Where the parts begin: version, checksum, four numbers, the name. */
const CHECKSUM_AT = 8;
const NUMBERS_AT = 12;
const NAME_AT = NUMBERS_AT + 4 * 8;

/** The text of an iterator. It is made of nothing but the place, so that it is good after a restart, too. */
export function writeIterator({ stream, streamName, shard, index, madeAt }: ShardIterator): string {
  const bytes = Buffer.allocUnsafe(NAME_AT + streamName.length);
  bytes.writeBigUInt64BE(VERSION);
  bytes.writeDoubleBE(madeAt, NUMBERS_AT);
  bytes.writeDoubleBE(stream, NUMBERS_AT + 8);
  bytes.writeDoubleBE(shard, NUMBERS_AT + 16);
  bytes.writeDoubleBE(index, NUMBERS_AT + 24);
  // Names of streams are ASCII.
  bytes.write(streamName, NAME_AT, 'latin1');
  bytes.writeUInt32BE(crc32(bytes.subarray(NUMBERS_AT)), CHECKSUM_AT);
  return bytes.toString('base64');
}

/**
 * The place that an iterator stands for.
 * @throws AwsError `InvalidArgumentException` where it is none
 */
export function readIterator(text: string): ShardIterator {
  const bytes = Buffer.from(text, 'base64');
  if (
    bytes.length <= NAME_AT ||
    bytes.readBigUInt64BE() !== VERSION ||
    bytes.readUInt32BE(CHECKSUM_AT) !== crc32(bytes.subarray(NUMBERS_AT)) ||
    bytes.toString('base64') !== text
  )
    throw invalidArgument('Invalid ShardIterator.');
  return {
    stream: bytes.readDoubleBE(NUMBERS_AT + 8),
    streamName: bytes.toString('latin1', NAME_AT),
    shard: bytes.readDoubleBE(NUMBERS_AT + 16),
    index: bytes.readDoubleBE(NUMBERS_AT + 24),
    madeAt: bytes.readDoubleBE(NUMBERS_AT),
  };
}
