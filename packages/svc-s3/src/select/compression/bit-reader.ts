/** Reads bits, most significant first. */
export class BitReader {
  private bytes: Buffer = Buffer.alloc(0);
  /** In bits. */
  private position = 0;
  private ended = false;
  private readonly source: AsyncIterator<Uint8Array>;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.source = bytes[Symbol.asyncIterator]();
  }

  /**
   * Fills the buffer with a number of bytes, or all remaining ones.
   * @returns whether any remain
   */
  async fill(wanted: number): Promise<boolean> {
    const start = this.position >> 3;
    let available = this.bytes.length - start;
    if (available < wanted && !this.ended) {
      const parts = [this.bytes.subarray(start)];
      while (available < wanted) {
        const { done, value } = await this.source.next();
        if (done) {
          this.ended = true;
          break;
        }
        parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
        available += value.length;
      }
      this.bytes = Buffer.concat(parts);
      this.position -= start * 8;
    }
    return available > 0;
  }

  /**
   * @param count bits, at most 48
   * @throws RangeError at the end of the input
   */
  read(count: number): number {
    let value = 0;
    while (count > 0) {
      const byte = this.bytes[this.position >> 3];
      if (byte === undefined) throw new RangeError('the input ends within a block');
      const left = 8 - (this.position & 7);
      const taken = Math.min(left, count);
      value = value * 2 ** taken + ((byte >> (left - taken)) & ((1 << taken) - 1));
      this.position += taken;
      count -= taken;
    }
    return value;
  }

  /**
   * Reads one bit.
   * @throws RangeError at the end of the input
   */
  bit(): number {
    const byte = this.bytes[this.position >> 3];
    if (byte === undefined) throw new RangeError('the input ends within a block');
    return (byte >> (7 - (this.position++ & 7))) & 1;
  }

  /** Skips to the next byte boundary. */
  align(): void {
    this.position = (this.position + 7) & ~7;
  }

  /** Closes the source too. */
  async close(): Promise<void> {
    await this.source.return?.();
  }
}
