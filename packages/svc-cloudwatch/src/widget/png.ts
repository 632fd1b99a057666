import { PNG } from 'pngjs';

const OPAQUE = 0xff;
const PIXEL_BYTES = 4;

/** A colour by its red, green and blue parts. */
export type Colour = readonly [red: number, green: number, blue: number];

/** An in-memory image, initially white. */
export class Picture {
  private readonly image: PNG;

  constructor(width: number, height: number) {
    this.image = new PNG({ width, height });
    this.image.data.fill(OPAQUE);
  }

  /** Sets a point; ignores points outside the image. */
  set(x: number, y: number, colour: Colour): void {
    const { width, height, data } = this.image;
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    data.set(colour, (y * width + x) * PIXEL_BYTES);
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

  /** Encodes the image as PNG. */
  png(): Buffer {
    return PNG.sync.write(this.image);
  }
}
