import { isUtf8 } from 'node:buffer';

/** A body that is no binary media type's, which AWS reads as UTF-8: bytes that are none become replacement characters. */
export const textBody = (body: Buffer): Buffer => (isUtf8(body) ? body : Buffer.from(body.toString()));
