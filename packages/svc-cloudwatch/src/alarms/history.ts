import type { HistoryRecord } from '../records.ts';
import type { Alarm, CloudwatchState } from '../state.ts';
import { Double, jsonText, Raw } from './json.ts';
import type { StateChange } from './messages.ts';
import { alarmArn } from './messages.ts';
import { timeText } from './text.ts';

/** Retention of history, in milliseconds. */
const RETENTION = 30 * 86_400_000;

/** Adds an entry to an alarm's history and evicts expired ones. */
export function remember(
  state: CloudwatchState,
  alarm: Alarm,
  entry: Pick<HistoryRecord, 'type' | 'summary' | 'contributor'> & { data: unknown },
): void {
  const now = state.clock.now();
  for (const [key, { at }] of state.history.entries()) {
    if (at >= now - RETENTION) break;
    state.history.delete(key);
  }
  state.history.put(state.nextHistoryKey(), {
    alarm: alarm.name,
    alarmType: alarm.type,
    at: now,
    ...entry,
    data: jsonText(entry.data),
  });
}

/** Records the creation, change or deletion of an alarm. */
export function recordConfiguration(
  state: CloudwatchState,
  operation: 'Create' | 'Update' | 'Delete',
  alarm: Alarm,
): void {
  const done = { Create: 'created', Update: 'updated', Delete: 'deleted' }[operation];
  const member = `${done}Alarm`;
  remember(state, alarm, {
    type: 'ConfigurationUpdate',
    summary: `Alarm "${alarm.name}" ${done}`,
    data: { version: '1.0', type: operation, [member]: factsOf(state, alarm) },
  });
}

/** Records a state change. */
export function recordState(state: CloudwatchState, { alarm, previous }: StateChange): void {
  remember(state, alarm, {
    type: 'StateUpdate',
    summary: `Alarm updated from ${previous.state} to ${alarm.state}`,
    data: {
      version: '1.0',
      oldState: stateFacts(previous),
      newState: stateFacts(alarm),
    },
  });
}

function stateFacts({ state, reason, reasonData }: { state: string; reason: string; reasonData?: string | undefined }) {
  return {
    stateValue: state,
    stateReason: reason,
    ...(reasonData !== undefined && { stateReasonData: new Raw(reasonData) }),
  };
}

/** Returns an alarm in the form of its history. */
function factsOf(state: CloudwatchState, alarm: Alarm) {
  const { Threshold, ...settings } = alarm.settings as MetricSettings;
  const members = Object.entries(settings)
    .filter(([name, value]) => value !== undefined && name !== 'AlarmName')
    .map(([name, value]) => [name[0]!.toLowerCase() + name.slice(1), value]);
  return {
    alarmName: alarm.name,
    alarmArn: alarmArn(state, alarm.name),
    ...Object.fromEntries(members),
    ...(Threshold !== undefined && { threshold: new Double(Threshold) }),
    actionsEnabled: alarm.settings.ActionsEnabled ?? true,
    stateValue: alarm.state,
    stateUpdatedTimestamp: timeText(alarm.updatedAt),
    alarmConfigurationUpdatedTimestamp: timeText(alarm.configuredAt),
  };
}

interface MetricSettings {
  Threshold?: number;
}
