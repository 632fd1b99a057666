import { createCipheriv, createDecipheriv } from 'node:crypto';
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

const VERSION = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]);
const ALGORITHM = 'aes-128-cbc';
// Hides from clients what an iterator is made of, as AWS does; it protects nothing.
const KEY = Buffer.from('shard iterator..');
const IV = Buffer.alloc(16);

/** The text of an iterator. It is made of nothing but the place, so that it is good after a restart, too. */
export function writeIterator({ stream, streamName, shard, index, madeAt }: ShardIterator): string {
  const cipher = createCipheriv(ALGORITHM, KEY, IV);
  const text = [madeAt, stream, shard, index, streamName].join('/');
  return Buffer.concat([VERSION, cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}

/**
 * The place that an iterator stands for.
 * @throws AwsError `InvalidArgumentException` where it is none
 */
export function readIterator(text: string): ShardIterator {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text || !bytes.subarray(0, VERSION.length).equals(VERSION)) throw invalid();
  const parts = decrypt(bytes.subarray(VERSION.length)).split('/');
  const [madeAt, stream, shard, index] = parts.map(Number);
  const streamName = parts[4];
  if (streamName === undefined || ![madeAt, stream, shard, index].every(Number.isSafeInteger)) throw invalid();
  return { stream: stream!, streamName, shard: shard!, index: index!, madeAt: madeAt! };
}

function decrypt(bytes: Buffer): string {
  const cipher = createDecipheriv(ALGORITHM, KEY, IV);
  try {
    return Buffer.concat([cipher.update(bytes), cipher.final()]).toString('utf8');
  } catch {
    // What was not encrypted by this key has no padding that fits.
    throw invalid();
  }
}

const invalid = () => invalidArgument('Invalid ShardIterator.');
