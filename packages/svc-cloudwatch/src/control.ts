import type { CloudWatchAlarm, CloudWatchMetric, ControlRouteOf } from '@emu/control-client';
import { type ControlRoute, MetricBoard, metricBoard, type ServiceHandle } from '@emu/core';
import type { Series } from './metrics/store.ts';
import type { Alarm, CloudwatchState } from './state.ts';

type Handle = ServiceHandle<CloudwatchState>;

const listed = (actions: readonly string[] | undefined): string[] => [...(actions ?? [])];

function alarmOf({ accountId, region }: CloudwatchState, alarm: Alarm): CloudWatchAlarm {
  const { settings } = alarm;
  const common = {
    accountId,
    region,
    name: alarm.name,
    state: alarm.state,
    stateReason: alarm.reason,
    stateUpdatedTimestamp: new Date(alarm.updatedAt).toISOString(),
    actionsEnabled: settings.ActionsEnabled ?? true,
    alarmActions: listed(settings.AlarmActions),
    okActions: listed(settings.OKActions),
    insufficientDataActions: listed(settings.InsufficientDataActions),
  };
  if (alarm.type === 'CompositeAlarm') return { ...common, type: 'composite', alarmRule: alarm.settings.AlarmRule };
  const { Namespace, MetricName, Threshold, ComparisonOperator = '' } = alarm.settings;
  return {
    ...common,
    type: 'metric',
    ...(Namespace !== undefined && { namespace: Namespace }),
    ...(MetricName !== undefined && { metricName: MetricName }),
    ...(Threshold !== undefined && { threshold: Threshold }),
    comparisonOperator: ComparisonOperator,
  };
}

function metricOf({ accountId, region }: CloudwatchState, series: Series): CloudWatchMetric[] {
  let newest = series.parts[0]?.point;
  let datapointCount = 0;
  for (const { point } of series.parts) {
    datapointCount += point.data;
    if (newest === undefined || point.lastAt >= newest.lastAt) newest = point;
  }
  if (!newest) return [];
  return [
    {
      accountId,
      region,
      namespace: series.namespace,
      metricName: series.name,
      dimensions: series.dimensions.map(({ Name, Value }) => ({ name: Name, value: Value })),
      datapointCount,
      latest: { timestamp: new Date(newest.lastAt).toISOString(), value: newest.last, unit: newest.unit },
    },
  ];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Alarms of every account and region, in order of their names. */
const alarms: ControlRouteOf<'GET /_emulator/cloudwatch/alarms', Handle> = {
  method: 'GET',
  path: '/_emulator/cloudwatch/alarms',
  handle: (_request, service) => ({
    json: {
      alarms: [...service.states()].flatMap(({ state }) =>
        [...state.alarms.values()].sort((a, b) => byText(a.name, b.name)).map((alarm) => alarmOf(state, alarm)),
      ),
    },
  }),
};

/** Metrics of every account and region, in order of namespace, name and dimensions. */
const metrics: ControlRouteOf<'GET /_emulator/cloudwatch/metrics', Handle> = {
  method: 'GET',
  path: '/_emulator/cloudwatch/metrics',
  async handle(_request, service) {
    const board = await service.capability(metricBoard);
    // Where services have reported metrics, there is something to see though nobody has asked CloudWatch yet.
    if (board instanceof MetricBoard)
      for (const { accountId, region } of board.places()) service.state(accountId, region);
    const found = [...service.states()].flatMap(({ state }) => {
      state.absorb();
      const series = [...state.metrics.list()].sort((a, b) => byText(a.key, b.key));
      return series.flatMap((each) => metricOf(state, each));
    });
    return { json: { metrics: found } };
  },
};

/** The routes that show CloudWatch's alarms and metrics. */
export const control: readonly ControlRoute<CloudwatchState>[] = [alarms, metrics];
