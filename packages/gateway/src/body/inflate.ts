import { awsError } from '@emu/wire';
import { PayloadTooLarge } from '../request/gateway-request.ts';

/** Smallest compressed body, in bytes, that is inflated in larger pieces, which is three times as fast. */
const LARGE = 64 * 1024;
const LARGE_CHUNK = 1024 * 1024;
/**
 * Largest ratio of inflated to compressed size. Texts of requests rarely reach a tenth of it; gzip can reach a
 * thousand.
 */
const MAX_GROWTH = 100;
/** Inflated bytes that are allowed for every body. */
const ALWAYS_ALLOWED = 256 * 1024;

/**
 * Inflates a gzip body. node:zlib is loaded at the first use.
 * @param most largest inflated size in bytes; also limited to a hundred times the body, so that a small body cannot
 * fill the memory
 * @throws PayloadTooLarge above the limit
 * @throws AwsError `SerializationException` for a body that is not gzip
 */
export async function inflate(body: Uint8Array, most: number): Promise<Uint8Array> {
  const { gunzip } = await import('node:zlib');
  const limit = Math.min(most, Math.max(ALWAYS_ALLOWED, body.length * MAX_GROWTH));
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
