import { authorize } from './connections.ts';
import { resumeDelivery } from './delivery/deliver.ts';
import { scheduleReplay } from './replays.ts';
import type { EventsState } from './state.ts';

/** Resumes work after a restart: replays, deliveries, and connections without their first token. */
export function resume(state: EventsState): void {
  for (const replay of state.replays.values()) if (replay.endedAt === undefined) scheduleReplay(state, replay);
  for (const delivery of [...state.deliveries.values()]) void resumeDelivery(state, delivery);
  for (const connection of state.connections.values())
    if (connection.state === 'AUTHORIZING') authorize(state, connection);
}
