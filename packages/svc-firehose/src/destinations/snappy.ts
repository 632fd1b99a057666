/// <reference path="./snappyjs.d.ts" />
import { crc32 } from 'hash-wasm';
import { compress } from 'snappyjs';

/** Stream identifier at the start of a framed stream. */
const IDENTIFIER = Buffer.from([0xff, 0x06, 0x00, 0x00, ...Buffer.from('sNaPpY')]);
const COMPRESSED = 0;
const FRAME = 65_536;
/** Castagnoli's polynomial, reversed. */
const CASTAGNOLI = 0x82f63b78;
/** Block size of Hadoop's codec in bytes. */
const BLOCK = 256 * 1024;

function* slices(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/**
 * Compresses with Snappy's framing format.
 * @see https://github.com/google/snappy/blob/main/framing_format.txt
 */
export async function framedSnappy(bytes: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [IDENTIFIER];
  for (const slice of slices(bytes, FRAME)) {
    const body = compress(slice);
    const checksum = Number.parseInt(await crc32(slice, CASTAGNOLI), 16);
    const head = Buffer.alloc(8);
    head[0] = COMPRESSED;
    head.writeUIntLE(body.length + 4, 1, 3);
    // The format masks the checksum.
    head.writeUInt32LE((((checksum >>> 15) | (checksum << 17)) + 0xa282ead8) >>> 0, 4);
    chunks.push(head, body);
  }
  return Buffer.concat(chunks);
}

/** Compresses like Hadoop's Snappy codec: blocks with their uncompressed and compressed length. */
export function hadoopSnappy(bytes: Buffer): Buffer {
  return Buffer.concat(
    [...slices(bytes, BLOCK)].flatMap((slice) => {
      const body = compress(slice);
      const head = Buffer.alloc(8);
      head.writeUInt32BE(slice.length, 0);
      head.writeUInt32BE(body.length, 4);
      return [head, body];
    }),
  );
}
