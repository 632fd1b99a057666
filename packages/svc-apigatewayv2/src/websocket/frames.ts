/**
 * Maximum bytes of a client's frame.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
const MAX_FRAME = 32 * 1024;
/** Maximum bytes of a message, which may have several frames. */
export const MAX_MESSAGE = 128 * 1024;

const LENGTH_16 = 126;
const LENGTH_64 = 127;

const FINAL = 0x80;
/** Set in the opcodes of control frames. */
const CONTROL = 0x08;

/** Reads the frame lengths in a stream of bytes without buffering. */
export class FrameLengths {
  /** Number of messages whose last frame has begun. */
  messages = 0;
  private head: number[] = [];
  /** Remaining bytes of the current frame. */
  private rest = 0;

  /** @returns whether a frame that starts in the bytes exceeds the limit */
  exceeds(bytes: Uint8Array): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.rest > 0) {
        const skipped = Math.min(this.rest, bytes.length - at);
        this.rest -= skipped;
        at += skipped;
        continue;
      }
      this.head.push(bytes[at++]!);
      const length = this.lengthOf();
      if (length === undefined) continue;
      if (length > MAX_FRAME) return true;
      if ((this.head[0]! & (FINAL | CONTROL)) === FINAL) this.messages++;
      const mask = (this.head[1]! & 0x80) === 0 ? 0 : 4;
      this.rest = length + mask;
      this.head = [];
    }
    return false;
  }

  /** Returns the length of the current frame; undefined until its header is complete. */
  private lengthOf(): number | undefined {
    const { head } = this;
    if (head.length < 2) return undefined;
    const short = head[1]! & 0x7f;
    const bytes = short === LENGTH_16 ? 2 : short === LENGTH_64 ? 8 : 0;
    if (head.length < 2 + bytes) return undefined;
    return bytes === 0 ? short : head.slice(2).reduce((length, byte) => length * 256 + byte, 0);
  }
}
