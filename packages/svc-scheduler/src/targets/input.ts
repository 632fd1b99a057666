import { scheduleType } from '../resources.ts';

/** What an input may refer to. */
export interface InvocationFacts {
  /** Where the schedule is. */
  accountId: string;
  region: string;
  group: string;
  name: string;
  executionId: string;
  /** Epoch milliseconds. */
  scheduledAt: number;
  /** Counted from one. */
  attempt: number;
}

/** A time as AWS writes it, in seconds. */
export const timeText = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');

/** What a target gets where the schedule has no input. */
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
 * The text that a target gets: the schedule's input, in which context attributes are replaced.
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
