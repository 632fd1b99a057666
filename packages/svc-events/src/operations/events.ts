import { matchesPattern, patternEvent } from '@emu/core/patterns';
import { stateInRegion } from '@emu/core/service';
import type { InputOf, OutputOf, PutEventsRequestEntry, PutEventsResultEntry } from '@emu/service-types/events';
import { take } from '../buses/bus.ts';
import { isObjectText, problemOf, refused } from '../buses/entries.ts';
import type { EventsContext } from '../context.ts';
import { invalid, invalidParameter } from '../errors.ts';
import { compactJson, newEvent } from '../event.ts';
import { busAddress } from '../resources.ts';
import { routeOf } from '../routing.ts';
import { checkPattern } from '../rules/pattern.ts';
import type { EventsState } from '../state.ts';

/** Limit in bytes for all entries of a request together. */
const MAX_BYTES = 1_048_576;
/** Bytes counted for a timestamp. */
const TIME_BYTES = 14;

/**
 * Returns the size of an entry in bytes as AWS counts it.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html
 */
function sizeOf({ Time, Source, DetailType, Detail, Resources }: PutEventsRequestEntry): number {
  let size = Time === undefined ? 0 : TIME_BYTES;
  for (const text of [Source, DetailType, Detail, ...(Resources ?? [])])
    if (text !== undefined) size += Buffer.byteLength(text);
  return size;
}

/** Rejects sources that begin with `aws.`, which only AWS services may use. */
function foreignSource({ Source }: PutEventsRequestEntry, ctx: EventsContext): PutEventsResultEntry | undefined {
  if (!Source?.startsWith('aws.') || ctx.principal.type === 'service') return undefined;
  return refused('NotAuthorizedForSourceException', 'Not authorized for the source.');
}

/** Returns the bus that an entry names; undefined if it does not exist. */
function busOf(entry: PutEventsRequestEntry, ctx: EventsContext): { state: EventsState; name: string } | undefined {
  const { place, key } = busAddress(entry.EventBusName, ctx);
  const { name } = key;
  const state = stateInRegion(place, ctx);
  return state?.bus(name) ? { state, name } : undefined;
}

/** Logs a rejected entry on its bus. */
function logRefusal(
  { state, name }: { state: EventsState; name: string },
  entry: PutEventsRequestEntry,
  { ErrorMessage }: PutEventsResultEntry,
  ctx: EventsContext,
): void {
  const facts = {
    account: ctx.accountId,
    source: entry.Source ?? '',
    detailType: entry.DetailType ?? '',
    time: entry.Time?.getTime() ?? ctx.clock.now(),
    resources: entry.Resources ?? [],
    detail: entry.Detail ?? '',
    cause: ctx.requestId,
  };
  state.logs.refused(name, facts, ErrorMessage!);
}

/**
 * Puts up to ten events onto buses. Events for an unknown bus are accepted and dropped, as in AWS.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function PutEvents(
  input: InputOf<'PutEvents'>,
  ctx: EventsContext,
): OutputOf<'PutEvents'> | Promise<OutputOf<'PutEvents'>> {
  let size = 0;
  for (const entry of input.Entries) size += sizeOf(entry);
  if (size > MAX_BYTES) throw invalid('Total size of the entries in the request is over the limit.');
  const route = input.EndpointId === undefined ? undefined : routeOf(input.EndpointId, input.Entries, ctx);
  const pending: (Promise<void> | undefined)[] = [];
  const results = input.Entries.map((entry): PutEventsResultEntry => {
    const problem = problemOf(entry) ?? foreignSource(entry, ctx);
    const bus = route ?? busOf(entry, ctx);
    if (problem) {
      if (bus) logRefusal(bus, entry, problem, ctx);
      return problem;
    }
    const id = ctx.ids.uuid();
    if (bus) {
      const event = newEvent(
        { accountId: ctx.accountId, region: bus.state.region },
        {
          id,
          source: entry.Source!,
          detailType: entry.DetailType!,
          time: entry.Time?.getTime() ?? ctx.clock.now(),
          resources: entry.Resources ?? [],
          detail: compactJson(entry.Detail!),
          traceHeader: entry.TraceHeader ?? ctx.traceHeader,
          cause: ctx.requestId,
        },
      );
      const foreign = bus.state !== ctx.state;
      pending.push(take(bus.state, bus.name, foreign ? { ...event, foreign } : event));
      if (route?.replica) pending.push(take(route.replica, bus.name, { ...event, foreign: true }));
    }
    return { EventId: id };
  });
  const output = {
    FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode !== undefined).length,
    Entries: results,
  };
  return pending.some(Boolean) ? Promise.all(pending).then(() => output) : output;
}

const REQUIRED = ['id', 'account', 'source', 'time', 'region', 'resources', 'detail-type'];

/**
 * Whether a pattern matches an event.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_TestEventPattern.html
 */
export function TestEventPattern(input: InputOf<'TestEventPattern'>): OutputOf<'TestEventPattern'> {
  const pattern = checkPattern(input.EventPattern);
  if (!isObjectText(input.Event)) throw invalidParameter('Event');
  const event = JSON.parse(input.Event) as Record<string, unknown>;
  for (const name of REQUIRED) if (!Object.hasOwn(event, name)) throw invalidParameter('Event');
  const prepared = patternEvent(event);
  return { Result: prepared !== undefined && matchesPattern(pattern, prepared) };
}
