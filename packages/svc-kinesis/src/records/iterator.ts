import { crc32 } from 'node:zlib';
import { invalidArgument } from '../errors.ts';

/** Position of a shard iterator. */
export interface ShardIterator {
  /** Number of the stream. */
  readonly stream: number;
  readonly streamName: string;
  readonly shard: number;
  /** Index of the next record, or one between records. */
  readonly index: number;
  /** Creation in epoch milliseconds. */
  readonly madeAt: number;
}

/** Lifetime of iterators in milliseconds. */
export const ITERATOR_LIFETIME = 300_000;

const VERSION = 1n;
/** Offsets of the parts: version, checksum, four numbers, name. */
const CHECKSUM_AT = 8;
const NUMBERS_AT = 12;
const NAME_AT = NUMBERS_AT + 4 * 8;

/** Encodes an iterator. It contains only the position, so that it survives a restart. */
export function writeIterator({ stream, streamName, shard, index, madeAt }: ShardIterator): string {
  const bytes = Buffer.allocUnsafe(NAME_AT + streamName.length);
  bytes.writeBigUInt64BE(VERSION);
  bytes.writeDoubleBE(madeAt, NUMBERS_AT);
  bytes.writeDoubleBE(stream, NUMBERS_AT + 8);
  bytes.writeDoubleBE(shard, NUMBERS_AT + 16);
  bytes.writeDoubleBE(index, NUMBERS_AT + 24);
  // Stream names are ASCII.
  bytes.write(streamName, NAME_AT, 'latin1');
  bytes.writeUInt32BE(crc32(bytes.subarray(NUMBERS_AT)), CHECKSUM_AT);
  return bytes.toString('base64');
}

/**
 * Decodes an iterator.
 * @throws AwsError `InvalidArgumentException` if it is invalid
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
