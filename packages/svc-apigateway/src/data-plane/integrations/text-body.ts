import { isUtf8 } from 'node:buffer';

/** Returns a body with non-binary media type as AWS reads it, as UTF-8: invalid bytes become replacement characters. */
export const textBody = (body: Buffer): Buffer => (isUtf8(body) ? body : Buffer.from(body.toString()));
