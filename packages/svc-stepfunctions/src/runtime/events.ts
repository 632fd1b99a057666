import type { HistoryEventType } from '@emu/service-types/stepfunctions';
import type { JsonObject } from '../asl/json.ts';

/** A stored history event. */
export interface EventRecord {
  id: number;
  previous: number;
  /** Epoch milliseconds. */
  at: number;
  type: HistoryEventType;
  /** Name of the details member, and the details. */
  details?: [string, JsonObject];
}

/** Marks input or output details as complete. */
export const WHOLE: Readonly<{ truncated: false }> = { truncated: false };

const DATA = ['input', 'output', 'parameters', 'inputDetails', 'outputDetails', 'assignedVariables'];

const FAILURE = ['error', 'cause'];

/**
 * Returns an event without data of clients and services.
 * @param sealed whether errors and causes are encrypted, too
 */
export const withoutData = (event: EventRecord, sealed = false): EventRecord =>
  event.details
    ? {
        ...event,
        details: [
          event.details[0],
          Object.fromEntries(
            Object.entries(event.details[1]).filter(
              ([key]) => !DATA.includes(key) && !(sealed && FAILURE.includes(key)),
            ),
          ),
        ],
      }
    : event;
