/** An event to be stored. */
export interface NewEvent {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly message: string;
  /** What a transformer has made of the message: a JSON object. */
  readonly transformed?: string | undefined;
}

/** An event as it is kept. */
export interface StoredEvent extends NewEvent {
  /** Epoch milliseconds at which it was taken in. */
  readonly ingestionTime: number;
  /** Name of its stream. */
  readonly logStream: string;
  /** Tells it from every other; in order of time, then of ingestion. Also what a pointer (`@ptr`) to it is made of. */
  readonly eventId: string;
}

/** Where an event is: ordered by time, then by segment, then by offset. */
export interface Position {
  readonly timestamp: number;
  readonly segment: number;
  /** Bytes from the beginning of the segment. */
  readonly offset: number;
}

const TIME_DIGITS = 16;
const SEGMENT_DIGITS = 20;
const OFFSET_DIGITS = 19;
/** AWS's ids are decimal numbers of 56 digits; the first says what follows. */
const FIRST_DIGIT = '3';
const FORM = new RegExp(`^${FIRST_DIGIT}(\\d{${TIME_DIGITS}})(\\d{${SEGMENT_DIGITS}})(\\d{${OFFSET_DIGITS}})$`);

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** Id of the event at a position. */
export const formatEventId = ({ timestamp, segment, offset }: Position): string =>
  FIRST_DIGIT + padded(timestamp, TIME_DIGITS) + padded(segment, SEGMENT_DIGITS) + padded(offset, OFFSET_DIGITS);

/** The position in an event's id; undefined where the text is no such id. */
export function parseEventId(id: string): Position | undefined {
  const [, timestamp, segment, offset] = FORM.exec(id) ?? [];
  return offset === undefined
    ? undefined
    : { timestamp: Number(timestamp), segment: Number(segment), offset: Number(offset) };
}

/** Less than 0 where the first of two positions comes before the second. */
export const comparePositions = (a: Position, b: Position): number =>
  a.timestamp - b.timestamp || a.segment - b.segment || a.offset - b.offset;

/** The line of an event in a segment. @param stream number of its stream in the log group */
export function encodeLine(
  { timestamp, message, transformed }: NewEvent,
  ingestionTime: number,
  stream: number,
): string {
  const rest = transformed === undefined ? '' : `"x":${JSON.stringify(transformed)},`;
  return `{"t":${timestamp},"i":${ingestionTime},"s":${stream},${rest}"m":${JSON.stringify(message)}}\n`;
}
