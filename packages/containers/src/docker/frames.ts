const HEADER = 8;

/**
 * Takes apart the stream in which an engine sends both outputs of a container: frames of a byte for the output, three
 * unused ones, the length in four, and the bytes. What is there of a frame is handed out before the rest has come.
 * @see https://docs.docker.com/reference/api/engine/version/v1.47/#tag/Container/operation/ContainerAttach
 */
export class FrameReader {
  private header = Buffer.alloc(0);
  /** Bytes missing of the present frame. */
  private missing = 0;
  private stream: 'stdout' | 'stderr' = 'stdout';

  /** @param onOutput given the bytes of each output in order */
  constructor(private readonly onOutput: (chunk: Buffer, stream: 'stdout' | 'stderr') => void) {}

  /** Takes the next piece of the stream. */
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
