import type { MetricDataQuery } from '@emu/service-types/cloudwatch';
import { contributorsByTime } from '../insights/report.ts';
import { callsIn, type Expression, MathError, parseExpression } from '../math/parse.ts';
import type { NamedSeries } from '../math/values.ts';
import type { TimeRange } from '../metrics/time-series.ts';
import type { CloudwatchState } from '../state.ts';
import { askSource, type SourceAnswer, sourceCallOf, sourceKey } from './data-sources.ts';
import { isInsightsQuery } from './insights.ts';
import { askCounters, countersCallOf, countersKey } from './performance-insights.ts';

const RULE_METRIC = 'INSIGHT_RULE_METRIC';
const SOURCE = 'LAMBDA';
const COUNTERS = 'DB_PERF_INSIGHTS';
const DEFAULT_PERIOD = 60;

/** Data requested for expressions before their evaluation. */
export interface Prepared {
  /** Series of insight rules by rule, metric and period. */
  readonly rules: ReadonlyMap<string, NamedSeries>;
  /** Responses of data sources by `sourceKey`. */
  readonly sources: ReadonlyMap<string, SourceAnswer>;
  /** Responses of Performance Insights by `countersKey`. */
  readonly counters: ReadonlyMap<string, NamedSeries[]>;
}

/** Returns the key of a rule's metric. */
export const ruleMetricKey = (rule: string, metric: string, period: number): string => `${period} ${metric} ${rule}`;

/** Returns the function calls in the expressions of queries; invalid expressions are reported at evaluation. */
function callsOf(queries: readonly Pick<MetricDataQuery, 'Expression' | 'Period'>[]) {
  return queries.flatMap(({ Expression: text, Period }) => {
    if (text === undefined || isInsightsQuery(text)) return [];
    try {
      return [...callsIn(parseExpression(text))].map((call) => ({ call, period: Period }));
    } catch (error) {
      if (!(error instanceof MathError)) throw error;
      return [];
    }
  });
}

/** Loads quotas if expressions use them. */
export async function prepareQuotas(
  state: CloudwatchState,
  queries: readonly Pick<MetricDataQuery, 'Expression'>[],
): Promise<void> {
  if (callsOf(queries).some(({ call }) => call.name === 'SERVICE_QUOTA')) await state.quotas.load();
}

/**
 * Checks that the services used by an alarm's expressions are available.
 * @throws AwsError `NotImplemented` if Performance Insights is not available
 */
export async function checkCounters(state: CloudwatchState, queries: readonly MetricDataQuery[]): Promise<void> {
  const counting = queries.filter((query) => callsOf([query]).some(({ call }) => call.name === COUNTERS));
  const now = Math.floor(state.clock.now() / 1000);
  if (counting.length) await prepare(state, counting, (period) => ({ start: now - (now % period), end: now }));
}

/** Whether expressions use other services. */
export const usesOtherServices = (queries: readonly Pick<MetricDataQuery, 'Expression'>[]): boolean =>
  callsOf(queries).some(({ call }) => [RULE_METRIC, SOURCE, COUNTERS].includes(call.name));

/**
 * Requests the data of a request's expressions from other services.
 * @param rangeOf returns the time range for a period, in epoch seconds
 * @throws AwsError `NotImplemented` if a required service is missing
 */
export async function prepare(
  state: CloudwatchState,
  queries: readonly MetricDataQuery[],
  rangeOf: (period: number) => TimeRange,
): Promise<Prepared> {
  await prepareQuotas(state, queries);
  const rules = new Map<string, NamedSeries>();
  const sources = new Map<string, SourceAnswer>();
  const counters = new Map<string, NamedSeries[]>();
  for (const { call, period = DEFAULT_PERIOD } of callsOf(queries)) {
    if (call.name === SOURCE || call.name === COUNTERS) {
      await ask(call.name, call.arguments, period);
      continue;
    }
    const [rule, metric] = call.arguments;
    if (call.name !== RULE_METRIC || rule?.kind !== 'string' || metric?.kind !== 'string') continue;
    const record = state.insightRules.get(rule.value);
    if (!record) continue;
    const points = await contributorsByTime(record, metric.value, period, rangeOf(period), state);
    const label = `${rule.value} ${metric.value}`;
    if (points) rules.set(ruleMetricKey(rule.value, metric.value, period), { label, period, ...points });
  }
  return { rules, sources, counters };

  async function ask(name: string, given: readonly Expression[], period: number): Promise<void> {
    try {
      if (name === COUNTERS) {
        const call = countersCallOf(given);
        const key = countersKey(call, period);
        if (!counters.has(key)) counters.set(key, await askCounters(state, call, period, rangeOf(period)));
        return;
      }
      const call = sourceCallOf(given);
      const key = sourceKey(call, period);
      if (!sources.has(key)) sources.set(key, await askSource(state, call, period, rangeOf(period)));
    } catch (error) {
      // Reported when the expression is evaluated.
      if (!(error instanceof MathError)) throw error;
    }
  }
}
