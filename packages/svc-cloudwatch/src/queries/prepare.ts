import { notImplemented } from '@emu/core';
import type { MetricDataQuery } from '@emu/service-types/cloudwatch';
import { contributorsByTime } from '../insights/report.ts';
import { callsIn, type Expression, MathError, parseExpression } from '../math/parse.ts';
import type { NamedSeries } from '../math/values.ts';
import type { TimeRange } from '../metrics/time-series.ts';
import type { CloudwatchState } from '../state.ts';
import { askSource, type SourceAnswer, sourceCallOf, sourceKey } from './data-sources.ts';
import { isInsightsQuery } from './insights.ts';

/** Functions that ask what emu does not have. */
const MISSING: ReadonlySet<string> = new Set(['DB_PERF_INSIGHTS']);
const RULE_METRIC = 'INSIGHT_RULE_METRIC';
const SOURCE = 'LAMBDA';
const DEFAULT_PERIOD = 60;

/** What was found out for expressions before they are evaluated. */
export interface Prepared {
  /** Series of insight rules by rule, metric and period. */
  readonly rules: ReadonlyMap<string, NamedSeries>;
  /** What connected sources have answered, by `sourceKey`. */
  readonly sources: ReadonlyMap<string, SourceAnswer>;
}

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

/** Whether expressions ask for what other services know. */
export const asksOthers = (queries: readonly Pick<MetricDataQuery, 'Expression'>[]): boolean =>
  callsOf(queries).some(({ call }) => call.name === RULE_METRIC || call.name === SOURCE);

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
  const rules = new Map<string, NamedSeries>();
  const sources = new Map<string, SourceAnswer>();
  for (const { call, period = DEFAULT_PERIOD } of callsOf(queries)) {
    if (call.name === SOURCE) {
      await ask(call.arguments, period);
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
  return { rules, sources };

  async function ask(given: readonly Expression[], period: number): Promise<void> {
    try {
      const call = sourceCallOf(given);
      const key = sourceKey(call, period);
      if (!sources.has(key)) sources.set(key, await askSource(state, call, period, rangeOf(period)));
    } catch (error) {
      // It is told of when the expression is evaluated.
      if (!(error instanceof MathError)) throw error;
    }
  }
}
