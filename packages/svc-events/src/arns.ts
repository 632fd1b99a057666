import type { Place } from '@emu/core';
import { DEFAULT_BUS } from './records.ts';
import { busType, eventSourceType, ruleKey, ruleType } from './resources.ts';

/** ARN of a bus. */
export const busArn = (place: Place, name: string): string => busType.arn({ name }, place);

/** ARN of a rule; those of the default bus leave its name out. */
export const ruleArn = (place: Place, bus: string, name: string): string => ruleType.arn(ruleKey(bus, name), place);

/** ARN of a partner event source; it belongs to no account. */
export const sourceArn = (place: Place, name: string): string => eventSourceType.arn({ name }, place);

/** The rule that an ARN names; undefined where it names none. */
export function parseRuleArn(text: string): { bus: string; name: string } | undefined {
  const key = ruleType.parse(text)?.key;
  return key && { bus: key.bus ?? DEFAULT_BUS, name: key.name };
}
