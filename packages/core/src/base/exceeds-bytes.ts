/** Maximum bytes in UTF-8 of a UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** Whether a text has more than a number of bytes in UTF-8; the bytes are counted only if its length is inconclusive. */
export const exceedsBytes = (text: string, most: number): boolean =>
  text.length > most || (text.length * BYTES_PER_UNIT > most && Buffer.byteLength(text) > most);
