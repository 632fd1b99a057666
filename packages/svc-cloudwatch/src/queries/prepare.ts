import { notImplemented } from '@emu/core';
import type { MetricDataQuery } from '@emu/service-types/cloudwatch';
import { contributorsByTime } from '../insights/report.ts';
import { callsIn, MathError, parseExpression } from '../math/parse.ts';
import type { NamedSeries } from '../math/values.ts';
import type { TimeRange } from '../metrics/time-series.ts';
import type { CloudwatchState } from '../state.ts';
import { isInsightsQuery } from './insights.ts';

/** Functions that ask what emu does not have. */
const MISSING: ReadonlySet<string> = new Set(['DB_PERF_INSIGHTS', 'LAMBDA']);
const RULE_METRIC = 'INSIGHT_RULE_METRIC';

/** What was found out for expressions before they are evaluated: series of insight rules by rule, metric and period. */
export type Prepared = ReadonlyMap<string, NamedSeries>;

/** Key of what a rule's metric comes to. */
export const ruleMetricKey = (rule: string, metric: string, period: number): string => `${period} ${metric} ${rule}`;

/** The calls of functions in the expressions of queries; expressions that are none are told of when they are evaluated. */
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

/**
 * Gets the state ready to evaluate expressions that ask for quotas.
 * @throws AwsError `NotImplemented` for functions that emu has not
 */
export async function prepareQuotas(
  state: CloudwatchState,
  queries: readonly Pick<MetricDataQuery, 'Expression'>[],
  operation: string,
): Promise<void> {
  const names = callsOf(queries).map(({ call }) => call.name);
  const missing = names.find((name) => MISSING.has(name));
  if (missing !== undefined) throw notImplemented('cloudwatch', `${operation} with ${missing}`);
  if (names.includes('SERVICE_QUOTA')) await state.quotas.load();
}

/** Refuses alarms on what only requests can look at. @throws AwsError `NotImplemented` */
export function refuseRuleMetrics(queries: readonly Pick<MetricDataQuery, 'Expression'>[], operation: string): void {
  if (callsOf(queries).some(({ call }) => call.name === RULE_METRIC))
    throw notImplemented('cloudwatch', `${operation} with ${RULE_METRIC}`);
}

/**
 * Finds out what the expressions of a request ask for besides metrics.
 * @param rangeOf the times of a period, in epoch seconds
 * @throws AwsError `NotImplemented` for functions that emu has not
 */
export async function prepare(
  state: CloudwatchState,
  queries: readonly MetricDataQuery[],
  operation: string,
  rangeOf: (period: number) => TimeRange,
): Promise<Prepared> {
  await prepareQuotas(state, queries, operation);
  const found = new Map<string, NamedSeries>();
  for (const { call, period = 60 } of callsOf(queries)) {
    const [rule, metric] = call.arguments;
    if (call.name !== RULE_METRIC || rule?.kind !== 'string' || metric?.kind !== 'string') continue;
    const record = state.insightRules.get(rule.value);
    if (!record) continue;
    const points = await contributorsByTime(record, metric.value, period, rangeOf(period), state);
    const label = `${rule.value} ${metric.value}`;
    if (points) found.set(ruleMetricKey(rule.value, metric.value, period), { label, period, ...points });
  }
  return found;
}
