import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { selectError } from '../errors.ts';
import { bunzip2 } from './bunzip2.ts';

/**
 * Decompresses an object.
 * @throws AwsError (during iteration) `TruncatedInput`
 */
export async function* decompressed(
  bytes: AsyncIterable<Uint8Array>,
  compression: 'NONE' | 'GZIP' | 'BZIP2',
): AsyncGenerator<Uint8Array> {
  if (compression === 'NONE') {
    yield* bytes;
    return;
  }
  try {
    yield* compression === 'GZIP' ? gunzip(bytes) : bunzip2(bytes);
  } catch {
    throw selectError('TruncatedInput');
  }
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  // Errors of all three surface in the last one.
  pipeline(bytes, createGunzip(), out, () => undefined);
  try {
    for await (const chunk of out) yield chunk as Uint8Array;
  } finally {
    out.destroy();
  }
}
