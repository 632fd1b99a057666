import type { Alarm, CloudwatchState, CompositeAlarm } from '../state.ts';
import { runActions } from './actions.ts';
import { suppressorOf } from './composite.ts';

const DEFAULT_WAIT = 0;

/**
 * Whether an alarm's actions run now; those of a composite alarm may be suppressed or delayed.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Composite_Alarm.html#Composite_Alarm_Suppression
 */
export function mayAct(state: CloudwatchState, alarm: Alarm, cause: string): boolean {
  if (alarm.type !== 'CompositeAlarm') return true;
  const suppressor = suppressorOf(alarm);
  if (suppressor === undefined) return true;
  if (state.alarms.get(suppressor)?.state === 'ALARM') {
    suppress(state, alarm.name, 'Alarm', `${suppressor} is in ALARM`, undefined, cause);
    return false;
  }
  if (alarm.suppression?.by === 'ExtensionPeriod') return false;
  const wait = (alarm.settings.ActionsSuppressorWaitPeriod ?? DEFAULT_WAIT) * 1000;
  suppress(state, alarm.name, 'WaitPeriod', `Waiting for ${suppressor}`, state.clock.now() + wait, cause);
  return false;
}

/** Updates the suppression of composite alarms after a change of their suppressor. */
export function suppressorChanged(
  state: CloudwatchState,
  alarm: CompositeAlarm,
  suppressor: Alarm,
  cause: string,
): Promise<unknown> {
  if (suppressor.state === 'ALARM') {
    if (alarm.suppression) suppress(state, alarm.name, 'Alarm', `${suppressor.name} is in ALARM`, undefined, cause);
  } else if (alarm.suppression?.by === 'Alarm') {
    const extension = (alarm.settings.ActionsSuppressorExtensionPeriod ?? DEFAULT_WAIT) * 1000;
    const until = state.clock.now() + extension;
    suppress(state, alarm.name, 'ExtensionPeriod', `${suppressor.name} left ALARM`, until, cause);
  }
  return Promise.resolve();
}

function suppress(
  state: CloudwatchState,
  name: string,
  by: 'WaitPeriod' | 'ExtensionPeriod' | 'Alarm',
  reason: string,
  until: number | undefined,
  cause: string,
): void {
  const alarm = state.alarms.update(name, (draft) => {
    if (draft.type === 'CompositeAlarm') draft.suppression = { by, reason, ...(until !== undefined && { until }) };
  });
  awaitSuppression(state, alarm, cause);
}

/** Sets the timer for the end of a composite alarm's suppression. */
export function awaitSuppression(state: CloudwatchState, alarm: Alarm, cause: string): void {
  const key = `suppression ${alarm.name}`;
  const until = alarm.type === 'CompositeAlarm' ? alarm.suppression?.until : undefined;
  if (until === undefined) state.due.cancel(key);
  else state.due.set(key, until, () => endSuppression(state, alarm.name, cause));
}

/** Runs delayed actions if the state differs from the one of the last actions. */
function endSuppression(state: CloudwatchState, name: string, cause: string): Promise<void> {
  const before = state.compositeAlarm(name);
  if (!before) return Promise.resolve();
  const alarm = state.alarms.update(name, (draft) => {
    if (draft.type !== 'CompositeAlarm') return;
    delete draft.suppression;
    draft.actedOn = draft.state;
  });
  if (before.actedOn === alarm.state) return Promise.resolve();
  return runActions(state, { alarm, previous: previousOf(before), afterMute: false }, cause);
}

/** Returns the state before an alarm's last change, which is the other of two states. */
const previousOf = (alarm: CompositeAlarm): Pick<CompositeAlarm, 'state' | 'reason' | 'updatedAt'> => ({
  state: alarm.actedOn ?? (alarm.state === 'ALARM' ? 'OK' : 'ALARM'),
  reason: alarm.reason,
  updatedAt: alarm.updatedAt,
});
