/** An event to store. */
export interface NewEvent {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly message: string;
  /** Transformed message: a JSON object. */
  readonly transformed?: string | undefined;
}

/** A stored event. */
export interface StoredEvent extends NewEvent {
  /** Ingestion time in epoch milliseconds. */
  readonly ingestionTime: number;
  /** Name of its stream. */
  readonly logStream: string;
  /** Unique id, ordered by time and then ingestion. A pointer (`@ptr`) contains it, too. */
  readonly eventId: string;
}

/** Position of an event: ordered by time, then segment, then offset. */
export interface Position {
  readonly timestamp: number;
  readonly segment: number;
  /** Byte offset in the segment. */
  readonly offset: number;
}

const TIME_DIGITS = 16;
const SEGMENT_DIGITS = 20;
const OFFSET_DIGITS = 19;
/** AWS's ids are decimal numbers of 56 digits; the first digit is a format version. */
const FIRST_DIGIT = '3';
const FORM = new RegExp(`^${FIRST_DIGIT}(\\d{${TIME_DIGITS}})(\\d{${SEGMENT_DIGITS}})(\\d{${OFFSET_DIGITS}})$`);

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** Returns the id of the event at a position. */
export const formatEventId = ({ timestamp, segment, offset }: Position): string =>
  FIRST_DIGIT + padded(timestamp, TIME_DIGITS) + padded(segment, SEGMENT_DIGITS) + padded(offset, OFFSET_DIGITS);

/** Parses the position from an event id; undefined if it is invalid. */
export function parseEventId(id: string): Position | undefined {
  const [, timestamp, segment, offset] = FORM.exec(id) ?? [];
  return offset === undefined
    ? undefined
    : { timestamp: Number(timestamp), segment: Number(segment), offset: Number(offset) };
}

/** Compares two positions: negative if the first comes earlier. */
export const comparePositions = (a: Position, b: Position): number =>
  a.timestamp - b.timestamp || a.segment - b.segment || a.offset - b.offset;

/**
 * Serializes an event as a segment line.
 * @param stream number of its stream in the log group
 */
export function encodeLine(
  { timestamp, message, transformed }: NewEvent,
  ingestionTime: number,
  stream: number,
): string {
  const rest = transformed === undefined ? '' : `"x":${JSON.stringify(transformed)},`;
  return `{"t":${timestamp},"i":${ingestionTime},"s":${stream},${rest}"m":${JSON.stringify(message)}}\n`;
}
