/** Length of `{"t":`, the start of every line. */
const TIME_AT = 5;
/** Length of `,"i":` and `,"s":`. */
const NEXT = 5;
/** Length of `,"m":"`. */
const MESSAGE = 6;
const NEWLINE = 10;
const BACKSLASH = 92;
const ZERO = 48;
const LETTER_M = 109;

/** Index of a segment's lines, in order of writing. */
export interface SegmentIndex {
  /** Number of lines. */
  readonly size: number;
  /** Indexed bytes. */
  readonly bytes: number;
  readonly offsets: Uint32Array;
  readonly times: Float64Array;
  readonly streams: Uint32Array;
  /** Start of the message text for lines without escapes; otherwise 0. */
  readonly messages: Uint32Array;
  /** Line numbers sorted by time; undefined if the lines already are. */
  readonly order: Uint32Array | undefined;
}

/**
 * Indexes the lines of a segment.
 * @param events number of lines
 */
export function indexLines(bytes: Buffer, events: number): SegmentIndex {
  const offsets = new Uint32Array(events);
  const times = new Float64Array(events);
  const streams = new Uint32Array(events);
  const messages = new Uint32Array(events);
  let sorted = true;
  let backslash = nextOf(bytes, BACKSLASH, 0);
  let offset = 0;
  for (let line = 0; line < events; line++) {
    offsets[line] = offset;
    let at = offset + TIME_AT;
    let time = 0;
    for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO) time = time * 10 + digit;
    at += NEXT;
    while (bytes[at]! >= ZERO) at++;
    at += NEXT;
    let stream = 0;
    for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO)
      stream = stream * 10 + digit;
    const end = bytes.indexOf(NEWLINE, at);
    if (backslash < at) backslash = nextOf(bytes, BACKSLASH, at);
    if (backslash > end && bytes[at + 2] === LETTER_M) messages[line] = at + MESSAGE;
    times[line] = time;
    streams[line] = stream;
    if (line > 0 && time < times[line - 1]!) sorted = false;
    offset = end + 1;
  }
  return { size: events, bytes: offset, offsets, times, streams, messages, order: sorted ? undefined : orderOf(times) };
}

function nextOf(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

function orderOf(times: Float64Array): Uint32Array {
  const order = Uint32Array.from(times, (_, line) => line);
  return order.sort((a, b) => times[a]! - times[b]! || a - b);
}

/** Returns the end of a line, without its newline. */
export const lineEnd = ({ offsets, size, bytes }: SegmentIndex, line: number): number =>
  (line + 1 < size ? offsets[line + 1]! : bytes) - 1;
