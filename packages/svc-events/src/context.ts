import type { OperationContext } from '@emu/core';
import type { EventsState } from './state.ts';

/** Context of the service's handlers. */
export type EventsContext = OperationContext<EventsState>;
