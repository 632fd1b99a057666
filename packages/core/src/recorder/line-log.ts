/** In how many parts the memory is given back. */
const PARTS = 16;
/** Bytes of a part at least. */
const LEAST_PART = 1024;

interface Part {
  readonly bytes: Buffer;
  used: number;
  lines: number;
}

/**
 * The newest of many lines, within a number of bytes. They are kept as bytes in a few large buffers, which cost the garbage
 * collector nothing however many lines there are.
 */
export class LineLog {
  private parts: Part[] = [];
  private size = 0;
  private readonly partSize: number;

  /** @param limit bytes that the lines may take */
  constructor(private readonly limit: number) {
    this.partSize = Math.max(Math.floor(limit / PARTS), LEAST_PART);
  }

  /** Appends lines, which have no line break in them; the oldest go where there is no room. */
  push(lines: readonly string[]): void {
    // One text for all: a write to a buffer costs as much as some hundred characters.
    const text = `${lines.join('\n')}\n`;
    const last = this.parts.at(-1);
    // A character has three bytes at most where the text counts it as one.
    const most = text.length * 3;
    if (most > this.partSize && lines.length > 1) {
      for (const line of lines) this.push([line]);
      return;
    }
    const part = last && last.bytes.length - last.used >= most ? last : this.open(most);
    part.used += part.bytes.write(text, part.used);
    part.lines += lines.length;
  }

  /** Every line, oldest first. */
  *lines(): IterableIterator<string> {
    for (const { bytes, used } of [...this.parts]) yield* bytes.toString('utf8', 0, used).split('\n').slice(0, -1);
  }

  /** Forgets all lines. @returns how many there were */
  clear(): number {
    const count = this.parts.reduce((sum, { lines }) => sum + lines, 0);
    this.parts = [];
    this.size = 0;
    return count;
  }

  private open(least: number): Part {
    const part = { bytes: Buffer.allocUnsafeSlow(Math.max(this.partSize, least)), used: 0, lines: 0 };
    this.parts.push(part);
    this.size += part.bytes.length;
    while (this.size > this.limit && this.parts.length > 1) this.size -= this.parts.shift()!.bytes.length;
    return part;
  }
}
