import { createHash } from 'node:crypto';

/** Returns the ETag of a single-body object: its MD5, unless a key encrypts it; then it is not a digest of the body. */
export function etagOf(md5: string, algorithm: string): string {
  return algorithm === 'AES256' ? md5 : createHash('md5').update(`${algorithm} ${md5}`).digest('hex');
}
