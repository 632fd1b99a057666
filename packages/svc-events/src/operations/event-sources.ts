import type { DeepReadonly } from '@emu/core/service';
import type { EventSource, EventSourceState, InputOf, OutputOf } from '@emu/service-types/events';
import { sourceArn } from '../arns.ts';
import type { EventsContext } from '../context.ts';
import { eventsError, notFound } from '../errors.ts';
import { paging, withPrefix } from '../paging.ts';
import type { EventSourceRecord } from '../records.ts';
import type { EventsState } from '../state.ts';

/** Deletes sources for which no bus was created in time. */
function expire(state: EventsState): void {
  for (const { name, state: current, expiresAt } of [...state.eventSources.values()])
    if (current === 'PENDING' && !state.buses.has(name) && expiresAt <= state.clock.now())
      state.eventSources.update(name, (draft) => {
        draft.state = 'DELETED';
      });
}

/** @throws AwsError `ResourceNotFoundException` */
function sourceAt(name: string, state: EventsState): DeepReadonly<EventSourceRecord> {
  expire(state);
  const source = state.eventSources.get(name);
  if (!source) throw notFound(`Event source ${name} does not exist.`);
  return source;
}

const describe = (state: EventsState, source: DeepReadonly<EventSourceRecord>): EventSource => ({
  Arn: sourceArn(state, source.name),
  CreatedBy: source.createdBy,
  CreationTime: new Date(source.createdAt),
  ...(source.state === 'PENDING' && { ExpirationTime: new Date(source.expiresAt) }),
  Name: source.name,
  State: source.state,
});

/** @throws AwsError `InvalidStateException`, `ResourceNotFoundException` */
function move(name: string, from: EventSourceState, to: EventSourceState, state: EventsState): void {
  const source = sourceAt(name, state);
  if (source.state !== from || !state.buses.has(name))
    throw eventsError('InvalidStateException', `Event source ${name} is not in a valid state for this operation.`);
  state.eventSources.update(name, (draft) => {
    draft.state = to;
  });
}

/**
 * Resumes the delivery of events from a partner event source to its bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ActivateEventSource.html
 */
export function ActivateEventSource(
  { Name }: InputOf<'ActivateEventSource'>,
  { state }: EventsContext,
): OutputOf<'ActivateEventSource'> {
  move(Name, 'PENDING', 'ACTIVE', state);
  return {};
}

/**
 * Suspends the delivery of events from a partner event source to its bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeactivateEventSource.html
 */
export function DeactivateEventSource(
  { Name }: InputOf<'DeactivateEventSource'>,
  { state }: EventsContext,
): OutputOf<'DeactivateEventSource'> {
  move(Name, 'ACTIVE', 'PENDING', state);
  return {};
}

/**
 * Returns a partner event source offered to the account.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeEventSource.html
 */
export function DescribeEventSource(
  { Name }: InputOf<'DescribeEventSource'>,
  { state }: EventsContext,
): OutputOf<'DescribeEventSource'> {
  return describe(state, sourceAt(Name, state));
}

/**
 * Lists the partner event sources offered to the account.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListEventSources.html
 */
export function ListEventSources(
  input: InputOf<'ListEventSources'>,
  { state }: EventsContext,
): OutputOf<'ListEventSources'> {
  expire(state);
  return paging
    .page('ListEventSources', input, withPrefix(state.eventSources.values(), input.NamePrefix), ({ name }) => name)
    .list((source) => describe(state, source));
}
