import type { MessageData, MetricDataQuery } from '@emu/service-types/cloudwatch';
import { bandOf } from '../anomalies.ts';
import { evaluate } from '../math/evaluate.ts';
import { callsIn, type Expression, idsOf, MathError, parseExpression } from '../math/parse.ts';
import { isSeries, mapped, type NamedSeries, type Value } from '../math/values.ts';
import { statisticOf } from '../metrics/statistics.ts';
import { type Series, sortedDimensions } from '../metrics/store.ts';
import { periodsOf, type TimeRange, timeSeriesOf } from '../metrics/time-series.ts';
import type { CloudwatchState } from '../state.ts';
import { sourceCallOf, sourceKey } from './data-sources.ts';
import { type InsightsGroup, insightsInSteps, isInsightsQuery, parseInsights } from './insights.ts';
import { defaultLabels, fillLabel, foundLabels } from './labels.ts';
import { countersCallOf, countersKey } from './performance-insights.ts';
import { type Prepared, ruleMetricKey } from './prepare.ts';
import { compileSearch } from './search.ts';

/** Maximum number of series that a search returns. */
const MAX_FOUND = 500;
const DEFAULT_PERIOD = 60;
/**
 * Maximum datapoints that `FILL` and `TIME_SERIES` generate for one request: ten times the datapoints of a page.
 */
const MAX_GENERATED = 1_008_000;

/** A result series of a query. */
export interface QueryResult {
  id: string;
  series: NamedSeries;
  messages: MessageData[];
  /** Attributes of a Metrics Insights group. */
  attributes?: Record<string, string>;
}

/** Queries with their time range. */
export interface QueryRun {
  readonly queries: readonly MetricDataQuery[];
  /** Returns the time range of a metric with a period, in epoch seconds. */
  rangeOf(period: number): TimeRange;
  readonly timezone?: string | undefined;
  /** Data prepared for the expressions. */
  readonly prepared?: Prepared;
}

/** Returns the result of steps that are run at once. */
function resultOf<T>(steps: Generator<undefined, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Results of queries by id, each computed once on demand.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 */
export class QueryRunner {
  private readonly byId: Map<string, MetricDataQuery>;
  private readonly values = new Map<string, Value>();
  private readonly messages = new Map<string, MessageData[]>();
  private readonly groups = new Map<string, InsightsGroup[]>();
  private readonly labels: Map<string, string>;
  private readonly origins = new Map<NamedSeries, { series: Series | undefined; query: MetricDataQuery }>();
  private readonly found = new Map<NamedSeries, Series>();
  /** Results of searches, by query, text, statistic and period. */
  private readonly searches = new Map<string, NamedSeries[]>();
  private readonly running = new Set<string>();
  /** Number of datapoints generated so far. */
  private generated = 0;

  constructor(
    private readonly state: CloudwatchState,
    private readonly run: QueryRun,
  ) {
    this.byId = new Map(run.queries.map((query) => [query.Id, query]));
    const metrics = run.queries.filter((query) => query.MetricStat);
    const shown = metrics.filter((query) => query.ReturnData !== false);
    const labels = defaultLabels(shown.map((query) => query.MetricStat!));
    this.labels = new Map(shown.map((query, index) => [query.Id, labels[index]!]));
  }

  /**
   * Returns the results of a query: one series, or those of an array.
   * @throws MathError
   */
  results(query: MetricDataQuery): QueryResult[] {
    const value = this.value(query.Id)!;
    const messages = this.messages.get(query.Id) ?? [];
    if (typeof value === 'number' || typeof value === 'string')
      throw new MathError('The expression must return a time series or an array of time series');
    const groups = this.groups.get(query.Id);
    return (isSeries(value) ? [value] : value).map((series, index, all) => {
      const own = query.Expression !== undefined && all.length === 1 && isSeries(value) ? query.Id : series.label;
      const label = this.label(query, own, series, !isSeries(value));
      const attributes = groups?.[index]?.attributes;
      const allMessages = series.messages ? [...messages, ...series.messages] : messages;
      return { id: query.Id, series: { ...series, label }, messages: allMessages, ...(attributes && { attributes }) };
    });
  }

  /**
   * Returns the results of a query as `results`, in steps: the queries that it refers to are computed first.
   * @throws MathError
   */
  *resultsInSteps(query: MetricDataQuery): Generator<undefined, QueryResult[], undefined> {
    const pending = [query.Id];
    const opened = new Set<string>();
    while (pending.length > 0) {
      const id = pending.at(-1)!;
      if (opened.has(id)) {
        pending.pop();
        try {
          yield* this.find(id);
          this.value(id);
        } catch (error) {
          if (!(error instanceof MathError)) throw error;
          // `results` reports the first error in the order of the expression.
          break;
        }
        yield;
      } else {
        opened.add(id);
        pending.push(...this.unopened(id, opened));
      }
    }
    return this.results(query);
  }

  /**
   * Finds the series of an expression's searches, in steps.
   * @throws MathError
   */
  private *find(id: string): Generator<undefined, void, undefined> {
    const query = this.byId.get(id);
    const text = query?.Expression;
    if (query === undefined || text === undefined || this.values.has(id)) return;
    const period = query.Period ?? this.longestPeriod();
    if (isInsightsQuery(text)) {
      yield* this.insights(query, text, period);
      return;
    }
    for (const { name, arguments: given } of callsIn(parseExpression(text))) {
      const [search, statistic, own] = given;
      if (name === 'SEARCH' && search?.kind === 'string' && statistic?.kind === 'string')
        yield* this.search(query, search.value, statistic.value, own?.kind === 'number' ? own.value : period);
    }
  }

  /** Returns the ids in an expression that are neither computed nor opened; none for an invalid expression. */
  private unopened(id: string, opened: ReadonlySet<string>): string[] {
    const text = this.byId.get(id)?.Expression;
    if (text === undefined || this.values.has(id) || isInsightsQuery(text)) return [];
    try {
      return [...idsOf(parseExpression(text))].filter((one) => this.byId.has(one) && !opened.has(one)).reverse();
    } catch (error) {
      if (!(error instanceof MathError)) throw error;
      return [];
    }
  }

  /**
   * Returns the value of a query; undefined for an unknown id.
   * @throws MathError
   */
  value(id: string): Value | undefined {
    const known = this.values.get(id);
    if (known !== undefined) return known;
    const query = this.byId.get(id);
    if (!query) return undefined;
    if (this.running.has(id)) throw new MathError(`Circular dependency: ${id}`);
    this.running.add(id);
    try {
      const value = query.MetricStat ? this.metric(query) : this.expression(query);
      this.values.set(id, value);
      return value;
    } finally {
      this.running.delete(id);
    }
  }

  private label(query: MetricDataQuery, own: string, series: NamedSeries, ofArray: boolean): string {
    if (query.Label === undefined) return own;
    // A static label for an array is ambiguous, so AWS appends the distinguishing part.
    if (ofArray && !query.Label.includes('${')) return `${query.Label} ${own}`;
    const found = this.found.get(series);
    return fillLabel(
      query.Label,
      own,
      series,
      {
        accountId: query.AccountId ?? this.state.accountId,
        region: this.state.region,
        ...(query.MetricStat && { metric: query.MetricStat }),
        ...(found && { found }),
      },
      this.run.timezone ?? '+0000',
    );
  }

  private metric(query: MetricDataQuery): NamedSeries {
    const { Metric, Period, Stat, Unit } = query.MetricStat!;
    const series = this.state.metrics.find(
      Metric.Namespace ?? '',
      Metric.MetricName ?? '',
      sortedDimensions(Metric.Dimensions),
    );
    const byUnit = periodsOf(series, this.run.rangeOf(Period), Period, Unit);
    const units = [...byUnit.keys()];
    if (units.length > 1)
      this.messages.set(query.Id, [
        { Code: 'MultipleUnits', Value: `Multiple units returned: '[${units.join(', ')}]'` },
      ]);
    const periods = byUnit.get(units[0] ?? '') ?? [];
    const label = this.labels.get(query.Id) ?? Metric.MetricName ?? '';
    const result = { ...timeSeriesOf(periods, statisticOf(Stat)!), label, period: Period };
    this.origins.set(result, { series, query });
    return result;
  }

  private expression(query: MetricDataQuery): Value {
    const text = query.Expression ?? '';
    const period = query.Period ?? this.longestPeriod();
    if (isInsightsQuery(text)) return resultOf(this.insights(query, text, period)).map(({ series }) => series);
    return this.compute(parseExpression(text), query, period);
  }

  private *insights(
    query: MetricDataQuery,
    text: string,
    period: number,
  ): Generator<undefined, InsightsGroup[], undefined> {
    const known = this.groups.get(query.Id);
    if (known) return known;
    const range = this.run.rangeOf(period);
    const groups = yield* insightsInSteps(parseInsights(text), this.state.metrics.list(), range, period);
    this.groups.set(query.Id, groups);
    return groups;
  }

  private compute(expression: Expression, query: MetricDataQuery, period: number): Value {
    const range = this.run.rangeOf(period);
    return evaluate(expression, {
      range,
      period,
      times: (from, step) => this.times(from, range.end, step),
      query: (id) => this.value(id),
      search: (text, statistic, own) => resultOf(this.search(query, text, statistic, own ?? query.Period ?? period)),
      metrics: (part) =>
        this.run.queries
          .filter(({ MetricStat, Id }) => MetricStat && (part === undefined || Id.includes(part)))
          .map(({ Id }) => this.value(Id) as NamedSeries),
      quota: (series) => {
        const value = this.quotaOf(series);
        if (value === undefined) throw new MathError('SERVICE_QUOTA takes a metric of AWS/Usage with a quota');
        return mapped({ ...series, label: 'SERVICE_QUOTA' }, () => value);
      },
      ruleMetric: (rule, metric) => {
        const series = this.run.prepared?.rules.get(ruleMetricKey(rule, metric, query.Period ?? DEFAULT_PERIOD));
        if (!series) throw new MathError(`There is no metric ${metric} of a rule ${rule}`);
        return series;
      },
      dataSource: (args) => {
        const answer = this.run.prepared?.sources.get(sourceKey(sourceCallOf(args), query.Period ?? DEFAULT_PERIOD));
        if (!answer) throw new MathError('LAMBDA is not supported here');
        if (answer instanceof MathError) throw answer;
        return answer;
      },
      counters: (args) => {
        const answer = this.run.prepared?.counters.get(
          countersKey(countersCallOf(args), query.Period ?? DEFAULT_PERIOD),
        );
        if (!answer) throw new MathError('DB_PERF_INSIGHTS is not supported here');
        return answer.length === 1 ? answer[0]! : answer;
      },
      band: (series, deviations) => {
        const origin = this.origins.get(series);
        if (!origin) throw new MathError('ANOMALY_DETECTION_BAND takes a metric');
        return bandOf(this.state, origin.series, origin.query.MetricStat!, series, deviations);
      },
    });
  }

  /** See `MathContext.times`. */
  private times(from: number, end: number, step: number): number[] {
    const count = Math.max(0, Math.ceil((end - from) / step));
    this.generated += count;
    if (!(this.generated <= MAX_GENERATED))
      throw new MathError(`The expressions generate more than ${MAX_GENERATED} datapoints; increase the period`);
    return Array.from({ length: count }, (_, index) => from + index * step);
  }

  /** Returns the quota of a metric from the request or a search. */
  private quotaOf(series: NamedSeries): number | undefined {
    const found = this.origins.get(series)?.series ?? this.found.get(series);
    return found && this.state.quotas.valueFor(found, series.period);
  }

  private *search(
    query: MetricDataQuery,
    text: string,
    statistic: string,
    period: number,
  ): Generator<undefined, NamedSeries[], undefined> {
    const key = JSON.stringify([query.Id, text, statistic, period]);
    const known = this.searches.get(key);
    if (known) return known;
    const compute = statisticOf(statistic);
    if (!compute) throw new MathError(`Invalid statistic: ${statistic}`);
    const matches = compileSearch(text);
    const kept: Series[] = [];
    for (const series of this.state.metrics.list()) {
      yield;
      if (!matches(series)) continue;
      if (kept.length === MAX_FOUND) {
        this.messages.set(query.Id, [
          { Code: 'MaxMetricsExceeded', Value: `The search expression matched more than ${MAX_FOUND} metrics.` },
        ]);
        break;
      }
      kept.push(series);
    }
    const labels = foundLabels(kept);
    const range = this.run.rangeOf(period);
    const results: NamedSeries[] = [];
    for (const [index, series] of kept.entries()) {
      const [periods = []] = periodsOf(series, range, period).values();
      const result = { ...timeSeriesOf(periods, compute), label: labels[index]!, period };
      this.found.set(result, series);
      results.push(result);
      yield;
    }
    this.searches.set(key, results);
    return results;
  }

  /** Returns the longest period of the metrics, the default of expressions. */
  private longestPeriod(): number {
    const periods = this.run.queries.flatMap(({ MetricStat, Period }) => MetricStat?.Period ?? Period ?? []);
    return Math.max(DEFAULT_PERIOD, ...periods);
  }
}
