import type { Place } from '@emu/core/service';

/** An event that passes through buses. */
export interface BusEvent {
  readonly id: string;
  readonly source: string;
  readonly detailType: string;
  readonly account: string;
  readonly region: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly resources: readonly string[];
  /** JSON text without whitespace between tokens. Numbers keep their spelling. */
  readonly detail: string;
  readonly replayName?: string;
  /** Data key of the event on a bus with a customer key, encrypted by KMS, in base64. */
  readonly dataKey?: string;
  /** X-Ray trace header. */
  readonly traceHeader?: string | undefined;
  /** Id of the request that put or replayed the event, or of the schedule's run. */
  readonly cause?: string | undefined;
  /** Number of buses that have forwarded the event. */
  readonly hops: number;
  /** Whether the event came from another account or region. Such events are not forwarded. */
  readonly foreign: boolean;
}

/** Formats a time in events, in whole seconds. */
export const eventTime = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Returns an event as targets receive it, as JSON text. */
export function eventJson(event: BusEvent): string {
  const { id, source, detailType, account, time, region, resources, detail, replayName } = event;
  const replay = replayName === undefined ? '' : `"replay-name":${JSON.stringify(replayName)},`;
  return `{"version":"0","id":"${id}","detail-type":${JSON.stringify(detailType)},"source":${JSON.stringify(source)},"account":"${account}","time":"${eventTime(time)}","region":"${region}",${replay}"resources":${JSON.stringify(resources)},"detail":${detail}}`;
}

/** Removes whitespace between the tokens of valid JSON text. */
export function compactJson(text: string): string {
  if (!/\s/.test(text)) return text;
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token.startsWith('"') ? token : ''));
}

/** Creates an event for an account and region. */
export function newEvent(
  place: Place,
  facts: Pick<BusEvent, 'id' | 'source' | 'detailType' | 'time' | 'resources' | 'detail'> & {
    traceHeader?: string | undefined;
    cause: string;
  },
): BusEvent {
  const { id, source, detailType, time, resources, detail, traceHeader, cause } = facts;
  const { accountId: account, region } = place;
  return {
    id,
    source,
    detailType,
    account,
    region,
    time,
    resources,
    detail,
    traceHeader,
    cause,
    hops: 0,
    foreign: false,
  };
}

/** Parses an event from its JSON text. */
export function parseEvent(json: string): BusEvent {
  const event = JSON.parse(json) as Record<'id' | 'source' | 'detail-type' | 'account' | 'region' | 'time', string> & {
    resources: string[];
  };
  const start = json.indexOf('"detail":', json.indexOf('"resources":')) + '"detail":'.length;
  return {
    id: event.id,
    source: event.source,
    detailType: event['detail-type'],
    account: event.account,
    region: event.region,
    time: Date.parse(event.time),
    resources: event.resources,
    detail: json.slice(start, -1),
    hops: 0,
    foreign: false,
  };
}
