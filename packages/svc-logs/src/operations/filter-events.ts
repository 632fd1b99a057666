import type { FilteredLogEvent, InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { checkReadable } from '../groups/group-classes.ts';
import { groupOf } from '../lookup.ts';
import { invalidToken, paging } from '../paging.ts';
import { parsePattern } from '../patterns/parse.ts';
import { formatEventId, type Position, parseEventId } from '../store/event.ts';

/** Maximum events and bytes per page. */
const MAX_EVENTS = 10_000;
const MAX_BYTES = 1_048_576;
/** Maximum bytes scanned per page: a page may be empty and still have a successor. */
const MAX_SCANNED = 512 * 1024 * 1024;

/**
 * Returns the matching events of a group's streams, interleaved by time.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 */
export async function FilterLogEvents(
  input: InputOf<'FilterLogEvents'>,
  ctx: LogsContext,
): Promise<OutputOf<'FilterLogEvents'>> {
  const { logStreamNames, logStreamNamePrefix: prefix, limit = MAX_EVENTS } = input;
  const { state, group } = groupOf(input, ctx);
  checkReadable(group, 'FilterLogEvents');
  if (logStreamNames && prefix !== undefined)
    throw invalidParameter('LogStreamNames and logStreamNamePrefix are mutually exclusive parameters.');
  const pattern = parsePattern(input.filterPattern ?? '');
  const after = parseEventId(paging.after('FilterLogEvents', input) ?? '');
  if (input.nextToken !== undefined && !after) throw invalidToken();
  const names = logStreamNames && new Set(logStreamNames);
  const some = names || prefix !== undefined;
  const streams = some ? group.numbers((name) => names?.has(name) ?? name.startsWith(prefix!)) : undefined;
  const events: FilteredLogEvent[] = [];
  let size = 0;
  let scanned = 0;
  /** Start of the next page; undefined on the last. */
  let rest: Position | undefined;
  const { startTime: from, endTime: end } = input;
  // Unlike in GetLogEvents, the end time is inclusive.
  const to = end === undefined ? undefined : end + 1;
  let last: Position | undefined;
  reading: for await (const chunk of group.events.read({ from, to, streams, after, contains: pattern.literal })) {
    for (const event of chunk.events) {
      const { eventId, logStream, timestamp, ingestionTime } = event;
      if (!pattern.test(event.message)) continue;
      const message = input.unmask ? event.message : state.protection.masked(group, event);
      size += Buffer.byteLength(message);
      if (events.length >= limit || (events.length > 0 && size > MAX_BYTES)) {
        rest = last;
        break reading;
      }
      events.push({ logStreamName: logStream, timestamp, message, ingestionTime, eventId });
      last = parseEventId(eventId);
    }
    last = chunk.position;
    scanned += chunk.scanned;
    if (scanned < MAX_SCANNED) continue;
    rest = last;
    break;
  }
  return { events, searchedLogStreams: [], ...paging.next('FilterLogEvents', input, rest && formatEventId(rest)) };
}
