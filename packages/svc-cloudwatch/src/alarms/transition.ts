import type { StateValue } from '@emu/service-types/cloudwatch';
import type { Alarm, CloudwatchState, CompositeAlarm } from '../state.ts';
import { announceState, runActions } from './actions.ts';
import { childrenOf, compositesOf, isCircular, nameIn, ruleOf, suppressorOf } from './composite.ts';
import { recordState } from './history.ts';
import { jsonText } from './json.ts';
import { alarmArn, type StateChange } from './messages.ts';
import { isMuted } from './mute.ts';
import type { Reason } from './reasons.ts';
import { holds } from './rule.ts';
import { mayAct, suppressorChanged } from './suppression.ts';
import { longTime, timeText } from './text.ts';

/**
 * Changes the state of an alarm with all effects: its history, actions, an event, and the composite alarms that depend
 * on it, which change in the same step.
 * @param cause id of the request or timer run that caused it
 * @returns a promise of the actions; the states have changed when this returns
 */
export function enter(
  state: CloudwatchState,
  name: string,
  value: StateValue,
  reason: Omit<Reason, 'data'> & { data?: string | undefined },
  cause: string,
): Promise<unknown> {
  const before = state.alarms.get(name);
  if (!before) return Promise.resolve();
  const now = state.clock.now();
  const alarm = state.alarms.update(name, (draft) => {
    if (draft.state !== value) draft.transitionedAt = now;
    draft.state = value;
    draft.reason = reason.text;
    if (reason.data === undefined) delete draft.reasonData;
    else draft.reasonData = reason.data;
    draft.updatedAt = now;
  });
  if (before.state === value) return Promise.resolve();
  const change: StateChange = { alarm, previous: before, afterMute: false };
  recordState(state, change);
  const work: Promise<unknown>[] = [announceState(state, change, cause)];
  if (isMuted(state, name)) hold(state, name);
  else if (mayAct(state, alarm, cause)) work.push(runActions(state, change, cause));
  for (const parent of compositesOf(state, name)) work.push(evaluateComposite(state, parent, cause, alarm));
  return Promise.all(work);
}

/** Marks actions as delayed by a mute rule. */
function hold(state: CloudwatchState, name: string): void {
  state.alarms.update(name, (draft) => {
    draft.muted = true;
  });
}

/** Runs the actions delayed by a mute rule, for the alarm's current state. */
export function release(state: CloudwatchState, alarm: Alarm, cause: string): Promise<unknown> {
  const current = state.alarms.update(alarm.name, (draft) => {
    delete draft.muted;
  });
  const change: StateChange = { alarm: current, previous: current, afterMute: true };
  return mayAct(state, current, cause) ? runActions(state, change, cause) : Promise.resolve();
}

/**
 * Evaluates a composite alarm.
 * @param child alarm with a changed state; undefined if the composite alarm itself is new or changed
 */
export function evaluateComposite(
  state: CloudwatchState,
  { name }: CompositeAlarm,
  cause: string,
  child?: Alarm,
): Promise<unknown> {
  const alarm = state.compositeAlarm(name);
  if (!alarm) return Promise.resolve();
  const work: Promise<unknown>[] = [];
  if (child && suppressorOf(alarm) === child.name) work.push(suppressorChanged(state, alarm, child, cause));
  const rule = ruleOf(alarm);
  const stateOf = (text: string): StateValue | undefined => state.alarms.get(nameIn(text))?.state;
  const value = holds(rule, stateOf) ? 'ALARM' : 'OK';
  if (value === alarm.state || isCircular(state, alarm)) return Promise.all(work);
  const cited = child && childrenOf(alarm).has(child.name) ? [child] : citedBy(state, alarm, value);
  const data = jsonText({
    triggeringAlarms: cited.map((each) => ({
      arn: alarmArn(state, each.name),
      state: { value: each.state, timestamp: timeText(each.updatedAt) },
    })),
  });
  const [first] = cited;
  const text = first
    ? `${alarmArn(state, first.name)} transitioned to ${first.state} at ${longTime(first.updatedAt)}`
    : `${alarm.name} was created and its alarm rule evaluates to ${value}`;
  work.push(enter(state, name, value, { text, data }, cause));
  return Promise.all(work);
}

/** Returns the children that explain the alarm's state. */
function citedBy(state: CloudwatchState, alarm: CompositeAlarm, value: StateValue): Alarm[] {
  return [...childrenOf(alarm)].flatMap((name) => {
    const child = state.alarms.get(name);
    return child?.state === value ? [child] : [];
  });
}
