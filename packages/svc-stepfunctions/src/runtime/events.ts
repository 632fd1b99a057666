import type { HistoryEventType } from '@emu/service-types/stepfunctions';
import type { JsonObject } from '../asl/json.ts';

/** An event of a history, as it is kept. */
export interface EventRecord {
  id: number;
  previous: number;
  /** Epoch milliseconds. */
  at: number;
  type: HistoryEventType;
  /** Name of the member that has the details, and the details. */
  details?: [string, JsonObject];
}

/** Says of an input or output that all of it is there. */
export const WHOLE: Readonly<{ truncated: false }> = { truncated: false };

const DATA = ['input', 'output', 'parameters', 'inputDetails', 'outputDetails', 'assignedVariables'];

const FAILURE = ['error', 'cause'];

/** An event without what clients and services have put in. @param sealed whether its errors and causes are sealed, too */
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
