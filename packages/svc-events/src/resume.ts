import { type InterruptedWork, interruptedRecords } from '@emu/core/service';
import { failReplay, scheduleReplay } from './archives/replays.ts';
import { authorize, deauthorize } from './connections/connections.ts';
import { failDelivery, resumeDelivery } from './delivery/deliver.ts';
import type { EventsState } from './state.ts';

/** Returns the work that a restart interrupted: replays, deliveries, and connections without their first token. */
export function* interrupted(state: EventsState): Iterable<InterruptedWork> {
  yield* interruptedRecords(state.replays, {
    name: ({ name }) => `replay ${name}`,
    idOf: ({ startedAt }) => startedAt,
    isLeft: ({ endedAt }) => endedAt === undefined,
    resume: (replay) => {
      scheduleReplay(state, replay);
      return undefined;
    },
    fail: ({ name }, reason) => failReplay(state, name, reason),
  });
  yield* interruptedRecords(state.deliveries, {
    name: ({ id }) => `delivery ${id}`,
    resume: (delivery) => resumeDelivery(state, delivery),
    fail: (delivery, reason) => failDelivery(state, delivery, reason),
  });
  yield* interruptedRecords(state.connections, {
    name: ({ name }) => `authorization of connection ${name}`,
    idOf: ({ modifiedAt }) => modifiedAt,
    isLeft: (connection) => connection.state === 'AUTHORIZING',
    resume: (connection) => authorize(state, connection),
    fail: (connection, reason) => deauthorize(state, connection, reason),
  });
}
