import { awsError } from '@emu/wire';
import { PayloadTooLarge } from './request.ts';

/** Bytes from which on a compressed body is inflated in larger pieces, which is three times as fast. */
const LARGE = 64 * 1024;
const LARGE_CHUNK = 1024 * 1024;

/**
 * Inflates a gzip body. node:zlib is loaded at the first use.
 * @param limit most bytes that may come out, so that a small body cannot fill the memory
 * @throws PayloadTooLarge where more would come out
 * @throws AwsError `SerializationException` where the body is not gzip
 */
export async function inflate(body: Uint8Array, limit: number): Promise<Uint8Array> {
  const { gunzip } = await import('node:zlib');
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
