import { Slices } from '@emu/core/service';
import type {
  DimensionFilter,
  GetMetricDataInput,
  GetMetricDataOutput,
  InputOf,
  OutputOf,
} from '@emu/service-types/cloudwatch';
import { dataChanged } from '../alarms/schedule.ts';
import type { CloudwatchContext } from '../context.ts';
import { invalid, invalidCombination, invalidParameterValue, missingParameter } from '../errors.ts';
import { MathError } from '../math/parse.ts';
import { checkData, checkEntity, putData } from '../metrics/put.ts';
import { BASIC_STATISTICS, statisticOf } from '../metrics/statistics.ts';
import { type Series, sortedDimensions } from '../metrics/store.ts';
import { periodsOf, rangeOf, type TimeRange } from '../metrics/time-series.ts';
import { paging } from '../paging.ts';
import { prepare } from '../queries/prepare.ts';
import { type QueryResult, QueryRunner } from '../queries/run.ts';
import { checkQueries, isPeriod } from '../queries/validate.ts';

const MAX_DATAPOINTS = 1440;
const MAX_DATAPOINTS_OF_PAGE = 100_800;
const TWO_WEEKS = 14 * 86_400;
const THREE_HOURS = 3 * 3600;

/**
 * Adds data to metrics, which the first datum creates.
 * @throws AwsError `InvalidParameterValue`, `InvalidParameterCombination`, `MissingParameter`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricData.html
 */
export function PutMetricData(input: InputOf<'PutMetricData'>, ctx: CloudwatchContext): OutputOf<'PutMetricData'> {
  const { state } = ctx;
  const { Namespace, MetricData: data = [], EntityMetricData: entities = [] } = input;
  const now = ctx.clock.now();
  if (!data.length && !entities.length)
    throw missingParameter('The parameter MetricData or EntityMetricData is required.');
  // AWS's own namespaces are reserved for its services, which call without HTTP.
  if (ctx.http && Namespace.startsWith('AWS/'))
    throw invalidParameterValue('The value AWS/ for parameter Namespace is invalid.');
  checkData(data, 'MetricData', now);
  for (const [index, { Entity, MetricData }] of entities.entries()) {
    const path = `EntityMetricData.member.${index + 1}`;
    if (input.StrictEntityValidation) checkEntity(Entity, path);
    checkData(MetricData ?? [], `${path}.MetricData`, now);
  }
  const keys = putData(state, Namespace, data);
  for (const { MetricData = [] } of entities) for (const key of putData(state, Namespace, MetricData)) keys.add(key);
  dataChanged(state, keys, ctx.requestId);
  return {};
}

/**
 * Returns metrics and the results of expressions.
 * @throws AwsError `ValidationError`, `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 */
export async function GetMetricData(
  input: InputOf<'GetMetricData'>,
  ctx: CloudwatchContext,
): Promise<OutputOf<'GetMetricData'>> {
  const { StartTime, EndTime, MetricDataQueries: queries, ScanBy, LabelOptions, MaxDatapoints } = input;
  checkQueries(queries, 'MetricDataQueries');
  const [start, end] = [StartTime.getTime(), EndTime.getTime()];
  if (Math.floor(start / 1000) === Math.floor(end / 1000))
    throw invalid('The parameter StartTime must not equal parameter EndTime.');
  if (start > end) throw invalid('The parameter EndTime must be greater than StartTime.');
  if (MaxDatapoints !== undefined && !(MaxDatapoints >= 1 && MaxDatapoints <= MAX_DATAPOINTS_OF_PAGE))
    throw invalid(`The parameter MaxDatapoints must be between 1 and ${MAX_DATAPOINTS_OF_PAGE}.`);
  const { state } = ctx;
  state.noteUsage(queries);
  state.absorb();
  const now = ctx.clock.now();
  const own = queries.filter(({ AccountId }) => AccountId === undefined || AccountId === ctx.accountId);
  const timesOf = (period: number): TimeRange => rangeOf(StartTime, EndTime, period, now);
  const runner = new QueryRunner(state, {
    queries: own,
    rangeOf: timesOf,
    prepared: await prepare(state, own, timesOf),
    timezone: LabelOptions?.Timezone,
  });
  const results: (QueryResult & { forbidden?: true })[] = [];
  const slices = new Slices();
  for (const query of queries) {
    if (query.ReturnData === false) continue;
    if (query.AccountId !== undefined && query.AccountId !== ctx.accountId) {
      const series = { label: query.Label ?? query.Id, period: 0, times: [], values: [] };
      results.push({ id: query.Id, series, messages: [], forbidden: true });
    } else
      try {
        results.push(...(await slices.run(runner.resultsInSteps(query))));
      } catch (error) {
        if (!(error instanceof MathError)) throw error;
        throw invalid(`Error in expression '${query.Id}': ${error.message}`);
      }
  }
  return pageOf(results, input, ScanBy === 'TimestampAscending');
}

/** Limits results to the datapoints of a page. */
function pageOf(
  results: readonly (QueryResult & { forbidden?: true })[],
  input: GetMetricDataInput,
  ascending: boolean,
): GetMetricDataOutput {
  const skipped = Number(paging.after('GetMetricData', input) ?? 0);
  const limit = input.MaxDatapoints ?? MAX_DATAPOINTS_OF_PAGE;
  let seen = 0;
  let left = limit;
  const shown: GetMetricDataOutput['MetricDataResults'] = [];
  for (const { id, series, messages, forbidden } of results) {
    const size = series.times.length;
    const from = Math.min(Math.max(skipped - seen, 0), size);
    const wasShown = skipped > 0 && seen + size <= skipped;
    seen += size;
    if (wasShown || (left === 0 && size > 0)) continue;
    const take = Math.min(size - from, left);
    left -= take;
    const order = <T>(list: readonly T[]): T[] => (ascending ? [...list] : list.toReversed()).slice(from, from + take);
    shown.push({
      Id: id,
      Label: series.label,
      Timestamps: order(series.times).map((time) => new Date(time * 1000)),
      Values: order(series.values),
      StatusCode: forbidden ? 'Forbidden' : from + take < size ? 'PartialData' : (series.status ?? 'Complete'),
      ...(messages.length && { Messages: messages }),
    });
  }
  const total = results.reduce((sum, { series }) => sum + series.times.length, 0);
  const end = skipped + (limit - left);
  return {
    MetricDataResults: shown,
    Messages: [],
    ...paging.next('GetMetricData', input, end < total ? String(end) : undefined),
  };
}

/**
 * Returns statistics of one metric.
 * @throws AwsError `InvalidParameterValue`, `InvalidParameterCombination`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricStatistics.html
 */
export function GetMetricStatistics(
  input: InputOf<'GetMetricStatistics'>,
  ctx: CloudwatchContext,
): OutputOf<'GetMetricStatistics'> {
  const { StartTime, EndTime, Period, Statistics = [], ExtendedStatistics = [], Unit } = input;
  if (StartTime >= EndTime)
    throw invalidParameterValue('The parameter StartTime must be less than the parameter EndTime.');
  if (!Statistics.length && !ExtendedStatistics.length)
    throw invalidCombination('Must specify either Statistics or ExtendedStatistics');
  if (Statistics.length && ExtendedStatistics.length)
    throw invalidCombination(
      'The parameters Statistics and ExtendedStatistics are mutually exclusive and you have specified both.',
    );
  if (!isPeriod(Period))
    throw invalidParameterValue('The parameter Period must be 1, 5, 10, 20, 30 or a multiple of 60.');
  const requested = Math.floor((EndTime.getTime() - StartTime.getTime()) / 1000 / Period);
  if (requested > MAX_DATAPOINTS)
    throw invalidCombination(
      `You have requested up to ${requested} datapoints, which exceeds the limit of ${MAX_DATAPOINTS}. You may reduce the datapoints requested by increasing Period, or decreasing the time range.`,
    );
  const extended = ExtendedStatistics.map((name) => {
    const compute = BASIC_STATISTICS.includes(name) ? undefined : statisticOf(name);
    if (!compute) throw invalidParameterValue(`The value ${name} for parameter ExtendedStatistics is not supported.`);
    return { name, compute };
  });
  const { state } = ctx;
  state.noteUsage(input.Namespace);
  state.absorb();
  const series = state.metrics.find(input.Namespace, input.MetricName, sortedDimensions(input.Dimensions));
  const range = rangeOf(StartTime, EndTime, Period, ctx.clock.now());
  const datapoints = [...periodsOf(series, range, Period, Unit)].flatMap(([unit, periods]) =>
    periods.map((period) => {
      const known = extended.flatMap(({ name, compute }) => {
        const value = compute(period);
        return value === undefined ? [] : [[name, value] as const];
      });
      return {
        Timestamp: new Date(period.at * 1000),
        ...Object.fromEntries(Statistics.map((name) => [name, statisticOf(name)!(period)])),
        ...(known.length && { ExtendedStatistics: Object.fromEntries(known) }),
        Unit: unit as 'None',
      };
    }),
  );
  return { Label: input.MetricName, Datapoints: datapoints };
}

/**
 * Lists the metrics with data in the last two weeks, or in the last three hours.
 * @throws AwsError `InvalidParameterValue`, `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_ListMetrics.html
 */
export function ListMetrics(input: InputOf<'ListMetrics'>, ctx: CloudwatchContext): OutputOf<'ListMetrics'> {
  const { state } = ctx;
  state.noteUsage(input.Namespace);
  state.absorb();
  const { Namespace, MetricName, Dimensions: filters = [], RecentlyActive, OwningAccount } = input;
  const since = ctx.clock.now() / 1000 - (RecentlyActive ? THREE_HOURS : TWO_WEEKS);
  const found = [...state.metrics.list()].filter(
    (series) =>
      (Namespace === undefined || series.namespace === Namespace) &&
      (MetricName === undefined || series.name === MetricName) &&
      (OwningAccount === undefined || OwningAccount === ctx.accountId) &&
      filters.every((filter) => hasDimension(series, filter)) &&
      series.parts.some(({ point }) => point.lastAt / 1000 >= since),
  );
  const page = paging.page('ListMetrics', input, found, ({ key }) => key);
  return {
    Metrics: page.items.map(({ namespace, name, dimensions }) => ({
      Namespace: namespace,
      MetricName: name,
      Dimensions: dimensions.map((dimension) => ({ ...dimension })),
    })),
    ...(input.IncludeLinkedAccounts && { OwningAccounts: page.items.map(() => ctx.accountId) }),
    ...page.next,
  };
}

function hasDimension({ dimensions }: Series, { Name: name, Value: value }: DimensionFilter): boolean {
  return dimensions.some((dimension) => dimension.Name === name && (value === undefined || dimension.Value === value));
}
