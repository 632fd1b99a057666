/// <reference path="./unbzip2.d.ts" />
import { PassThrough, pipeline, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { selectError } from './errors.ts';

/** Undoes the compression of an object. @throws AwsError (the iteration) `TruncatedInput` */
export async function* decompressed(
  bytes: AsyncIterable<Uint8Array>,
  compression: 'NONE' | 'GZIP' | 'BZIP2',
): AsyncGenerator<Uint8Array> {
  if (compression === 'NONE') {
    yield* bytes;
    return;
  }
  const decoder: Transform = compression === 'GZIP' ? createGunzip() : await bunzip();
  const out = new PassThrough();
  // Errors of all three come out of the last.
  pipeline(bytes, decoder, out, () => undefined);
  try {
    for await (const chunk of out) yield chunk as Uint8Array;
  } catch {
    throw selectError('TruncatedInput');
  } finally {
    out.destroy();
  }
}

async function bunzip(): Promise<Transform> {
  const { default: unbzip2 } = await import('unbzip2-stream');
  return unbzip2();
}
