import type { InterruptedWork } from '@emu/core/service';
import { failReplay, scheduleReplay } from './archives/replays.ts';
import { authorize, deauthorize } from './connections/connections.ts';
import { failDelivery, resumeDelivery } from './delivery/deliver.ts';
import type { EventsState } from './state.ts';

/** Returns the work that a restart interrupted: replays, deliveries, and connections without their first token. */
export function* interrupted(state: EventsState): Iterable<InterruptedWork> {
  for (const replay of state.replays.values())
    if (replay.endedAt === undefined)
      yield {
        name: `replay ${replay.name}`,
        resume: () => {
          const current = state.replays.get(replay.name);
          if (current?.endedAt !== undefined || current?.startedAt !== replay.startedAt) return Promise.resolve();
          scheduleReplay(state, current);
          return undefined;
        },
        fail: (reason) => failReplay(state, replay.name, reason),
      };
  for (const { id } of state.deliveries.values())
    yield {
      name: `delivery ${id}`,
      resume: () => {
        const delivery = state.deliveries.get(id);
        return delivery ? resumeDelivery(state, delivery) : Promise.resolve();
      },
      fail: (reason) => failDelivery(state, id, reason),
    };
  for (const connection of state.connections.values())
    if (connection.state === 'AUTHORIZING')
      yield {
        name: `authorization of connection ${connection.name}`,
        resume: () => authorize(state, connection),
        fail: (reason) => deauthorize(state, connection, reason),
      };
}
