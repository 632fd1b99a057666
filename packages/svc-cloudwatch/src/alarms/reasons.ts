import type { ComparisonOperator, StateValue } from '@emu/service-types/cloudwatch';
import type { MetricAlarm } from '../state.ts';
import type { Judgement, Slot, Treatment } from './decide.ts';
import { Double, jsonText } from './json.ts';
import { metricStatOf, periodOf } from './observe.ts';
import { numberText, shortTime, timeText } from './text.ts';

/** Reason of an alarm's state: a sentence, and JSON text. */
export interface Reason {
  text: string;
  data: string;
}

const COMPARISONS: Readonly<Record<ComparisonOperator, string>> = {
  GreaterThanOrEqualToThreshold: 'greater than or equal to',
  GreaterThanThreshold: 'greater than',
  LessThanThreshold: 'less than',
  LessThanOrEqualToThreshold: 'less than or equal to',
  LessThanLowerOrGreaterThanUpperThreshold: '',
  LessThanLowerThreshold: '',
  GreaterThanUpperThreshold: '',
};
const TREATMENTS: Readonly<Record<Treatment, string>> = {
  breaching: 'Breaching',
  notBreaching: 'NonBreaching',
  ignore: 'Ignore',
  missing: 'Missing',
};

/** Returns the comparison with the threshold. */
export function breachesBy(settings: MetricAlarm['settings']): (slot: Slot) => boolean {
  const { ComparisonOperator: operator, Threshold: threshold = 0 } = settings;
  switch (operator) {
    case 'GreaterThanOrEqualToThreshold':
      return ({ value }) => value >= threshold;
    case 'LessThanThreshold':
      return ({ value }) => value < threshold;
    case 'LessThanOrEqualToThreshold':
      return ({ value }) => value <= threshold;
    case 'LessThanLowerOrGreaterThanUpperThreshold':
      return ({ value, lower = -Infinity, upper = Infinity }) => value < lower || value > upper;
    case 'LessThanLowerThreshold':
      return ({ value, lower = -Infinity }) => value < lower;
    case 'GreaterThanUpperThreshold':
      return ({ value, upper = Infinity }) => value > upper;
    default:
      return ({ value }) => value > threshold;
  }
}

const plural = (count: number, one: string): string => (count === 1 ? one : `${one}s`);
const listed = (slots: readonly Slot[], of: (slot: Slot) => number = ({ value }) => value): string =>
  slots.map((slot) => `${numberText(of(slot))} (${shortTime(slot.at)})`).join(', ');

/**
 * Returns the reason of a new state, with AWS's text.
 * @param state the new state
 * @param now epoch milliseconds
 */
export function reasonFor(alarm: MetricAlarm, judgement: Judgement, state: StateValue, now: number): Reason {
  const data = jsonText(reasonData(alarm, judgement, now));
  if (state === 'INSUFFICIENT_DATA') {
    const count = judgement.evaluated.length;
    return {
      text: `Insufficient Data: ${count} ${plural(count, 'datapoint')} ${count === 1 ? 'was' : 'were'} unknown.`,
      data,
    };
  }
  return { text: crossed(alarm, judgement, state), data };
}

function crossed({ settings, state: from }: MetricAlarm, judgement: Judgement, state: StateValue): string {
  const { breaching, evaluated, missing } = judgement;
  const treatment = (settings.TreatMissingData ?? 'missing') as Treatment;
  const existing = evaluated.filter((slot) => slot !== undefined);
  const filled =
    missing > 0 && (treatment === 'breaching' || treatment === 'notBreaching')
      ? `${missing} missing ${plural(missing, 'datapoint')} ${missing === 1 ? 'was' : 'were'} treated as [${TREATMENTS[treatment]}]`
      : undefined;
  if (!existing.length) {
    const periods = settings.EvaluationPeriods ?? 1;
    return `Threshold Crossed: no datapoints were received for ${periods} ${plural(periods, 'period')}${filled ? ` and ${filled}` : ''}.`;
  }
  const alarming = state === 'ALARM';
  const shown = alarming ? breaching : existing.filter((slot) => !breaching.includes(slot));
  const count = shown.length;
  const of = settings.EvaluationPeriods ?? 1;
  const { DatapointsToAlarm: needed } = settings;
  const counted =
    needed === undefined ? `${count} ${plural(count, 'datapoint')}` : `${count} out of the last ${of} datapoints`;
  const verb = `${count === 1 ? 'was' : 'were'}${alarming ? '' : ' not'}`;
  const head = settings.ThresholdMetricId === undefined ? 'Threshold Crossed' : 'Thresholds Crossed';
  const transition =
    needed === undefined ? '' : ` ${minimum(alarming ? needed : of - needed + 1, alarming ? 'OK' : from, state)}`;
  return `${head}: ${counted} [${listed(shown)}] ${verb} ${comparison(settings, shown)}${transition}${filled ? ` and ${filled}` : ''}.`;
}

function minimum(count: number, from: StateValue, to: StateValue): string {
  const left = to === 'OK' ? 'ALARM' : from;
  return `(minimum ${count} ${plural(count, 'datapoint')} for ${left} -> ${to} transition)`;
}

function comparison(settings: MetricAlarm['settings'], shown: readonly Slot[]): string {
  const operator = settings.ComparisonOperator ?? 'GreaterThanThreshold';
  const lower = `less than the lower thresholds [${listed(shown, (slot) => slot.lower ?? Number.NaN)}]`;
  const upper = `greater than the upper thresholds [${listed(shown, (slot) => slot.upper ?? Number.NaN)}]`;
  switch (operator) {
    case 'LessThanLowerOrGreaterThanUpperThreshold':
      return `${lower} or ${upper}`;
    case 'LessThanLowerThreshold':
      return lower;
    case 'GreaterThanUpperThreshold':
      return upper;
    default:
      return `${COMPARISONS[operator]} the threshold (${numberText(settings.Threshold ?? 0)})`;
  }
}

/** Returns the reason data in AWS's order. */
function reasonData({ settings }: MetricAlarm, { evaluated }: Judgement, now: number): Record<string, unknown> {
  const existing = evaluated.filter((slot) => slot !== undefined);
  const oldestFirst = existing.toReversed();
  const stat = metricStatOf(settings);
  const band = settings.ThresholdMetricId !== undefined;
  const period = periodOf(settings);
  const newest = evaluated.find((slot) => slot !== undefined);
  const end = newest ? newest.at + evaluated.indexOf(newest) * period : Math.floor(now / 60_000) * 60;
  return {
    version: '1.0',
    queryDate: timeText(now),
    ...(oldestFirst[0] && { startDate: timeText(oldestFirst[0].at * 1000) }),
    ...(settings.Unit && { unit: settings.Unit }),
    ...(stat && { statistic: stat.Stat }),
    period,
    recentDatapoints: oldestFirst.map(({ value }) => new Double(value)),
    ...(band
      ? {
          recentLowerThresholds: oldestFirst.map(({ lower }) => new Double(lower ?? 0)),
          recentUpperThresholds: oldestFirst.map(({ upper }) => new Double(upper ?? 0)),
        }
      : { threshold: new Double(settings.Threshold ?? 0) }),
    evaluatedDatapoints: evaluated.map((slot, index) =>
      slot
        ? {
            timestamp: timeText(slot.at * 1000),
            ...(slot.sampleCount !== undefined && { sampleCount: new Double(slot.sampleCount) }),
            value: new Double(slot.value),
          }
        : { timestamp: timeText((end - index * period) * 1000) },
    ),
  };
}
