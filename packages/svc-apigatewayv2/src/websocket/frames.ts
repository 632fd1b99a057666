/** Bytes of one frame that a client may send. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html */
const MOST_FRAME = 32 * 1024;
/** Bytes of a message, which may have several frames. */
export const MOST_MESSAGE = 128 * 1024;

const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** Reads the lengths of frames as their bytes pass by, without keeping any. */
export class FrameLengths {
  private head: number[] = [];
  /** Bytes of the running frame that are still to come. */
  private rest = 0;

  /** @returns whether one of the frames that begin in the bytes is longer than may be */
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
      if (length > MOST_FRAME) return true;
      const mask = (this.head[1]! & 0x80) === 0 ? 0 : 4;
      this.rest = length + mask;
      this.head = [];
    }
    return false;
  }

  /** Length of the frame whose head has been read; undefined while it has not. */
  private lengthOf(): number | undefined {
    const { head } = this;
    if (head.length < 2) return undefined;
    const short = head[1]! & 0x7f;
    const bytes = short === LENGTH_16 ? 2 : short === LENGTH_64 ? 8 : 0;
    if (head.length < 2 + bytes) return undefined;
    return bytes === 0 ? short : head.slice(2).reduce((length, byte) => length * 256 + byte, 0);
  }
}
