import type { Random } from './random.ts';
import { entryNames, type Tally } from './tally.ts';

/** Text fragments that are difficult for parsers. */
const PIECES = [
  ...['null', 'true', '{', '}', '[', ']', '"', '\\u', ',', ':', '1e999', '-0', '99999999999999999999', '"__proto__":'],
  ...['<', '>', '</', '&lt;', '&#x0;', '&#xD800;', '<![CDATA[', ']]>', '&b;', '<?xml?>'],
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  ...['&', '=', '%', '%00', '%zz', '+', '.1', '.member.1', '.entry.1.key', '.999999999', '.-1', 'Action='],
  ...['__proto__=', '\u0000', '\ud7ff', '{"a":'.repeat(3000), '['.repeat(5000), '<a>'.repeat(3000), '.1'.repeat(2000)],
].map((piece) => Buffer.from(piece, 'utf8'));

/** Byte sequences that are difficult for CBOR and UTF-8 parsers. */
const BYTES = [
  ...[
    [0xff],
    [0xff, 0xc3],
    [0xf6],
    [0xf7],
    [0xbf],
    [0x9f],
    [0x7f],
    [0x5f],
    [0xc1],
    [0xc2],
    [0xc4],
    [0xf9, 0x7e, 0],
    [0x1c],
  ],
  ...[
    [0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0xba, 0xff, 0xff, 0xff, 0xff],
    [0x5a, 0x7f, 0xff, 0xff, 0xff],
  ],
].map((bytes) => Buffer.from(bytes));

const CHANGES = ['byte', 'piece', 'bytes', 'cut', 'leave out', 'repeat', 'graft'] as const;

/** Mutations of bytes, as counted. */
export const BYTE_MUTATIONS = [...CHANGES, ...entryNames({ PIECES, BYTES })];

/**
 * Changes bytes at one to four positions.
 * @param other source of bytes whose end may be inserted
 */
export function mutate(body: Uint8Array, random: Random, tally: Tally, other: () => Uint8Array): Buffer {
  let bytes = Buffer.from(body);
  for (let change = random.below(4); change >= 0; change--) {
    const position = random.below(bytes.length + 1);
    const head = bytes.subarray(0, position);
    const tail = bytes.subarray(position);
    const kind = random.of(CHANGES);
    tally.add(kind);
    switch (kind) {
      case 'byte':
        bytes = Buffer.from(bytes);
        if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
        break;
      case 'piece':
        bytes = Buffer.concat([head, tally.next('PIECES', PIECES), tail]);
        break;
      case 'bytes':
        bytes = Buffer.concat([head, tally.next('BYTES', BYTES), tail]);
        break;
      case 'cut':
        bytes = Buffer.from(head);
        break;
      case 'leave out':
        bytes = Buffer.concat([head, tail.subarray(random.below(tail.length + 1))]);
        break;
      case 'repeat':
        bytes = Buffer.concat([head, tail.subarray(0, random.below(64)), tail]);
        break;
      case 'graft': {
        const donor = other();
        bytes = Buffer.concat([head, donor.subarray(random.below(donor.length + 1))]);
      }
    }
  }
  return bytes;
}

/** Changes a path, a query or a header as ASCII bytes. */
export const mutateText = (text: string, random: Random, tally: Tally, other: () => Uint8Array): string =>
  mutate(Buffer.from(text, 'latin1'), random, tally, other).subarray(0, 4096).toString('latin1');
