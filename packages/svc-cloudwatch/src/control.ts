import type { CloudWatchAlarm, CloudWatchMetric, DeclareRoute } from '@emu/control-client';
import {
  type ControlRoute,
  controlRoute,
  MetricBoard,
  type MetricIdentity,
  metricBoard,
  type Place,
  type RegionMetrics,
  type ServiceHandle,
} from '@emu/core/service';
import { type Series, seriesKey, startOf } from './metrics/store.ts';
import type { Alarm, CloudwatchState } from './state.ts';

type Handle = ServiceHandle<CloudwatchState>;

const route: DeclareRoute<Handle, ControlRoute<CloudwatchState>> = controlRoute;

/** Seconds per reporting interval of services. */
const MINUTE = 60;

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

/** A metric in responses, with the start of its newest datapoint's minute in epoch seconds. */
interface ShownMetric extends MetricIdentity {
  datapointCount: number;
  newest: { minute: number; at: number; value: number; unit: string };
}

function shownOf({ namespace, name, dimensions, parts }: Series): ShownMetric | undefined {
  let newest = parts[0]?.point;
  let datapointCount = 0;
  for (const { point } of parts) {
    datapointCount += point.data;
    if (newest === undefined || point.lastAt >= newest.lastAt) newest = point;
  }
  if (!newest) return undefined;
  const { at: minute, lastAt: at, last: value, unit } = newest;
  return { namespace, name, dimensions, unit, datapointCount, newest: { minute, at, value, unit } };
}

/**
 * Returns the metrics of an account and region by key, including pending reports of services, which are not absorbed.
 */
function metricsAt(state: CloudwatchState | undefined, reported: RegionMetrics | undefined, now: number) {
  const shown = new Map<string, ShownMetric>();
  for (const series of state?.metrics.list() ?? []) {
    const metric = shownOf(series);
    if (metric) shown.set(series.key, metric);
  }
  const add = (metric: MetricIdentity, at: number, data: number, value: number, isLevel: boolean): void => {
    const key = seriesKey(metric.namespace, metric.name, metric.dimensions);
    const known = shown.get(key);
    const minute = startOf(at / 1000, MINUTE);
    // A level replaces the one of the same minute.
    const added = isLevel && known?.newest.minute === minute ? 0 : data;
    const newest = known && known.newest.at > at ? known.newest : { minute, at, value, unit: metric.unit };
    shown.set(key, { ...metric, datapointCount: (known?.datapointCount ?? 0) + added, newest });
  };
  for (const { metric, at, values } of state?.pending() ?? reported?.peek() ?? [])
    add(metric, at, values.size, [...values.keys()].at(-1)!, false);
  for (const { metric, value } of reported?.read(now) ?? []) add(metric, now, 1, value, true);
  return [...shown].sort(([a], [b]) => byText(a, b)).map(([, metric]) => metric);
}

const describeMetric = ({ accountId, region }: Place, metric: ShownMetric): CloudWatchMetric => ({
  accountId,
  region,
  namespace: metric.namespace,
  metricName: metric.name,
  dimensions: metric.dimensions.map(({ Name, Value }) => ({ name: Name, value: Value })),
  datapointCount: metric.datapointCount,
  latest: {
    timestamp: new Date(metric.newest.at).toISOString(),
    value: metric.newest.value,
    unit: metric.newest.unit,
  },
});

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Lists the alarms of all accounts and regions, ordered by name. */
const alarms = route('GET /_emulator/cloudwatch/alarms', (_request, service) => ({
  json: {
    alarms: [...service.states()].flatMap(({ state }) =>
      [...state.alarms.values()].sort((a, b) => byText(a.name, b.name)).map((alarm) => alarmOf(state, alarm)),
    ),
  },
}));

/** Lists the metrics of all accounts and regions, ordered by namespace, name and dimensions. */
const metrics = route('GET /_emulator/cloudwatch/metrics', async (_request, service) => {
  const offered = await service.capability(metricBoard);
  const board = offered instanceof MetricBoard ? offered : undefined;
  // Services may have reported metrics before the first request to CloudWatch.
  const places = new Map<string, Place>();
  for (const { accountId, region } of [...service.states(), ...(board?.places() ?? [])])
    places.set(`${accountId}/${region}`, { accountId, region });
  const metrics = [...places.values()].flatMap(({ accountId, region }) => {
    const state = service.existingState(accountId, region);
    const found = metricsAt(state, board?.of(accountId, region), service.clock.now());
    return found.map((metric) => describeMetric({ accountId, region }, metric));
  });
  return { json: { metrics } };
});

/** Control routes for alarms and metrics. */
export const control: readonly ControlRoute<CloudwatchState>[] = [alarms, metrics];
