import { formatArn, parseArn } from '@emu/core';
import { DEFAULT_BUS } from './records.ts';

/** Where something of EventBridge is. */
export interface Place {
  readonly accountId: string;
  readonly region: string;
}

/** ARN of something of EventBridge. */
export const eventsArn = ({ accountId, region }: Place, resource: string): string =>
  formatArn({ service: 'events', region, accountId, resource });

/** ARN of a bus. */
export const busArn = (place: Place, name: string): string => eventsArn(place, `event-bus/${name}`);

/** ARN of a rule; those of the default bus leave its name out. */
export const ruleArn = (place: Place, bus: string, name: string): string =>
  eventsArn(place, bus === DEFAULT_BUS ? `rule/${name}` : `rule/${bus}/${name}`);

/** The bus that an ARN names; undefined where it names none. */
export function parseBusArn(text: string): (Place & { name: string }) | undefined {
  const arn = parseArn(text);
  if (arn?.service !== 'events' || !arn.resource.startsWith('event-bus/')) return undefined;
  return { accountId: arn.accountId, region: arn.region, name: arn.resource.slice('event-bus/'.length) };
}

/** The rule that an ARN names; undefined where it names none. */
export function parseRuleArn(text: string): { bus: string; name: string } | undefined {
  const arn = parseArn(text);
  if (arn?.service !== 'events' || !arn.resource.startsWith('rule/')) return undefined;
  const path = arn.resource.slice('rule/'.length);
  const slash = path.lastIndexOf('/');
  return slash < 0 ? { bus: DEFAULT_BUS, name: path } : { bus: path.slice(0, slash), name: path.slice(slash + 1) };
}

/** Name of the archive that an ARN names; undefined where it names none. */
export function parseArchiveArn(text: string): string | undefined {
  const arn = parseArn(text);
  return arn?.service === 'events' && arn.resource.startsWith('archive/')
    ? arn.resource.slice('archive/'.length)
    : undefined;
}

/** ARN of a partner event source; it belongs to no account. */
export const sourceArn = (region: string, name: string): string =>
  formatArn({ service: 'events', region, accountId: '', resource: `event-source/${name}` });
