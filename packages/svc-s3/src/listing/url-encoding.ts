import type { EncodingType } from '@emu/service-types/s3';
import { invalidArgument } from '../errors.ts';

/**
 * Returns the key encoding of a listing: unchanged or percent-encoded.
 * @throws AwsError `InvalidArgument`
 */
export function encoder(encoding: EncodingType | undefined): (text: string) => string {
  if (encoding === undefined) return (text) => text;
  if (encoding !== 'url')
    throw invalidArgument('Invalid Encoding Method specified in Request', 'encoding-type', encoding);
  return encodeKey;
}

function encodeKey(text: string): string {
  return encodeURIComponent(text)
    .replace(/%2F/g, '/')
    .replace(/%20/g, '+')
    .replace(/[!'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
