import { alarmType } from '../resources.ts';
import type { CloudwatchState, CompositeAlarm } from '../state.ts';
import { alarmsOf, parseRule, type RuleExpression } from './rule.ts';

/** Returns the alarm name in a rule, given as name or ARN. */
export const nameIn = (text: string): string => alarmType.parse(text)?.key.name ?? text;

const rules = new WeakMap<CompositeAlarm['settings'], RuleExpression>();

/** Returns the parsed rule of a composite alarm, cached. */
export function ruleOf({ settings }: CompositeAlarm): RuleExpression {
  let rule = rules.get(settings);
  if (!rule) {
    rule = parseRule(settings.AlarmRule);
    rules.set(settings, rule);
  }
  return rule;
}

/** Returns the names of the alarms in a composite alarm's rule. */
export const childrenOf = (alarm: CompositeAlarm): Set<string> => new Set([...alarmsOf(ruleOf(alarm))].map(nameIn));

/** Returns the composite alarms that depend on an alarm by rule or suppression. */
export function compositesOf(state: CloudwatchState, name: string): CompositeAlarm[] {
  return [...state.alarms.values()].filter(
    (alarm): alarm is CompositeAlarm =>
      alarm.type === 'CompositeAlarm' && (childrenOf(alarm).has(name) || suppressorOf(alarm) === name),
  );
}

/** Returns the name of the alarm that suppresses a composite alarm's actions. */
export const suppressorOf = ({ settings }: CompositeAlarm): string | undefined =>
  settings.ActionsSuppressor === undefined ? undefined : nameIn(settings.ActionsSuppressor);

/** Whether a composite alarm depends on itself through others; such alarms are never evaluated. */
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
