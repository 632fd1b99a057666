import { scheduleType } from '../resources.ts';

/** Values of the context attributes of an input. */
export interface InvocationFacts {
  /** Account and region of the schedule. */
  accountId: string;
  region: string;
  group: string;
  name: string;
  executionId: string;
  /** Epoch milliseconds. */
  scheduledAt: number;
  /** Attempt number, counted from 1. */
  attempt: number;
}

/** Formats a time as AWS does, to the second. */
export const timeText = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');

/** Returns the input that a target receives if the schedule defines none. */
function notification(facts: InvocationFacts): string {
  return JSON.stringify({
    version: '0',
    id: facts.executionId,
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: facts.accountId,
    time: timeText(facts.scheduledAt),
    region: facts.region,
    resources: [scheduleType.arn({ group: facts.group, name: facts.name }, facts)],
    detail: '{}',
  });
}

/**
 * Returns the input for a target: the schedule's input with its context attributes replaced.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html
 */
export function inputFor(input: string | undefined, facts: InvocationFacts): string {
  if (input === undefined) return notification(facts);
  const attributes: Readonly<Record<string, string>> = {
    'schedule-arn': scheduleType.arn({ group: facts.group, name: facts.name }, facts),
    'scheduled-time': timeText(facts.scheduledAt),
    'execution-id': facts.executionId,
    'attempt-number': String(facts.attempt),
  };
  return input.replace(/<aws\.scheduler\.([a-z-]+)>/g, (whole, name: string) => attributes[name] ?? whole);
}
