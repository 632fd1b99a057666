/** Tags of ASN.1 types in DER. */
const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  identifier: 0x06,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
};

/** Encodes a value with its tag and length. @see https://www.itu.int/rec/T-REC-X.690 section 8.1 */
function encode(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.concat([Buffer.from([tag, 0x80 + bytes.length, ...bytes]), content]);
}

/** Encodes an object identifier, e.g. `2.5.29.17`. */
function identifier(text: string): Buffer {
  const [first, second, ...others] = text.split('.').map(Number) as [number, number, ...number[]];
  const bytes = [first * 40 + second];
  for (const number of others) {
    const groups = [number % 128];
    for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128))
      groups.unshift(128 + (rest % 128));
    bytes.push(...groups);
  }
  return encode(TAGS.identifier, Buffer.from(bytes));
}

/** Encodes an unsigned number of any length, given in bytes. */
function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const significant = bytes.subarray(start);
  // A leading one bit would make it negative.
  return encode(TAGS.integer, significant[0]! < 0x80 ? significant : Buffer.concat([Buffer.of(0), significant]));
}

/** Encodes the values of certificates in ASN.1's distinguished encoding rules. */
export const der = {
  identifier,
  integer,
  sequence: (...parts: readonly Uint8Array[]): Buffer => encode(TAGS.sequence, Buffer.concat(parts)),
  set: (...parts: readonly Uint8Array[]): Buffer => encode(TAGS.set, Buffer.concat(parts)),
  true: (): Buffer => encode(TAGS.boolean, Buffer.of(0xff)),
  octets: (content: Uint8Array): Buffer => encode(TAGS.octets, content),
  /** @param unused number of bits of the last byte that do not count */
  bits: (content: Uint8Array, unused = 0): Buffer => encode(TAGS.bits, Buffer.concat([Buffer.of(unused), content])),
  utf8: (text: string): Buffer => encode(TAGS.utf8, Buffer.from(text)),
  /** Encodes a time of the years 1950 to 2049. @param at epoch milliseconds */
  time: (at: number): Buffer =>
    encode(
      TAGS.time,
      Buffer.from(
        new Date(at)
          .toISOString()
          .slice(2)
          .replace(/[-:T]|\.\d+/g, ''),
      ),
    ),
  /** Encodes a value under a context-specific tag. @param constructed whether the content consists of encoded values */
  tagged: (number: number, content: Uint8Array, constructed: boolean): Buffer =>
    encode((constructed ? 0xa0 : 0x80) + number, content),
};
