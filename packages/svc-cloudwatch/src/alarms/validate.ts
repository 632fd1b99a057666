import { parseArn } from '@emu/core/service';
import type { MetricDataQuery, PutMetricAlarmInput } from '@emu/service-types/cloudwatch';
import { invalid, invalidCombination, invalidParameterValue } from '../errors.ts';
import { idsOf, MathError, parseExpression } from '../math/parse.ts';
import { statisticOf } from '../metrics/statistics.ts';
import { isInsightsQuery, parseInsights } from '../queries/insights.ts';
import { checkQueries } from '../queries/validate.ts';

const TREATMENTS = ['breaching', 'notBreaching', 'ignore', 'missing'];
const SHORT_PERIODS = [10, 20, 30];
const DAY = 86_400;
const WEEK = 7 * DAY;
const MAX_ACTIONS = 5;
const BAND_OPERATORS = [
  'LessThanLowerOrGreaterThanUpperThreshold',
  'LessThanLowerThreshold',
  'GreaterThanUpperThreshold',
];
const ACTION_SERVICES = [
  'sns',
  'lambda',
  'ssm',
  'ssm-incidents',
  'automate',
  'autoscaling',
  'swf',
  'ssm-contacts',
  'aiops',
];

type Actions = Pick<PutMetricAlarmInput, 'AlarmActions' | 'OKActions' | 'InsufficientDataActions'>;

/**
 * Validates the actions of an alarm.
 * @throws AwsError `ValidationError` for unsupported actions
 */
export function checkActions(input: Actions): void {
  for (const member of ['AlarmActions', 'OKActions', 'InsufficientDataActions'] as const) {
    const actions = input[member] ?? [];
    if (actions.length > MAX_ACTIONS)
      throw invalid(`The collection ${member} must not have a size greater than ${MAX_ACTIONS}.`);
    for (const action of actions) {
      const service = parseArn(action)?.service;
      if (service === undefined || !ACTION_SERVICES.includes(service)) throw invalid(`Invalid arn syntax: ${action}`);
    }
  }
}

/**
 * Validates a metric alarm.
 * @throws AwsError `ValidationError`, `InvalidParameterCombination`, `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
 */
export function checkMetricAlarm(input: PutMetricAlarmInput): void {
  checkActions(input);
  const { TreatMissingData: treatment, EvaluateLowSampleCountPercentile: lowSamples } = input;
  if (treatment !== undefined && !TREATMENTS.includes(treatment))
    throw invalid(
      `The value ${treatment} is not supported for TreatMissingData parameter. Supported values are [${TREATMENTS.join(', ')}].`,
    );
  if (lowSamples !== undefined && lowSamples !== 'evaluate' && lowSamples !== 'ignore')
    throw invalid(
      `Option ${lowSamples} is not supported. Supported options for parameter EvaluateLowSampleCountPercentile are evaluate and ignore.`,
    );
  if (input.ComparisonOperator === undefined) throw invalid('ComparisonOperator must not be null');
  if (input.EvaluationPeriods === undefined) throw invalid('EvaluationPeriods must not be null');
  if ((input.DatapointsToAlarm ?? 0) > input.EvaluationPeriods)
    throw invalid('DatapointsToAlarm must be less than or equal to EvaluationPeriods');
  if (input.Metrics) checkExpressionAlarm(input);
  else checkSingleMetric(input);
  checkThreshold(input);
}

function checkSingleMetric(input: PutMetricAlarmInput): void {
  const { MetricName, Namespace, Statistic, ExtendedStatistic, Period, EvaluationPeriods = 1 } = input;
  if (MetricName === undefined || Namespace === undefined)
    throw invalid('Either MetricName and Namespace, or Metrics must be specified');
  if (Statistic !== undefined && ExtendedStatistic !== undefined)
    throw invalidCombination(
      'The parameters Statistic and ExtendedStatistic are mutually exclusive and you have specified both.',
    );
  if (Statistic === undefined && ExtendedStatistic === undefined)
    throw invalidCombination('Must specify either Statistic or ExtendedStatistic');
  if (ExtendedStatistic !== undefined && !statisticOf(ExtendedStatistic))
    throw invalidParameterValue(`The value ${ExtendedStatistic} for parameter ExtendedStatistic is not supported.`);
  if (Statistic !== undefined && input.EvaluateLowSampleCountPercentile !== undefined)
    throw invalid(`Option evaluateLowSampleCountPercentile can not be applied with statistic ${Statistic}.`);
  if (Period === undefined) throw invalid('Period must not be null');
  checkPeriod(Period, EvaluationPeriods);
}

function checkPeriod(period: number, evaluationPeriods: number): void {
  if (!SHORT_PERIODS.includes(period) && period % 60) throw invalid('Period must be 10, 30 or a multiple of 60');
  const most = period < 3600 ? DAY : WEEK;
  if (period * evaluationPeriods > most)
    throw invalid(
      `Metrics cannot be checked across more than ${most === DAY ? 'a day' : 'a week'} (EvaluationPeriods * Period must be <= ${most}).`,
    );
}

function checkExpressionAlarm(input: PutMetricAlarmInput): void {
  const { Metrics = [], ThresholdMetricId } = input;
  const exclusive = [
    'MetricName',
    'Namespace',
    'Statistic',
    'ExtendedStatistic',
    'Period',
    'Unit',
    'Dimensions',
  ] as const;
  const given = exclusive.find((member) =>
    member === 'Dimensions' ? input.Dimensions?.length : input[member] !== undefined,
  );
  if (given)
    throw invalidCombination(`The parameters ${given} and Metrics are mutually exclusive and you have specified both.`);
  checkQueries(Metrics, 'Metrics');
  checkExpressions(Metrics);
  const returned = Metrics.filter(({ ReturnData }) => ReturnData !== false);
  if (ThresholdMetricId === undefined) {
    if (returned.length !== 1) throw invalid('Exactly one element of the metrics list should return data.');
    for (const { MetricStat } of Metrics) if (MetricStat) checkPeriod(MetricStat.Period, input.EvaluationPeriods ?? 1);
    return;
  }
  if (!Metrics.some(({ Id }) => Id === ThresholdMetricId))
    throw invalid('Metrics list must contain exactly one metric matching the ThresholdMetricId parameter');
  if (returned.length !== 2) throw invalid('Exactly two elements of the metrics list should return data.');
}

/**
 * Validates the expressions of an alarm.
 * @throws AwsError `ValidationError` for an invalid expression, or an unknown id in it
 */
function checkExpressions(queries: readonly MetricDataQuery[]): void {
  const ids = new Set(queries.map(({ Id }) => Id));
  for (const { Id, Expression: text } of queries) {
    if (text === undefined) continue;
    try {
      if (isInsightsQuery(text)) parseInsights(text);
      else {
        const unknown = [...idsOf(parseExpression(text))].find((id) => !ids.has(id));
        if (unknown !== undefined) throw new MathError(`Unknown id: ${unknown}`);
      }
    } catch (error) {
      if (error instanceof MathError) throw invalid(`Error in expression '${Id}': ${error.message}`);
      throw error;
    }
  }
}

function checkThreshold({ ComparisonOperator, Threshold, ThresholdMetricId }: PutMetricAlarmInput): void {
  const band = BAND_OPERATORS.includes(ComparisonOperator ?? '');
  if (ThresholdMetricId !== undefined) {
    if (Threshold !== undefined)
      throw invalidCombination(
        'The parameters Threshold and ThresholdMetricId are mutually exclusive and you have specified both.',
      );
    if (!band)
      throw invalid(`ComparisonOperator ${ComparisonOperator} is not supported for alarms with ThresholdMetricId`);
    return;
  }
  if (band) throw invalid('ThresholdMetricId must not be null for anomaly detection alarms');
  if (Threshold === undefined) throw invalid('Threshold must not be null');
}
