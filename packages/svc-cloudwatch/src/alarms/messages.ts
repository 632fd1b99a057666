import type { Dimension, MetricDataQuery, StateValue } from '@emu/service-types/cloudwatch';
import { alarmType } from '../resources.ts';
import type { Alarm, CloudwatchState, CompositeAlarm, MetricAlarm } from '../state.ts';
import { double, jsonText } from './json.ts';
import { regionText, timeText } from './text.ts';

/** A state change in messages. */
export interface StateChange {
  alarm: Alarm;
  /** Previous state of the alarm. */
  previous: { state: StateValue; reason: string; reasonData?: string | undefined; updatedAt: number };
  /** Whether its actions were delayed by a mute rule. */
  afterMute: boolean;
}

const STATISTICS: Readonly<Record<string, string>> = {
  Average: 'AVERAGE',
  SampleCount: 'SAMPLE_COUNT',
  Sum: 'SUM',
  Minimum: 'MINIMUM',
  Maximum: 'MAXIMUM',
};

/** Returns the ARN of an alarm. */
export const alarmArn = (state: CloudwatchState, name: string): string => alarmType.arn({ name }, state);

/** Returns the subject of a notification. */
export function subjectOf(state: CloudwatchState, { alarm }: StateChange): string {
  const subject = `${alarm.state}: "${alarm.name}" in ${regionText(state.region)}`;
  return subject.length > 100 ? `${subject.slice(0, 97)}...` : subject;
}

/**
 * Returns the SNS message.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
 */
export function notification(state: CloudwatchState, change: StateChange): string {
  const { alarm, previous, afterMute } = change;
  const { settings } = alarm;
  return jsonText({
    AlarmName: alarm.name,
    AlarmDescription: settings.AlarmDescription ?? null,
    AWSAccountId: state.accountId,
    ...(alarm.type === 'MetricAlarm' && { AlarmConfigurationUpdatedTimestamp: timeText(alarm.configuredAt) }),
    NewStateValue: alarm.state,
    NewStateReason: alarm.reason,
    StateChangeTime: timeText(alarm.updatedAt),
    Region: regionText(state.region),
    AlarmArn: alarmArn(state, alarm.name),
    OldStateValue: previous.state,
    ...(alarm.type === 'MetricAlarm' && { ActionExecutedAfterMuteWindow: afterMute }),
    OKActions: settings.OKActions ?? [],
    AlarmActions: settings.AlarmActions ?? [],
    InsufficientDataActions: settings.InsufficientDataActions ?? [],
    ...(alarm.type === 'MetricAlarm' ? { Trigger: triggerOf(alarm) } : compositeFacts(alarm)),
  });
}

/** Returns the children that triggered a composite alarm's state. */
function compositeFacts(alarm: CompositeAlarm) {
  const { triggeringAlarms = [] } = JSON.parse(alarm.reasonData ?? '{}') as {
    triggeringAlarms?: { arn: string; state: { value: string; timestamp: string } }[];
  };
  return {
    AlarmRule: alarm.settings.AlarmRule,
    TriggeringChildren: triggeringAlarms.map(({ arn, state: { value, timestamp } }) => ({
      Arn: arn,
      State: { Value: value, Timestamp: timestamp },
    })),
  };
}

const dimensionsOf = (dimensions: readonly Readonly<Dimension>[] = []) =>
  dimensions.map(({ Name, Value }) => ({ value: Value, name: Name }));

/** Returns the metric and the threshold of an alarm. */
function triggerOf({ settings }: MetricAlarm) {
  const { Statistic, ExtendedStatistic, DatapointsToAlarm, Metrics } = settings;
  const rules = {
    Period: settings.Period ?? 60,
    EvaluationPeriods: settings.EvaluationPeriods,
    ...(DatapointsToAlarm !== undefined && { DatapointsToAlarm }),
    ComparisonOperator: settings.ComparisonOperator,
    ...(settings.ThresholdMetricId === undefined
      ? { Threshold: double(settings.Threshold) }
      : { ThresholdMetricId: settings.ThresholdMetricId }),
    TreatMissingData: settings.TreatMissingData ?? '',
    EvaluateLowSampleCountPercentile: settings.EvaluateLowSampleCountPercentile ?? '',
  };
  if (Metrics) return { ...rules, Metrics: Metrics.map((query) => queryOf(query as MetricDataQuery)) };
  return {
    MetricName: settings.MetricName,
    Namespace: settings.Namespace,
    ...(Statistic === undefined
      ? { StatisticType: 'ExtendedStatistic', ExtendedStatistic }
      : { StatisticType: 'Statistic', Statistic: STATISTICS[Statistic] }),
    Unit: settings.Unit ?? null,
    Dimensions: dimensionsOf(settings.Dimensions),
    ...rules,
  };
}

function queryOf({ Id, Expression, Label, MetricStat, ReturnData = true }: MetricDataQuery) {
  return {
    ...(Expression !== undefined && { Expression }),
    Id,
    ...(Label !== undefined && { Label }),
    ...(MetricStat && {
      MetricStat: {
        Metric: {
          Dimensions: dimensionsOf(MetricStat.Metric.Dimensions),
          MetricName: MetricStat.Metric.MetricName,
          Namespace: MetricStat.Metric.Namespace,
        },
        Period: MetricStat.Period,
        Stat: MetricStat.Stat,
        ...(MetricStat.Unit && { Unit: MetricStat.Unit }),
      },
    }),
    ReturnData,
  };
}

/** Returns an alarm's metrics in the form of events and function payloads; undefined for a composite alarm. */
function configurationOf(state: CloudwatchState, alarm: Alarm) {
  const { AlarmDescription: description } = alarm.settings;
  const described = { ...(description !== undefined && { description }) };
  if (alarm.type === 'CompositeAlarm') {
    const { AlarmRule, ActionsSuppressor, ActionsSuppressorWaitPeriod, ActionsSuppressorExtensionPeriod } =
      alarm.settings;
    return {
      ...described,
      alarmRule: AlarmRule,
      ...(ActionsSuppressor !== undefined && {
        actionsSuppressor: ActionsSuppressor,
        actionsSuppressorWaitPeriod: ActionsSuppressorWaitPeriod,
        actionsSuppressorExtensionPeriod: ActionsSuppressorExtensionPeriod,
      }),
    };
  }
  const { Metrics, Namespace, MetricName, Dimensions, Period, Statistic, ExtendedStatistic, Unit } = alarm.settings;
  const queries: readonly MetricDataQuery[] = (Metrics as MetricDataQuery[] | undefined) ?? [
    {
      Id: idOf(state, alarm.name),
      MetricStat: {
        Metric: { Namespace, MetricName, Dimensions: Dimensions as Dimension[] | undefined },
        Period: Period ?? 60,
        Stat: Statistic ?? ExtendedStatistic ?? 'Average',
        ...(Unit && { Unit }),
      },
      ReturnData: true,
    },
  ];
  return {
    ...described,
    metrics: queries.map(({ Id, Expression, Label, MetricStat, ReturnData = true }) => ({
      id: Id,
      ...(Expression !== undefined && { expression: Expression }),
      ...(Label !== undefined && { label: Label }),
      ...(MetricStat && {
        metricStat: {
          metric: {
            namespace: MetricStat.Metric.Namespace,
            name: MetricStat.Metric.MetricName,
            dimensions: Object.fromEntries(
              (MetricStat.Metric.Dimensions ?? []).map(({ Name, Value }) => [Name, Value]),
            ),
          },
          period: MetricStat.Period,
          stat: MetricStat.Stat,
          ...(MetricStat.Unit && { unit: MetricStat.Unit }),
        },
      }),
      returnData: ReturnData,
    })),
  };
}

/** Generated ids of alarms' own metrics, stable while the emulator runs. */
const ids = new WeakMap<CloudwatchState, Map<string, string>>();

function idOf(state: CloudwatchState, name: string): string {
  let known = ids.get(state);
  if (!known) {
    known = new Map();
    ids.set(state, known);
  }
  let id = known.get(name);
  if (id === undefined) {
    id = state.ids.uuid();
    known.set(name, id);
  }
  return id;
}

interface StateFacts {
  state: StateValue;
  reason: string;
  reasonData?: string | undefined;
  updatedAt: number;
}

const stateFacts = ({ state, reason, reasonData, updatedAt }: StateFacts) => ({
  value: state,
  reason,
  ...(reasonData !== undefined && { reasonData }),
  timestamp: timeText(updatedAt),
});

/** Returns the payload for a Lambda function. */
export function functionEvent(state: CloudwatchState, change: StateChange): string {
  return jsonText({
    source: 'aws.cloudwatch',
    alarmArn: alarmArn(state, change.alarm.name),
    accountId: state.accountId,
    time: timeText(change.alarm.updatedAt),
    region: state.region,
    alarmData: stateChangeDetail(state, change),
  });
}

/** Returns the detail of a `CloudWatch Alarm State Change` event. */
export function stateChangeDetail(state: CloudwatchState, { alarm, previous }: StateChange) {
  return {
    alarmName: alarm.name,
    state: stateFacts(alarm),
    previousState: stateFacts(previous),
    configuration: configurationOf(state, alarm),
  };
}

/** Returns the detail of a `CloudWatch Alarm Configuration Change` event. */
export function configurationDetail(
  state: CloudwatchState,
  operation: 'create' | 'update' | 'delete',
  alarm: Alarm,
  previous?: Alarm,
) {
  const described = (known: Alarm) => ({
    alarmName: known.name,
    actionsEnabled: known.settings.ActionsEnabled ?? true,
    timestamp: timeText(known.configuredAt),
    okActions: known.settings.OKActions ?? [],
    alarmActions: known.settings.AlarmActions ?? [],
    insufficientDataActions: known.settings.InsufficientDataActions ?? [],
    ...(known.type === 'MetricAlarm' && {
      evaluationPeriods: known.settings.EvaluationPeriods,
      ...(known.settings.DatapointsToAlarm !== undefined && { datapointsToAlarm: known.settings.DatapointsToAlarm }),
      ...(known.settings.Threshold !== undefined && { threshold: double(known.settings.Threshold) }),
      comparisonOperator: known.settings.ComparisonOperator,
      treatMissingData: known.settings.TreatMissingData ?? 'missing',
    }),
    ...configurationOf(state, known),
  });
  return {
    alarmName: alarm.name,
    operation,
    state: stateFacts(alarm),
    configuration: described(alarm),
    ...(previous && { previousConfiguration: described(previous) }),
  };
}
