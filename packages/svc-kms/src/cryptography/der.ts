/** Returns the length octets of DER. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(0x80 | significant.length), significant]);
}

const element = (tag: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);

/** Encodes a non-negative INTEGER. */
export function derUnsigned(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return element(0x02, bytes[0]! & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

/** Encodes an OCTET STRING. */
export const derOctets = (bytes: Uint8Array): Buffer => element(0x04, bytes);

/** Encodes a SEQUENCE. */
export const derSequence = (...elements: Uint8Array[]): Buffer => element(0x30, Buffer.concat(elements));

/**
 * Returns the contents of consecutive elements.
 * @throws Error for invalid DER
 */
export function readDer(bytes: Uint8Array): Buffer[] {
  const contents: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1];
    if (first === undefined) throw new Error('The element has no length.');
    const octets = first < 0x80 ? 0 : first & 0x7f;
    if (octets > 4) throw new Error('The length is too long.');
    let length = octets ? 0 : first;
    for (const byte of bytes.subarray(at + 2, at + 2 + octets)) length = length * 256 + byte;
    const start = at + 2 + octets;
    if (start + length > bytes.length) throw new Error('The element is cut off.');
    contents.push(Buffer.from(bytes.subarray(start, start + length)));
    at = start + length;
  }
  return contents;
}
