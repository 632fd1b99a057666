/**
 * Log steps of buses with their levels. A bus logs the steps of its level and of more severe levels.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-logs-schema.html
 */
export const STEPS = {
  EVENT_INGEST_FAILURE: 'ERROR',
  INVOCATION_ATTEMPT_PERMANENT_FAILURE: 'ERROR',
  INVOCATION_ATTEMPT_RETRYABLE_FAILURE: 'ERROR',
  INVOCATION_ATTEMPT_THROTTLE: 'ERROR',
  INVOCATION_DLQ: 'ERROR',
  INVOCATION_FAILURE: 'ERROR',
  EVENT_INGEST_SUCCESS: 'INFO',
  INVOCATION_SUCCESS: 'INFO',
  NO_STANDARD_RULES_MATCHED: 'INFO',
  RULE_MATCH: 'INFO',
  EVENT_RECEIPT: 'TRACE',
  INVOCATION_ATTEMPT_START: 'TRACE',
  INVOCATION_ATTEMPT_SUCCESS: 'TRACE',
  INVOCATION_START: 'TRACE',
  RULE_MATCH_START: 'TRACE',
} as const;

/** A log step of an event. */
export type Step = keyof typeof STEPS;

const SEVERITY = { OFF: 0, ERROR: 1, INFO: 2, TRACE: 3 };

/** Whether a bus logs a step. @param level of the bus's settings */
export const isLogged = (step: Step, level: keyof typeof SEVERITY): boolean => SEVERITY[STEPS[step]] <= SEVERITY[level];
