/** Maximum bytes of a log event, as in CloudWatch Logs; longer lines are split. */
const MAX_LINE = 256 * 1024;

/** Splits output into lines. */
export class LineSplitter {
  private rest: Buffer[] = [];
  private length = 0;

  /** @param emit receives each line without its newline */
  constructor(private readonly emit: (line: string) => void) {}

  add(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.take(chunk.subarray(start, end));
      this.flush(true);
      start = end + 1;
    }
    if (start < chunk.length) this.take(chunk.subarray(start));
  }

  /** Emits an unfinished line. */
  flush(whole = false): void {
    if (this.length === 0 && !whole) return;
    const line = Buffer.concat(this.rest).toString();
    this.rest = [];
    this.length = 0;
    this.emit(line);
  }

  private take(part: Uint8Array): void {
    for (let start = 0; start < part.length; ) {
      const piece = part.subarray(start, start + MAX_LINE - this.length);
      // Copied, because the chunk may be a view of a larger buffer.
      this.rest.push(Buffer.from(piece));
      this.length += piece.length;
      start += piece.length;
      if (this.length >= MAX_LINE) this.flush();
    }
  }
}
