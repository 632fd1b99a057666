import type { InputLogEvent, RejectedLogEventsInfo } from '@emu/service-types/logs';
import { invalidParameter } from '../errors.ts';

/** Maximum size of a batch in bytes; each event adds a fixed overhead to the size of its message. */
const MAX_BATCH_BYTES = 1_048_576;
const EVENT_OVERHEAD = 26;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Maximum age and maximum lead of event timestamps, in milliseconds. */
const MAX_AGE = 14 * DAY;
const MAX_AHEAD = 2 * HOUR;

/** Returns the size of events in bytes. */
const sizeOf = (events: readonly InputLogEvent[]): number =>
  events.reduce((size, { message }) => size + Buffer.byteLength(message) + EVENT_OVERHEAD, 0);

/**
 * Validates a batch as a whole.
 * @throws AwsError `InvalidParameterException` if it is too large, unsorted, or spans more than a day
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html
 */
export function checkBatch(events: readonly InputLogEvent[]): void {
  for (const event of events) {
    const size = sizeOf([event]);
    if (size > MAX_BATCH_BYTES)
      throw invalidParameter(`Log event too large: ${size} bytes exceeds limit of ${MAX_BATCH_BYTES}`);
  }
  const size = sizeOf(events);
  if (size > MAX_BATCH_BYTES)
    throw invalidParameter(`Upload too large: ${size} bytes exceeds limit of ${MAX_BATCH_BYTES}`);
  for (let index = 1; index < events.length; index++)
    if (events[index]!.timestamp < events[index - 1]!.timestamp)
      throw invalidParameter('Log events in a single PutLogEvents request must be in chronological order.');
  const first = events[0]?.timestamp ?? 0;
  const last = events.at(-1)?.timestamp ?? 0;
  if (last - first > DAY)
    throw invalidParameter('The batch of log events in a single PutLogEvents request cannot span more than 24 hours.');
}

/** The accepted part of a batch. */
export interface Admission {
  readonly events: readonly InputLogEvent[];
  /** Undefined if all events are accepted. */
  readonly rejected: RejectedLogEventsInfo | undefined;
}

/**
 * Separates events that are too old, too new or expired.
 * @param now epoch milliseconds
 * @param cutoff time before which the group's events have expired; undefined without a retention
 */
export function admit(events: readonly InputLogEvent[], now: number, cutoff: number | undefined): Admission {
  const tooOld = countBefore(events, now - MAX_AGE);
  const expired = cutoff === undefined ? 0 : countBefore(events, cutoff);
  const tooNew = countBefore(events, now + MAX_AHEAD + 1);
  const rejected: RejectedLogEventsInfo = {
    ...(tooNew < events.length && { tooNewLogEventStartIndex: tooNew }),
    ...(tooOld > 0 && { tooOldLogEventEndIndex: tooOld }),
    ...(expired > 0 && { expiredLogEventEndIndex: expired }),
  };
  return {
    events: events.slice(Math.max(tooOld, expired), tooNew),
    rejected: Object.keys(rejected).length ? rejected : undefined,
  };
}

/** Returns the number of sorted events before a time. */
function countBefore(events: readonly InputLogEvent[], time: number): number {
  const index = events.findIndex(({ timestamp }) => timestamp >= time);
  return index < 0 ? events.length : index;
}
