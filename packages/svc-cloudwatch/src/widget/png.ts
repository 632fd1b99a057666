import { deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOUR_BYTES = 3;

/** A colour by its red, green and blue parts. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A picture in memory, white at first. */
export class Picture {
  private readonly rows: Buffer;
  private readonly stride: number;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    // Each row begins with the number of its filter, none.
    this.stride = 1 + width * COLOUR_BYTES;
    this.rows = Buffer.alloc(this.stride * height, 0xff);
    for (let y = 0; y < height; y++) this.rows[y * this.stride] = 0;
  }

  /** Sets a point; those outside of the picture do not matter. */
  set(x: number, y: number, colour: Colour): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.rows.set(colour, y * this.stride + 1 + x * COLOUR_BYTES);
  }

  /** Draws a straight line. */
  line(fromX: number, fromY: number, toX: number, toY: number, colour: Colour): void {
    const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1);
    for (let step = 0; step <= steps; step++)
      this.set(
        Math.round(fromX + ((toX - fromX) * step) / steps),
        Math.round(fromY + ((toY - fromY) * step) / steps),
        colour,
      );
  }

  /** The picture as a PNG. */
  png(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.width, 0);
    header.writeUInt32BE(this.height, 4);
    // Eight bits for each of three colours.
    header.set([8, 2], 8);
    return Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(this.rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(checksum(body));
  return Buffer.concat([length, body, check]);
}

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** CRC-32, which node's zlib has in later versions only. */
function checksum(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
