import type { DeepReadonly, ServiceCaller } from '@emu/core/service';
import type { GetInsightRuleReportInput, GetInsightRuleReportOutput } from '@emu/service-types/cloudwatch';
import { AwsError } from '@emu/wire';
import { invalid, invalidParameterValue } from '../errors.ts';
import type { InsightRuleRecord } from '../records.ts';
import { fieldsOf, type InsightDefinition, meets } from './definition.ts';
import { definitionOf } from './managed.ts';

/** An event of a log group. */
interface LogEvent {
  timestamp: number;
  message: string;
}

/** Values of a contributor in a period. */
interface Contributor {
  keys: string[];
  total: number;
  byPeriod: Map<number, number>;
}

const DEFAULT_CONTRIBUTORS = 10;
/** Maximum periods of a report: the minutes of 15 days, for which AWS keeps them. */
const MAX_PERIODS = 15 * 24 * 60;
/** Metrics of rules. */
export const RULE_METRICS: readonly string[] = [
  'UniqueContributors',
  'MaxContributorValue',
  'SampleCount',
  'Sum',
  'Minimum',
  'Maximum',
  'Average',
];

/** Caller of CloudWatch Logs. */
type Caller = Pick<ServiceCaller, 'call'>;

/** Time range in epoch milliseconds; the period is in milliseconds. */
interface Times {
  readonly start: number;
  readonly end: number;
  readonly period: number;
}

/** Yields the events of the rule's log groups in a time range; none without CloudWatch Logs or matching groups. */
async function* eventsOf(
  { groups }: InsightDefinition,
  startTime: number,
  endTime: number,
  transformed: boolean,
  ctx: Caller,
): AsyncIterable<LogEvent> {
  for (const logGroupName of await groupsOf(groups, ctx)) {
    let nextToken: string | undefined;
    do {
      if (transformed) {
        const page = await ctx.call('logs', 'ReadTransformedEvents', { logGroupName, startTime, endTime, nextToken });
        yield* page.events;
        ({ nextToken } = page);
        continue;
      }
      const input = { logGroupName, startTime, endTime: endTime - 1, ...(nextToken !== undefined && { nextToken }) };
      const page = await ctx.call('logs', 'FilterLogEvents', input);
      for (const { timestamp, message } of page.events ?? [])
        if (timestamp !== undefined && message !== undefined) yield { timestamp, message };
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
  }
}

/** Returns the names of a rule's log groups, expanding trailing asterisks. */
async function groupsOf(patterns: readonly string[], ctx: Caller): Promise<Set<string>> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const prefix = pattern.replace(/\*$/, '');
    let nextToken: string | undefined;
    do {
      const input = { ...(prefix && { logGroupNamePrefix: prefix }), ...(nextToken !== undefined && { nextToken }) };
      const page = await ctx.call('logs', 'DescribeLogGroups', input);
      for (const { logGroupName = '' } of page.logGroups ?? [])
        if (pattern.endsWith('*') || logGroupName === pattern) found.add(logGroupName);
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
  }
  return found;
}

/** Counts the contributors of a rule in a time range, starting at the rule's creation. */
async function contributorsOf(
  rule: DeepReadonly<InsightRuleRecord>,
  definition: InsightDefinition,
  { start, end, period }: Times,
  ctx: Caller,
): Promise<Contributor[]> {
  const contributors = new Map<string, Contributor>();
  try {
    const since = Math.max(start, rule.createdAt - (rule.createdAt % 60_000));
    if (rule.enabled && since < end)
      for await (const event of eventsOf(definition, since, end, rule.transformed, ctx))
        count(definition, event, start, period, contributors);
  } catch (error) {
    // Without CloudWatch Logs there are no events.
    if (!(error instanceof AwsError) || error.code !== 'NotImplemented') throw error;
  }
  return [...contributors.values()];
}

/** Whether a time range has more periods than a report. */
const isTooLong = ({ start, end, period }: Times): boolean => !((end - start) / period <= MAX_PERIODS);

/**
 * Returns the report of a time range.
 * @throws AwsError `InvalidParameterValue` for too many periods
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetInsightRuleReport.html
 */
export async function reportOf(
  rule: DeepReadonly<InsightRuleRecord>,
  input: GetInsightRuleReportInput,
  ctx: Caller,
): Promise<GetInsightRuleReportOutput> {
  const definition = definitionOf(rule);
  const period = input.Period * 1000;
  const start = Math.floor(input.StartTime.getTime() / period) * period;
  const end = input.EndTime.getTime();
  if (isTooLong({ start, end, period }))
    throw invalidParameterValue(
      `The time range has more than ${MAX_PERIODS} periods. Increase Period, or decrease the time range.`,
    );
  const ranked = await contributorsOf(rule, definition, { start, end, period }, ctx);
  ranked.sort((a, b) => rankOf(b, input.OrderBy) - rankOf(a, input.OrderBy));
  const total = ranked.reduce((sum, contributor) => sum + contributor.total, 0);
  return {
    KeyLabels: [...definition.keys],
    AggregationStatistic: definition.aggregateOn === 'Count' ? 'SampleCount' : 'Sum',
    AggregateValue: total,
    ApproximateUniqueCount: ranked.length,
    Contributors: ranked
      .slice(0, input.MaxContributorCount ?? DEFAULT_CONTRIBUTORS)
      .map(({ keys, total: value, byPeriod }) => ({
        Keys: keys,
        ApproximateAggregateValue: value,
        Datapoints: [...byPeriod]
          .sort(([a], [b]) => a - b)
          .map(([at, ApproximateValue]) => ({ Timestamp: new Date(at), ApproximateValue })),
      })),
    MetricDatapoints: datapoints(ranked, start, end, period, input.Metrics),
  };
}

/**
 * Returns a metric of a rule per period, for expressions.
 * @param name for example `UniqueContributors`
 * @param period seconds
 * @param range epoch seconds
 * @returns undefined for an unknown metric
 * @throws AwsError `ValidationError` for too many periods
 */
export async function contributorsByTime(
  rule: DeepReadonly<InsightRuleRecord>,
  name: string,
  period: number,
  range: { readonly start: number; readonly end: number },
  ctx: Caller,
): Promise<{ times: number[]; values: number[] } | undefined> {
  if (!RULE_METRICS.includes(name)) return undefined;
  const times: Times = { start: range.start * 1000, end: range.end * 1000, period: period * 1000 };
  if (isTooLong(times)) throw invalid(`INSIGHT_RULE_METRIC returns at most ${MAX_PERIODS} periods.`);
  const contributors = await contributorsOf(rule, definitionOf(rule), times, ctx);
  const points = datapoints(contributors, times.start, times.end, times.period, [name]);
  return {
    times: points.map(({ Timestamp }) => Timestamp.getTime() / 1000),
    values: points.map((point) => point[name as 'Sum'] ?? 0),
  };
}

function count(
  definition: InsightDefinition,
  { timestamp, message }: LogEvent,
  start: number,
  period: number,
  contributors: Map<string, Contributor>,
): void {
  const field = fieldsOf(definition, message);
  if (!field || !definition.filters.every((filter) => meets(filter, field(filter.Match)))) return;
  const keys = definition.keys.map(field);
  if (keys.some((key) => key === undefined || key === null)) return;
  const value = definition.aggregateOn === 'Count' ? 1 : Number(field(definition.valueOf!));
  if (!Number.isFinite(value)) return;
  const texts = keys.map(String);
  const id = JSON.stringify(texts);
  let contributor = contributors.get(id);
  if (!contributor) {
    contributor = { keys: texts, total: 0, byPeriod: new Map() };
    contributors.set(id, contributor);
  }
  const at = start + Math.floor((timestamp - start) / period) * period;
  contributor.total += value;
  contributor.byPeriod.set(at, (contributor.byPeriod.get(at) ?? 0) + value);
}

const rankOf = ({ total, byPeriod }: Contributor, orderBy = 'Sum'): number =>
  orderBy === 'Maximum' ? Math.max(...byPeriod.values()) : total;

/** Returns the totals of all contributors per period. */
function datapoints(
  contributors: readonly Contributor[],
  start: number,
  end: number,
  period: number,
  metrics: readonly string[] = [],
): NonNullable<GetInsightRuleReportOutput['MetricDatapoints']> {
  const points: NonNullable<GetInsightRuleReportOutput['MetricDatapoints']> = [];
  const shown = metrics.length ? metrics : ['UniqueContributors'];
  const byPeriod = new Map<number, number[]>();
  for (const contributor of contributors)
    for (const [at, value] of contributor.byPeriod) {
      const values = byPeriod.get(at);
      if (values) values.push(value);
      else byPeriod.set(at, [value]);
    }
  for (let at = start; at < end; at += period) {
    const values = byPeriod.get(at) ?? [];
    let [sum, least, most] = [0, Number.POSITIVE_INFINITY, 0];
    for (const value of values) {
      sum += value;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    const known = {
      UniqueContributors: values.length,
      MaxContributorValue: most,
      SampleCount: values.length,
      Sum: sum,
      Minimum: values.length ? least : 0,
      Maximum: most,
      Average: values.length ? sum / values.length : 0,
    };
    points.push({
      Timestamp: new Date(at),
      ...Object.fromEntries(Object.entries(known).filter(([name]) => shown.includes(name))),
    });
  }
  return points;
}
