import type { MetricStat } from '@emu/service-types/cloudwatch';
import type { NamedSeries } from '../math/values.ts';
import type { Series } from '../metrics/store.ts';

/** Facts about a metric for its label. */
export interface LabelFacts {
  accountId: string;
  region: string;
  metric?: MetricStat;
  /** Series found by a search. */
  found?: Series;
}

/** Returns default labels of metrics: the metric's name and what distinguishes it in the request. */
export function defaultLabels(stats: readonly MetricStat[]): string[] {
  const differ = (of: (stat: MetricStat) => unknown) => new Set(stats.map(of)).size > 1;
  const statistics = differ(({ Stat }) => Stat);
  const periods = differ(({ Period }) => Period);
  const names = differ(({ Metric }) => Metric.MetricName);
  if (names) return stats.map(({ Metric }) => Metric.MetricName ?? '');
  return stats.map(({ Metric, Stat, Period }) =>
    [Metric.MetricName, ...(statistics ? [Stat] : []), ...(periods ? [Period] : [])].join(' '),
  );
}

/** Returns labels for search results: their differences, or the metric's name. */
export function foundLabels(found: readonly Series[]): string[] {
  const names = new Set(found.flatMap(({ dimensions }) => dimensions.map(({ Name }) => Name)));
  const dimensionOf = (series: Series, name: string) =>
    series.dimensions.find(({ Name }) => Name === name)?.Value ?? '';
  const distinguishing = [...names].filter(
    (name) => new Set(found.map((series) => dimensionOf(series, name))).size > 1,
  );
  const metrics = new Set(found.map(({ name }) => name)).size > 1;
  return found.map((series) => {
    const parts = distinguishing.map((name) => dimensionOf(series, name)).filter(Boolean);
    return [...parts, ...(metrics || !parts.length ? [series.name] : [])].join(' ');
  });
}

const DYNAMIC = /\$\{([A-Z_]+)(?:\(\s*'([^']*)'\s*\))?\}/g;

/**
 * Fills in a label's dynamic values, such as `${MAX}` and `${PROP('Dim.QueueName')}`.
 * @param own value of `${LABEL}`
 * @param timezone offset such as `+0130`, for times
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/graph-dynamic-labels.html
 */
export function fillLabel(
  label: string,
  own: string,
  series: NamedSeries,
  facts: LabelFacts,
  timezone: string,
): string {
  return label.replace(DYNAMIC, (whole, name: string, property: string | undefined) => {
    if (name === 'LABEL') return own;
    if (name === 'PROP') return propertyOf(property ?? '', facts) ?? whole;
    const value = dynamicValue(name, series, timezone);
    return value ?? whole;
  });
}

function propertyOf(name: string, { accountId, region, metric, found }: LabelFacts): string | undefined {
  const dimensions = metric?.Metric.Dimensions ?? found?.dimensions ?? [];
  if (name.startsWith('Dim.')) return dimensions.find(({ Name }) => Name === name.slice(4))?.Value;
  switch (name) {
    case 'AccountId':
    case 'AccountLabel':
      return accountId;
    case 'Region':
      return region;
    case 'MetricName':
      return metric?.Metric.MetricName ?? found?.name;
    case 'Namespace':
      return metric?.Metric.Namespace ?? found?.namespace;
    case 'Period':
      return metric && String(metric.Period);
    case 'Stat':
      return metric?.Stat;
    default:
      return undefined;
  }
}

function dynamicValue(name: string, { times, values }: NamedSeries, timezone: string): string | undefined {
  if (name === 'DATAPOINT_COUNT') return String(values.length);
  if (!values.length) return /^(AVG|FIRST|LAST|MAX|MIN|SUM)/.test(name) ? '--' : undefined;
  const max = Math.max(...values);
  const min = Math.min(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  const [first, last] = [values[0]!, values.at(-1)!];
  const time = (value: number) => timeText(times[values.indexOf(value)]!, timezone);
  switch (name) {
    case 'AVG':
      return numberText(sum / values.length);
    case 'SUM':
      return numberText(sum);
    case 'MAX':
      return numberText(max);
    case 'MIN':
      return numberText(min);
    case 'FIRST':
      return numberText(first);
    case 'LAST':
      return numberText(last);
    case 'MIN_MAX_RANGE':
      return `${numberText(min)} - ${numberText(max)}`;
    case 'FIRST_LAST_RANGE':
      return `${numberText(first)} - ${numberText(last)}`;
    case 'MAX_TIME':
      return time(max);
    case 'MIN_TIME':
      return time(min);
    case 'FIRST_TIME':
      return timeText(times[0]!, timezone);
    case 'LAST_TIME':
      return timeText(times.at(-1)!, timezone);
    case 'MIN_MAX_TIME_RANGE':
      return `${time(min)} - ${time(max)}`;
    case 'FIRST_LAST_TIME_RANGE':
      return `${timeText(times[0]!, timezone)} - ${timeText(times.at(-1)!, timezone)}`;
    default:
      return undefined;
  }
}

/** Formats a number with up to three decimal places. */
const numberText = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Formats a time in a time zone as ISO 8601. */
function timeText(seconds: number, timezone: string): string {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(timezone) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
  return `${new Date((seconds + offset) * 1000).toISOString().slice(0, 19)}${offset ? timezone : 'Z'}`;
}
