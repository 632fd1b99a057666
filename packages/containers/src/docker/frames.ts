const HEADER = 8;

/**
 * Splits the stream in which an engine multiplexes both outputs of a container. A frame has one byte for the output,
 * three unused bytes, four bytes of length, and the data. Partial data of a frame is passed on immediately.
 * @see https://docs.docker.com/reference/api/engine/version/v1.47/#tag/Container/operation/ContainerAttach
 */
export class FrameReader {
  private header = Buffer.alloc(0);
  /** Remaining bytes of the current frame. */
  private missing = 0;
  private stream: 'stdout' | 'stderr' = 'stdout';

  /** @param onOutput receives the bytes of each output in order */
  constructor(private readonly onOutput: (chunk: Buffer, stream: 'stdout' | 'stderr') => void) {}

  /** Processes the next chunk of the stream. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.missing === 0) {
        const needed = HEADER - this.header.length;
        this.header = Buffer.concat([this.header, rest.subarray(0, needed)]);
        rest = rest.subarray(needed);
        if (this.header.length < HEADER) return;
        this.stream = this.header[0] === 2 ? 'stderr' : 'stdout';
        this.missing = this.header.readUInt32BE(4);
        this.header = Buffer.alloc(0);
      }
      const part = rest.subarray(0, this.missing);
      rest = rest.subarray(part.length);
      this.missing -= part.length;
      if (part.length > 0) this.onOutput(part, this.stream);
    }
  }
}
