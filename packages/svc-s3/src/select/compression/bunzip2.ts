import { setImmediate } from 'node:timers/promises';
import { BitReader } from './bit-reader.ts';
import { BlockDecoder } from './bunzip2-block.ts';
import { crcOf } from './bunzip2-crc.ts';

/** Maximum bytes of a compressed block: 900,000 symbols of 20 bits, and its tables. */
const LONGEST_BLOCK = 2_400_000;
/** Bytes per output chunk. */
const PIECE = 64 * 1024;

const BLOCK_MAGIC = 0x314159265359;
const END_MAGIC = 0x177245385090;

/**
 * Decompresses bzip2 with one or more streams. A block of a few bytes may expand to 46 MB: output is yielded in chunks,
 * and other tasks run in between.
 * @throws Error (during iteration) for invalid, damaged or truncated input
 * @see https://github.com/dsnet/compress/blob/master/doc/bzip2-format.pdf
 */
export async function* bunzip2(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bits = new BitReader(bytes);
  try {
    while (await bits.fill(4)) {
      if (bits.read(24) !== 0x425a68) throw new Error('not a bzip2 stream');
      const level = bits.read(8) - 0x30;
      if (level < 1 || level > 9) throw new Error('not a bzip2 level');
      yield* stream(bits, new BlockDecoder(level * 100_000));
    }
  } finally {
    await bits.close();
  }
}

async function* stream(bits: BitReader, decoder: BlockDecoder): AsyncGenerator<Uint8Array> {
  let combined = 0;
  for (;;) {
    await bits.fill(LONGEST_BLOCK);
    const magic = bits.read(48);
    const expected = bits.read(32) | 0;
    if (magic === END_MAGIC) {
      if (expected !== combined) throw new Error('the checksum of the stream is wrong');
      bits.align();
      return;
    }
    if (magic !== BLOCK_MAGIC) throw new Error('neither a block nor the end of the stream');
    decoder.decode(bits);
    let crc = -1;
    for (const piece of decoder.pieces(PIECE)) {
      crc = crcOf(piece, crc);
      yield piece;
      await setImmediate();
    }
    if (~crc !== expected) throw new Error('the checksum of a block is wrong');
    combined = ((combined << 1) | (combined >>> 31)) ^ expected;
  }
}
