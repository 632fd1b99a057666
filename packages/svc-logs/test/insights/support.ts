import { compileQuery, DEFAULT_RESULTS, type QuerySettings } from '../../src/insights/engine/compile.ts';
import type { QueryEvent, QueryGroup } from '../../src/insights/engine/event.ts';
import type { Pipeline } from '../../src/insights/engine/pipeline.ts';
import type { Steps } from '../../src/insights/engine/stages/stage.ts';
import { QueryError } from '../../src/insights/language/errors.ts';
import { parseQuery } from '../../src/insights/language/parse.ts';

/** 2024-03-05 10:00:00 UTC. */
export const START = Date.UTC(2024, 2, 5, 10);

const group = (name: string): QueryGroup => ({
  name,
  accountId: '000000000000',
  region: 'us-east-1',
  discovers: true,
});

/** Creates events from messages, one second apart. */
export const eventsOf = (messages: readonly (string | object)[], name = 'app'): QueryEvent[] =>
  messages.map((message, index) => ({
    timestamp: START + index * 1000,
    ingestionTime: START + index * 1000 + 7,
    message: typeof message === 'string' ? message : JSON.stringify(message),
    logStream: 'stream',
    group: group(name),
    eventId: String(index),
  }));

/** Returns a query that has read events. */
function readBy(
  query: string,
  events: readonly QueryEvent[],
  settings: Partial<QuerySettings> = {},
  earlier: readonly QueryEvent[] = [],
): Pipeline {
  const pipeline = compileQuery(parseQuery(query), {
    now: START + 3_600_000,
    start: START,
    end: START + 3_599_000,
    limit: DEFAULT_RESULTS,
    lookup: () => undefined,
    ...settings,
  });
  pipeline.compare(true);
  for (const event of pipeline.compared ? earlier : []) pipeline.push(event);
  pipeline.compare(false);
  for (const event of events) pipeline.push(event);
  return pipeline;
}

/** Runs a query over events; returns rows by column name, without pointers. */
export function rows(...given: Parameters<typeof readBy>): Record<string, string>[] {
  return resultOf(readBy(...given).finish()).map((row) =>
    Object.fromEntries(row.filter(({ field }) => field !== '@ptr').map(({ field, value }) => [field, value])),
  );
}

/** Returns the number of steps in which a query ends after it has read events. */
export const stepsAtEnd = (...given: Parameters<typeof readBy>): number => [...readBy(...given).finish()].length;

/** Runs all steps of some work. */
function resultOf<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Evaluates an expression for a message. */
export const result = (expression: string, message: string | object = ''): string | undefined =>
  rows(`fields ${expression} as it`, eventsOf([message]))[0]?.it;

/** Returns the error of a query. */
export function problemOf(query: string): string {
  try {
    rows(query, []);
    return 'nothing';
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return error.message;
  }
}
