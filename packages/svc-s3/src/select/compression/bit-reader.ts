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

  /** Sees to it that a number of bytes can be read, or all that are left. @returns whether any are left */
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

  /** @param count bits, 48 at most @throws RangeError where the input ends */
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

  /** The next bit. @throws RangeError where the input ends */
  bit(): number {
    const byte = this.bytes[this.position >> 3];
    if (byte === undefined) throw new RangeError('the input ends within a block');
    return (byte >> (7 - (this.position++ & 7))) & 1;
  }

  /** Goes on to the next whole byte. */
  align(): void {
    this.position = (this.position + 7) & ~7;
  }

  /** Ends the source too. */
  async close(): Promise<void> {
    await this.source.return?.();
  }
}
