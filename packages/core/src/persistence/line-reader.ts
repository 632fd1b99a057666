import type { OpenFile } from '../storage/file-system.ts';

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/** Called with each line: its bytes without the newline, its offset in the file, and whether a newline ended it. */
export type LineListener = (line: Buffer, offset: number, terminated: boolean) => void;

/** Reads a file line by line, in pieces, so that memory does not depend on its size. */
export async function readLines(file: OpenFile, listener: LineListener): Promise<void> {
  let position = 0;
  /** Start of a line that is incomplete in the pieces read so far. */
  let rest: Buffer[] = [];
  let restSize = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(CHUNK);
    const size = await file.read(buffer, 0, CHUNK, position);
    if (!size) break;
    const chunk = buffer.subarray(0, size);
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end);
      const offset = position + start - restSize;
      const line = restSize ? Buffer.concat([...rest, part]) : part;
      rest = [];
      restSize = 0;
      start = end + 1;
      listener(line, offset, true);
    }
    if (start < size) {
      rest.push(chunk.subarray(start));
      restSize += size - start;
    }
    position += size;
  }
  if (restSize) listener(Buffer.concat(rest), position - restSize, false);
}
