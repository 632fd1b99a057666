import { type DeepReadonly, keyInPlace } from '@emu/core/service';
import type { InputOf, OutputOf, Replay, StartReplayRequest } from '@emu/service-types/events';
import { isActive, removeOldReplays, scheduleReplay } from '../archives/replays.ts';
import { parseRuleArn } from '../arns.ts';
import type { EventsContext } from '../context.ts';
import { alreadyExists, eventsError, invalidParameter, limitExceeded, notFound } from '../errors.ts';
import { busAt } from '../lookup.ts';
import { atMostOne, paging, withPrefix } from '../paging.ts';
import type { ReplayRecord } from '../records.ts';
import { archiveType, busType, replayType } from '../resources.ts';
import type { EventsState } from '../state.ts';

/** Limit of concurrent replays per account and region. */
const MAX_ACTIVE = 10;

/** @throws AwsError `ResourceNotFoundException` */
function replayAt(name: string, state: EventsState): DeepReadonly<ReplayRecord> {
  removeOldReplays(state);
  const replay = state.replays.get(name);
  if (!replay) throw notFound(`Replay ${name} does not exist.`);
  return replay;
}

const dateOf = (time: number | undefined): Date | undefined => (time === undefined ? undefined : new Date(time));

const describe = (replay: DeepReadonly<ReplayRecord>): Replay => ({
  ReplayName: replay.name,
  EventSourceArn: replay.source,
  State: replay.state,
  StateReason: replay.stateReason,
  EventStartTime: new Date(replay.from),
  EventEndTime: new Date(replay.to),
  EventLastReplayedTime: dateOf(replay.lastReplayedAt),
  ReplayStartTime: new Date(replay.startedAt),
  ReplayEndTime: dateOf(replay.endedAt),
});

/** Returns the record for a requested replay. @throws AwsError `ResourceNotFoundException`, `ValidationException` */
function recordOf(input: StartReplayRequest, ctx: EventsContext): ReplayRecord {
  const { Destination, EventSourceArn: source, EventStartTime: from, EventEndTime: to } = input;
  const bus = busType.parse(Destination.Arn)?.key.name;
  if (bus === undefined) throw invalidParameter('Destination.Arn', 'Must contain an event bus ARN.');
  busAt(Destination.Arn, ctx);
  const name = keyInPlace(archiveType, source, ctx)?.name;
  const archive = name === undefined ? undefined : ctx.state.archives.get(name);
  if (!archive) throw invalidParameter('EventSourceArn', `Archive ${name ?? source} does not exist.`);
  if (archive.source !== Destination.Arn)
    throw invalidParameter('Destination.Arn', 'Cross event bus replay is not permitted.');
  if (from.getTime() >= to.getTime())
    throw invalidParameter('EventEndTime', 'EventStartTime must be before EventEndTime.');
  for (const arn of Destination.FilterArns ?? [])
    if (parseRuleArn(arn)?.bus !== bus)
      throw invalidParameter('Destination.FilterArns', `${arn} is no rule of ${bus}.`);
  return {
    name: input.ReplayName,
    ...(input.Description !== undefined && { description: input.Description }),
    archive: archive.name,
    source,
    destination: Destination.Arn,
    ...(Destination.FilterArns?.length && { filterArns: [...Destination.FilterArns] }),
    state: 'STARTING',
    cause: ctx.requestId,
    from: from.getTime(),
    to: to.getTime(),
    startedAt: ctx.clock.now(),
  };
}

/**
 * Starts a replay of archived events to their bus. It begins a second later.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_StartReplay.html
 */
export function StartReplay(input: InputOf<'StartReplay'>, ctx: EventsContext): OutputOf<'StartReplay'> {
  const { state } = ctx;
  removeOldReplays(state);
  const record = recordOf(input, ctx);
  if (state.replays.has(input.ReplayName)) throw alreadyExists(`Replay ${input.ReplayName}`);
  if ([...state.replays.values()].filter(isActive).length >= MAX_ACTIVE) throw limitExceeded();
  const replay = state.replays.put(record.name, record);
  scheduleReplay(state, replay);
  return {
    ReplayArn: replayType.arn(replay, state),
    State: replay.state,
    ReplayStartTime: new Date(replay.startedAt),
  };
}

/**
 * Returns a replay, until 90 days after its end.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeReplay.html
 */
export function DescribeReplay(input: InputOf<'DescribeReplay'>, { state }: EventsContext): OutputOf<'DescribeReplay'> {
  const replay = replayAt(input.ReplayName, state);
  return {
    ...describe(replay),
    ReplayArn: replayType.arn(replay, state),
    Description: replay.description,
    Destination: {
      Arn: replay.destination,
      ...(replay.filterArns && { FilterArns: [...replay.filterArns] }),
    },
  };
}

/**
 * Cancels a running replay. Events that were replayed already remain.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CancelReplay.html
 */
export function CancelReplay(input: InputOf<'CancelReplay'>, { state }: EventsContext): OutputOf<'CancelReplay'> {
  const replay = replayAt(input.ReplayName, state);
  if (replay.state !== 'STARTING' && replay.state !== 'RUNNING')
    throw eventsError('IllegalStatusException', `Replay ${replay.name} is not in a valid state for this operation.`);
  const cancelled = state.replays.update(replay.name, (draft) => {
    draft.state = 'CANCELLING';
  });
  scheduleReplay(state, cancelled);
  return { ReplayArn: replayType.arn(replay, state), State: cancelled.state };
}

/**
 * Lists the replays of the account, filtered by archive, state or name prefix.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListReplays.html
 */
export function ListReplays(input: InputOf<'ListReplays'>, { state }: EventsContext): OutputOf<'ListReplays'> {
  const { EventSourceArn: source, NamePrefix, State } = input;
  atMostOne('ListReplays', input);
  removeOldReplays(state);
  const found = withPrefix(state.replays.values(), NamePrefix).filter(
    (replay) => (source === undefined || replay.source === source) && (State === undefined || State === replay.state),
  );
  return paging.page('ListReplays', input, found, ({ name }) => name).list(describe);
}
