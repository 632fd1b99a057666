import { createHash } from 'node:crypto';
import type { DeepReadonly } from '@emu/core/service';
import type {
  AnomalyDetector,
  DeleteAnomalyDetectorInput,
  Dimension,
  InputOf,
  MetricDataQuery,
  OutputOf,
  PutAnomalyDetectorInput,
} from '@emu/service-types/cloudwatch';
import { TRAINING } from '../anomalies.ts';
import type { CloudwatchContext } from '../context.ts';
import { invalidCombination, missingParameter, noSuchResource } from '../errors.ts';
import { seriesKey, sortedDimensions } from '../metrics/store.ts';
import { periodsOf } from '../metrics/time-series.ts';
import { paging } from '../paging.ts';
import { checkQueries } from '../queries/validate.ts';
import type { AnomalyDetectorRecord } from '../records.ts';
import type { CloudwatchState } from '../state.ts';

type Named = PutAnomalyDetectorInput | DeleteAnomalyDetectorInput;

/** Number of past hours with data that a model requires. */
const MIN_HOURS = 3;

/**
 * Creates or replaces an anomaly detector on a metric or an expression.
 * @throws AwsError `InvalidParameterCombination`, `MissingParameter`, `ValidationError`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutAnomalyDetector.html
 */
export function PutAnomalyDetector(
  input: InputOf<'PutAnomalyDetector'>,
  ctx: CloudwatchContext,
): OutputOf<'PutAnomalyDetector'> {
  const watched = detectorSubject(input, ctx);
  const { Configuration: configuration, MetricCharacteristics: characteristics } = input;
  ctx.state.anomalyDetectors.put(keyOf(watched), {
    ...watched,
    ...(configuration?.ExcludedTimeRanges && {
      excluded: configuration.ExcludedTimeRanges.map(({ StartTime, EndTime }) => ({
        from: StartTime.getTime(),
        to: EndTime.getTime(),
      })),
    }),
    ...(configuration?.MetricTimezone !== undefined && { timezone: configuration.MetricTimezone }),
    ...(characteristics && { characteristics }),
  });
  return {};
}

/**
 * Deletes an anomaly detector.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterCombination`, `MissingParameter`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DeleteAnomalyDetector.html
 */
export function DeleteAnomalyDetector(
  input: InputOf<'DeleteAnomalyDetector'>,
  ctx: CloudwatchContext,
): OutputOf<'DeleteAnomalyDetector'> {
  const key = keyOf(detectorSubject(input, ctx));
  if (!ctx.state.anomalyDetectors.delete(key))
    throw noSuchResource('The anomaly detector does not exist.', 'AnomalyDetector', key);
  return {};
}

/**
 * Returns the subject of a detector in an input.
 * @throws AwsError if there is none or more than one
 */
function detectorSubject(input: Named, ctx: CloudwatchContext): Pick<AnomalyDetectorRecord, 'single' | 'math'> {
  const { SingleMetricAnomalyDetector: single, MetricMathAnomalyDetector: math } = input;
  const plain = input.MetricName !== undefined || input.Namespace !== undefined || input.Stat !== undefined;
  if ([single, math, plain || undefined].filter((given) => given !== undefined).length > 1)
    throw invalidCombination(
      'Only one of SingleMetricAnomalyDetector, MetricMathAnomalyDetector, and Namespace with MetricName and Stat may be specified.',
    );
  if (math) {
    const queries = math.MetricDataQueries ?? [];
    if (!queries.length)
      throw missingParameter('The parameter MetricMathAnomalyDetector.MetricDataQueries is required.');
    checkQueries(queries, 'MetricMathAnomalyDetector.MetricDataQueries');
    return { math: queries };
  }
  const { Namespace, MetricName, Dimensions, Stat } = single ?? input;
  for (const [member, value] of Object.entries({ Namespace, MetricName, Stat }))
    if (value === undefined) throw missingParameter(`The parameter ${member} is required.`);
  return {
    single: {
      AccountId: single?.AccountId ?? ctx.accountId,
      Namespace,
      MetricName,
      Dimensions: sortedDimensions(Dimensions),
      Stat,
    },
  };
}

function keyOf({ single, math }: DeepReadonly<Pick<AnomalyDetectorRecord, 'single' | 'math'>>): string {
  if (!single) return createHash('sha256').update(JSON.stringify(math)).digest('hex');
  const metric = seriesKey(single.Namespace ?? '', single.MetricName ?? '', (single.Dimensions ?? []) as Dimension[]);
  return `${single.AccountId} ${single.Stat} ${metric}`;
}

/**
 * Lists anomaly detectors, by default those of metrics.
 * @throws AwsError `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAnomalyDetectors.html
 */
export function DescribeAnomalyDetectors(
  input: InputOf<'DescribeAnomalyDetectors'>,
  ctx: CloudwatchContext,
): OutputOf<'DescribeAnomalyDetectors'> {
  const { state } = ctx;
  state.absorb();
  const types = input.AnomalyDetectorTypes?.length ? input.AnomalyDetectorTypes : ['SINGLE_METRIC'];
  const wanted = input.Dimensions && JSON.stringify(sortedDimensions(input.Dimensions));
  const found = [...state.anomalyDetectors.entries()].filter(([, { single, math }]) => {
    const metrics = single
      ? [single]
      : (math ?? []).flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
    return (
      types.includes(single ? 'SINGLE_METRIC' : 'METRIC_MATH') &&
      metrics.some(
        ({ Namespace, MetricName, Dimensions }) =>
          (input.Namespace === undefined || Namespace === input.Namespace) &&
          (input.MetricName === undefined || MetricName === input.MetricName) &&
          (wanted === undefined || JSON.stringify(sortedDimensions(Dimensions)) === wanted),
      )
    );
  });
  return paging
    .page('DescribeAnomalyDetectors', input, found, ([key]) => key)
    .list(([, detector]) => answerOf(state, detector as AnomalyDetectorRecord));
}

function answerOf(state: CloudwatchState, detector: AnomalyDetectorRecord): AnomalyDetector {
  const { single, math, excluded = [], timezone, characteristics } = detector;
  const common = {
    Configuration: {
      ExcludedTimeRanges: excluded.map(({ from, to }) => ({ StartTime: new Date(from), EndTime: new Date(to) })),
      ...(timezone !== undefined && { MetricTimezone: timezone }),
    },
    ...(characteristics && { MetricCharacteristics: characteristics }),
  };
  if (!single)
    return {
      ...common,
      StateValue: 'PENDING_TRAINING',
      MetricMathAnomalyDetector: { MetricDataQueries: math as MetricDataQuery[] },
    };
  const { Namespace, MetricName, Dimensions, Stat } = single;
  return {
    Namespace,
    MetricName,
    Dimensions,
    Stat,
    ...common,
    StateValue: trained(state, detector) ? 'TRAINED' : 'PENDING_TRAINING',
    SingleMetricAnomalyDetector: single,
  };
}

/** Whether a metric has enough data in the training period. */
function trained({ metrics, clock }: CloudwatchState, { single }: AnomalyDetectorRecord): boolean {
  const series = metrics.find(single?.Namespace ?? '', single?.MetricName ?? '', single?.Dimensions ?? []);
  const end = clock.now() / 1000;
  const [hours = []] = periodsOf(series, { start: end - TRAINING, end }, 3600).values();
  return hours.length >= MIN_HOURS;
}
