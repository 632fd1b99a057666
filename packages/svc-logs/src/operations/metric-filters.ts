import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, MetricFilter, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter, limitExceeded, notFound } from '../errors.ts';
import { checkClass } from '../groups/group-classes.ts';
import { groupNamed } from '../lookup.ts';
import { checkExpressions } from '../metric-filters/pattern-quota.ts';
import { parseSystemCriteria, systemFieldsOf } from '../metric-filters/system-fields.ts';
import { paging } from '../paging.ts';
import { parsePattern } from '../patterns/parse.ts';
import { keyIn, type MetricFilterRecord } from '../records.ts';

/** Maximum number of metric filters per group, and of dimensions per filter. */
const MAX_FILTERS = 100;
const MAX_DIMENSIONS = 3;

/**
 * Creates or updates a metric filter.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`, `LimitExceededException`,
 * `InvalidOperationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutMetricFilter.html
 */
export function PutMetricFilter(input: InputOf<'PutMetricFilter'>, ctx: LogsContext): OutputOf<'PutMetricFilter'> {
  const { filterName: name, filterPattern, metricTransformations, applyOnTransformedLogs = false } = input;
  const { fieldSelectionCriteria: criteria, emitSystemFieldDimensions } = input;
  parseSystemCriteria(criteria);
  const systemDimensions = systemFieldsOf(emitSystemFieldDimensions);
  if (!systemDimensions)
    throw invalidParameter('The system fields that metrics have as dimensions must be @aws.account or @aws.region.');
  const pattern = parsePattern(filterPattern);
  const { state, group } = groupNamed(input.logGroupName, ctx);
  checkClass(group, 'PutMetricFilter');
  for (const { dimensions = {}, defaultValue, metricValue } of metricTransformations) {
    if (Object.keys(dimensions).length + systemDimensions.length > MAX_DIMENSIONS)
      throw invalidParameter(`A metric transformation can have no more than ${MAX_DIMENSIONS} dimensions.`);
    if (Object.keys(dimensions).length && defaultValue !== undefined)
      throw invalidParameter(
        'Invalid metric transformation: default value and dimensions are mutually exclusive parameters.',
      );
    if (!metricValue.startsWith('$') && !Number.isFinite(Number(metricValue || 'x')))
      throw invalidParameter(`Invalid metric transformation: metric value '${metricValue}' is not a number.`);
  }
  const key = keyIn(group.name, name);
  const existing = state.metricFilters.get(key);
  if (!existing && state.metrics.of(group.name).length >= MAX_FILTERS) throw limitExceeded();
  checkExpressions(state, group.name, pattern, key);
  state.metricFilters.put(key, {
    group: group.name,
    name,
    pattern: filterPattern,
    transformations: metricTransformations,
    onTransformed: applyOnTransformedLogs,
    ...(criteria && { criteria }),
    ...(systemDimensions.length && { systemDimensions }),
    createdAt: existing?.createdAt ?? ctx.clock.now(),
  });
  return {};
}

/**
 * Deletes a metric filter.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteMetricFilter.html
 */
export function DeleteMetricFilter(
  input: InputOf<'DeleteMetricFilter'>,
  ctx: LogsContext,
): OutputOf<'DeleteMetricFilter'> {
  const { state, group } = groupNamed(input.logGroupName, ctx);
  if (!state.metricFilters.delete(keyIn(group.name, input.filterName)))
    throw notFound('The specified metric filter does not exist.');
  return {};
}

/**
 * Lists metric filters by group, name prefix or metric.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeMetricFilters.html
 */
export function DescribeMetricFilters(
  input: InputOf<'DescribeMetricFilters'>,
  ctx: LogsContext,
): OutputOf<'DescribeMetricFilters'> {
  const { logGroupName, filterNamePrefix: prefix, metricName, metricNamespace } = input;
  if ((metricName === undefined) !== (metricNamespace === undefined))
    throw invalidParameter('Metric name and metric namespace must be specified together.');
  if (logGroupName !== undefined) groupNamed(logGroupName, ctx);
  const found = [...ctx.state.metricFilters.values()].filter(
    ({ group, name, transformations }) =>
      (logGroupName === undefined || group === logGroupName) &&
      (prefix === undefined || name.startsWith(prefix)) &&
      (metricName === undefined ||
        transformations.some((item) => item.metricName === metricName && item.metricNamespace === metricNamespace)),
  );
  return paging.page('DescribeMetricFilters', input, found, ({ name, group }) => `${name} ${group}`).list(describe);
}

const describe = (filter: DeepReadonly<MetricFilterRecord>): MetricFilter => ({
  filterName: filter.name,
  filterPattern: filter.pattern,
  metricTransformations: filter.transformations.map(({ dimensions, ...transformation }) => ({
    ...transformation,
    ...(dimensions && { dimensions: { ...dimensions } }),
  })),
  creationTime: filter.createdAt,
  logGroupName: filter.group,
  applyOnTransformedLogs: filter.onTransformed,
  ...(filter.criteria !== undefined && { fieldSelectionCriteria: filter.criteria }),
  ...(filter.systemDimensions && { emitSystemFieldDimensions: [...filter.systemDimensions] }),
});

/**
 * Returns the messages that match a pattern, with extracted values.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_TestMetricFilter.html
 */
export function TestMetricFilter(input: InputOf<'TestMetricFilter'>): OutputOf<'TestMetricFilter'> {
  const pattern = parsePattern(input.filterPattern);
  return {
    matches: input.logEventMessages.flatMap((eventMessage, index) =>
      pattern.test(eventMessage)
        ? [{ eventNumber: index + 1, eventMessage, extractedValues: pattern.extract(eventMessage) }]
        : [],
    ),
  };
}
