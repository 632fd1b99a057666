import type { OperationContext } from '@emu/core/service';
import type { EventsState } from './state.ts';

/** Context of the service's handlers. */
export type EventsContext = OperationContext<EventsState>;
