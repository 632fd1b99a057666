import type { DeepReadonly } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { parseRuleArn } from '../arns.ts';
import { take } from '../buses/bus.ts';
import { type BusEvent, parseEvent } from '../event.ts';
import { openEvent } from '../event-key.ts';
import type { ReplayRecord } from '../records.ts';
import { busType } from '../resources.ts';
import type { EventsState } from '../state.ts';

/** Milliseconds from the request to the start of a replay, and from a cancellation to its end. */
const START_DELAY = 1000;
/** Number of events after which a replay yields to other work. */
const BATCH = 100;
/** Milliseconds for which an ended replay remains visible: 90 days. */
const REMEMBERED = 90 * 86_400_000;

/** Whether a replay is still in progress. */
export const isActive = ({ state }: { readonly state: ReplayRecord['state'] }): boolean =>
  state === 'STARTING' || state === 'RUNNING' || state === 'CANCELLING';

/** Removes replays that ended more than 90 days ago. */
export function removeOldReplays(state: EventsState): void {
  for (const { name, endedAt } of [...state.replays.values()])
    if (endedAt !== undefined && endedAt + REMEMBERED <= state.clock.now()) state.replays.delete(name);
}

/** Schedules the continuation of a replay that was requested, or was running when the emulator stopped. */
export function scheduleReplay(state: EventsState, replay: DeepReadonly<ReplayRecord>): void {
  const { name } = replay;
  const run = () =>
    state.replays.get(name)?.state === 'CANCELLING' ? end(state, name, 'CANCELLED') : runReplay(state, name);
  state.clock.after(START_DELAY, run);
}

function end(state: EventsState, name: string, outcome: 'COMPLETED' | 'CANCELLED' | 'FAILED', reason?: string): void {
  state.replays.update(name, (draft) => {
    draft.state = outcome;
    draft.endedAt = state.clock.now();
    if (reason !== undefined) draft.stateReason = reason;
  });
}

/** Ends a replay as failed. */
export function failReplay(state: EventsState, name: string, reason: string): void {
  end(state, name, 'FAILED', reason);
}

/** Sends the events of a replay's period to its bus, from the last position on. */
async function runReplay(state: EventsState, name: string): Promise<void> {
  const replay = state.replays.get(name);
  if (!replay || (replay.state !== 'STARTING' && replay.state !== 'RUNNING')) return;
  state.replays.update(name, (draft) => {
    draft.state = 'RUNNING';
  });
  const bus = busType.parse(replay.destination)!.key.name;
  const chosen = replay.filterArns && new Set(replay.filterArns.map((arn) => parseRuleArn(arn)?.name));
  // Replays from versions that stored no cause id use that of their timer.
  const cause = replay.cause ?? state.ids.uuid();
  let taken = 0;
  let index = 0;
  for (const archived of state.archived.of(replay.archive)) {
    if (index++ < (replay.position ?? 0)) continue;
    let event: BusEvent;
    try {
      event = parseEvent(await openEvent(archived, replay.destination, state));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      if (!state.closed) failReplay(state, name, error.message);
      return;
    }
    if (state.closed || state.replays.get(name)?.state !== 'RUNNING') return;
    if (event.time < replay.from || event.time >= replay.to) continue;
    await take(state, bus, { ...event, replayName: name, cause }, chosen && ((rule) => chosen.has(rule)));
    if (state.closed || !state.replays.has(name)) return;
    state.replays.update(name, (draft) => {
      draft.lastReplayedAt = event.time;
      draft.position = index;
    });
    if (++taken % BATCH !== 0) continue;
    await new Promise(setImmediate);
    if (state.closed) return;
    // It remains CANCELLING until the timer of the cancellation ends it.
    if (state.replays.get(name)?.state !== 'RUNNING') return;
  }
  end(state, name, 'COMPLETED');
}
