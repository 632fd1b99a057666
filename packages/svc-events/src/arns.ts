import type { Place } from '@emu/core/service';
import { DEFAULT_BUS } from './records.ts';
import { busType, eventSourceType, ruleKey, ruleType } from './resources.ts';

/** Returns the ARN of a bus. */
export const busArn = (place: Place, name: string): string => busType.arn({ name }, place);

/** Returns the ARN of a rule. For the default bus it omits the bus name. */
export const ruleArn = (place: Place, bus: string, name: string): string => ruleType.arn(ruleKey(bus, name), place);

/** Returns the ARN of a partner event source, which belongs to no account. */
export const sourceArn = (place: Place, name: string): string => eventSourceType.arn({ name }, place);

/** Parses the ARN of a rule. @returns undefined for another ARN */
export function parseRuleArn(text: string): { bus: string; name: string } | undefined {
  const key = ruleType.parse(text)?.key;
  return key && { bus: key.bus ?? DEFAULT_BUS, name: key.name };
}
