import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { checkReadable } from '../groups/group-classes.ts';
import { groupOf, streamOf } from '../lookup.ts';
import { invalidToken } from '../paging.ts';
import { formatEventId, type Position, parseEventId, type StoredEvent } from '../store/event.ts';

/** Maximum events and bytes per page. */
const MAX_EVENTS = 10_000;
const MAX_BYTES = 1_048_576;

/** A token: its direction, and the event to continue from. */
const TOKEN = /^([fb])\/(\d{56})\/s$/;

/** Start of an empty stream's first page: before any event. */
const BEGINNING: Position = { timestamp: 0, segment: 0, offset: 0 };

/**
 * Returns the events of a stream in order of time. Without a token, returns the newest ones unless `startFromHead` is
 * set. At either end the returned token equals the given one, by which clients stop.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLogEvents.html
 */
export async function GetLogEvents(
  input: InputOf<'GetLogEvents'>,
  ctx: LogsContext,
): Promise<OutputOf<'GetLogEvents'>> {
  const { state, group, stream } = streamOf(groupOf(input, ctx), input.logStreamName);
  checkReadable(group, 'GetLogEvents');
  const { startFromHead = false, limit = MAX_EVENTS, nextToken } = input;
  const [, way, id = ''] = TOKEN.exec(nextToken ?? '') ?? [];
  const after = parseEventId(id);
  if (nextToken !== undefined && !after) throw invalidToken();
  const descending = way === undefined ? !startFromHead : way === 'b';
  const events: StoredEvent[] = [];
  let size = 0;
  reading: for await (const chunk of group.events.read({
    from: input.startTime,
    // The end time is exclusive.
    to: input.endTime,
    streams: new Set([stream.number]),
    descending,
    after,
  }))
    for (const event of chunk.events) {
      size += Buffer.byteLength(event.message);
      if (events.length >= limit || (events.length > 0 && size > MAX_BYTES)) break reading;
      events.push(event);
    }
  if (descending) events.reverse();
  const here = formatEventId(after ?? BEGINNING);
  return {
    events: events.map((event) => ({
      timestamp: event.timestamp,
      message: input.unmask ? event.message : state.protection.masked(group, event),
      ingestionTime: event.ingestionTime,
    })),
    nextForwardToken: `f/${events.at(-1)?.eventId ?? here}/s`,
    nextBackwardToken: `b/${events[0]?.eventId ?? here}/s`,
  };
}
