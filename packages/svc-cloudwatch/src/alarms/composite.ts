import { alarmType } from '../resources.ts';
import type { CloudwatchState, CompositeAlarm } from '../state.ts';
import { alarmsOf, parseRule, type RuleExpression } from './rule.ts';

/** The name of an alarm that a rule names by its name or its ARN. */
export const nameIn = (text: string): string => alarmType.parse(text)?.key.name ?? text;

const rules = new WeakMap<CompositeAlarm['settings'], RuleExpression>();

/** The rule of a composite alarm, read once. */
export function ruleOf({ settings }: CompositeAlarm): RuleExpression {
  let rule = rules.get(settings);
  if (!rule) {
    rule = parseRule(settings.AlarmRule);
    rules.set(settings, rule);
  }
  return rule;
}

/** Names of the alarms that a composite alarm looks at. */
export const childrenOf = (alarm: CompositeAlarm): Set<string> => new Set([...alarmsOf(ruleOf(alarm))].map(nameIn));

/** Composite alarms that look at an alarm, or are suppressed by it. */
export function compositesOf(state: CloudwatchState, name: string): CompositeAlarm[] {
  return [...state.alarms.values()].filter(
    (alarm): alarm is CompositeAlarm =>
      alarm.type === 'CompositeAlarm' && (childrenOf(alarm).has(name) || suppressorOf(alarm) === name),
  );
}

/** Name of the alarm that suppresses a composite alarm's actions. */
export const suppressorOf = ({ settings }: CompositeAlarm): string | undefined =>
  settings.ActionsSuppressor === undefined ? undefined : nameIn(settings.ActionsSuppressor);

/** Whether a composite alarm depends on itself by way of others; such alarms are never evaluated. */
export function isCircular(state: CloudwatchState, { name }: CompositeAlarm): boolean {
  const seen = new Set<string>();
  const reaches = (from: string): boolean => {
    const alarm = state.compositeAlarm(from);
    if (!alarm) return false;
    for (const child of childrenOf(alarm)) {
      if (child === name) return true;
      if (seen.has(child)) continue;
      seen.add(child);
      if (reaches(child)) return true;
    }
    return false;
  };
  return reaches(name);
}
