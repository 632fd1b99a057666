import { awsError } from '@emu/wire';
import { PayloadTooLarge } from '../request/request.ts';

/** Bytes from which on a compressed body is inflated in larger pieces, which is three times as fast. */
const LARGE = 64 * 1024;
const LARGE_CHUNK = 1024 * 1024;
/** How many times its size a body may become; texts of requests hardly reach a tenth of it, gzip a thousand. */
const MOST_GROWTH = 100;
/** Bytes that any body may become. */
const ALWAYS_ALLOWED = 256 * 1024;

/**
 * Inflates a gzip body. node:zlib is loaded at the first use.
 * @param most most bytes that may come out; it may be no more than a hundred times the body either, so that a small one
 *   cannot fill the memory
 * @throws PayloadTooLarge where more would come out
 * @throws AwsError `SerializationException` where the body is not gzip
 */
export async function inflate(body: Uint8Array, most: number): Promise<Uint8Array> {
  const { gunzip } = await import('node:zlib');
  const limit = Math.min(most, Math.max(ALWAYS_ALLOWED, body.length * MOST_GROWTH));
  return new Promise((resolve, reject) => {
    const options = { maxOutputLength: Math.max(1, limit), ...(body.length > LARGE && { chunkSize: LARGE_CHUNK }) };
    gunzip(body, options, (error, result) => {
      if (!error) resolve(result);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') reject(new PayloadTooLarge(limit));
      else
        reject(awsError('SerializationException', 'The request body is not valid gzip', { status: 400, cause: error }));
    });
  });
}
