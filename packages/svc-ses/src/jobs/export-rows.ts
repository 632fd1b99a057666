import type { DeepReadonly } from '@emu/core/service';
import type {
  DeliveryEventType,
  EngagementEventType,
  MessageInsightsFilters,
  Metric,
  MetricDimensionName,
} from '@emu/service-types/sesv2';
import type { MailEvent } from '../events/mail-event.ts';
import type { SentMail } from '../events/sent.ts';
import { bareAddress } from '../identities/addresses.ts';
import { domainOf } from '../identities/names.ts';
import { addressesOf, countsAs, eventsAt } from '../mail/events.ts';
import type { ExportRecord } from '../records.ts';

/** A row of an exported file by column. */
export type Row = Readonly<Record<string, string | number>>;

const DAY = 24 * 60 * 60_000;
const ANY = '*';

type MetricsSource = NonNullable<DeepReadonly<ExportRecord>['metrics']>;
type InsightsSource = NonNullable<DeepReadonly<ExportRecord>['insights']>;

/** Returns the value of a dimension for a mail to an address. */
function dimensionOf(name: MetricDimensionName, mail: SentMail, address: string): string | undefined {
  if (name === 'ISP') return domainOf(address);
  return name === 'EMAIL_IDENTITY' ? mail.identity : mail.configurationSet;
}

/**
 * Counts events of mails by day and dimension values.
 * @returns the rows, and the number of counted events
 */
export function metricRows(
  { dimensions, metrics, from, to }: MetricsSource,
  mails: readonly SentMail[],
): { rows: Row[]; seen: number } {
  const names = Object.keys(dimensions) as MetricDimensionName[];
  const groups = new Map<string, { values: string[]; day: number; counts: Map<Metric, number> }>();
  const wanted = new Set<Metric>(['SEND', ...metrics.map(({ name }) => name)]);
  let seen = 0;
  for (const mail of mails)
    for (const event of mail.events) {
      if (event.at < from || event.at >= to) continue;
      seen++;
      const counted = [...wanted].filter((metric) => countsAs(metric, event));
      if (!counted.length) continue;
      for (const address of event.recipients.length ? event.recipients : addressesOf(mail)) {
        const values = names.map((name) => dimensionOf(name, mail, address));
        const asked = values.every((value, at): value is string => {
          const some = dimensions[names[at]!]!;
          return value !== undefined && (some.includes(ANY) || some.includes(value));
        });
        if (!asked) continue;
        const day = event.at - (event.at % DAY);
        const key = JSON.stringify([day, ...values]);
        const group = groups.get(key) ?? { values: values as string[], day, counts: new Map() };
        groups.set(key, group);
        for (const metric of counted) group.counts.set(metric, (group.counts.get(metric) ?? 0) + 1);
      }
    }
  const rows = [...groups.values()]
    .sort((a, b) => a.day - b.day || a.values.join('\n').localeCompare(b.values.join('\n')))
    .flatMap(({ values, day, counts }) =>
      metrics.flatMap(({ name, aggregation }): Row[] => {
        const volume = counts.get(name) ?? 0;
        const sends = counts.get('SEND') ?? 0;
        // A rate is relative to the number of sends.
        if (aggregation === 'RATE' && !sends) return [];
        return [
          {
            Timestamp: new Date(day).toISOString(),
            ...Object.fromEntries(names.map((dimension, at) => [dimension, values[at]!])),
            Metric: name,
            Aggregation: aggregation,
            Value: aggregation === 'RATE' ? volume / sends : volume,
          },
        ];
      }),
    );
  return { rows, seen };
}

const DELIVERY_EVENTS: Readonly<Record<string, DeliveryEventType>> = {
  SEND: 'SEND',
  DELIVERY: 'DELIVERY',
  COMPLAINT: 'COMPLAINT',
};
const BOUNCES: Readonly<Record<string, DeliveryEventType>> = {
  Permanent: 'PERMANENT_BOUNCE',
  Transient: 'TRANSIENT_BOUNCE',
};

/** Returns an event's delivery type for filters; undefined for other events. */
const deliveryOf = ({ type, body }: MailEvent): DeliveryEventType | undefined =>
  type === 'BOUNCE' ? (BOUNCES[String(body.bounceType)] ?? 'UNDETERMINED_BOUNCE') : DELIVERY_EVENTS[type];

const engagementOf = ({ type }: MailEvent): EngagementEventType | undefined =>
  type === 'OPEN' || type === 'CLICK' ? type : undefined;

/**
 * Whether a text matches a filter, optionally with the wildcard `*` at its start, end or both. A backslash escapes `*`
 * and backslash.
 */
export function matchesFilter(filter: string, text: string): boolean {
  const starts = filter.startsWith(ANY);
  const ends = filter.length > 1 && /(?<!\\)(\\\\)*\*$/.test(filter);
  const bare = filter.slice(starts ? 1 : 0, ends ? -1 : undefined).replace(/\\([*\\])/g, '$1');
  if (starts && (ends || filter === ANY)) return text.includes(bare);
  if (starts) return text.endsWith(bare);
  return ends ? text.startsWith(bare) : text === bare;
}

interface Insight {
  mail: SentMail;
  address: string;
  events: MailEvent[];
  delivery: DeliveryEventType | undefined;
  engagement: EngagementEventType | undefined;
}

/** Returns which filters of a set a mail to an address passes. */
function passed(
  filters: DeepReadonly<MessageInsightsFilters>,
  { mail, address, delivery, engagement }: Insight,
): boolean[] {
  const some = (values: readonly string[] | undefined, text: string): boolean[] =>
    values ? [values.some((value) => matchesFilter(value, text))] : [];
  return [
    ...some(filters.FromEmailAddress, bareAddress(mail.source)),
    ...some(filters.Destination, address),
    ...some(filters.Subject, mail.subject ?? ''),
    ...(filters.Isp ? [filters.Isp.includes(domainOf(address))] : []),
    ...(filters.LastDeliveryEvent ? [delivery !== undefined && filters.LastDeliveryEvent.includes(delivery)] : []),
    ...(filters.LastEngagementEvent
      ? [engagement !== undefined && filters.LastEngagementEvent.includes(engagement)]
      : []),
  ];
}

/**
 * Returns the insights of mails, one row per recipient.
 * @returns the rows, and the number of examined mails
 */
export function insightRows(
  { include, exclude, most, from, to }: InsightsSource,
  mails: readonly SentMail[],
): { rows: Row[]; seen: number } {
  const rows: Row[] = [];
  let seen = 0;
  for (const mail of mails) {
    // SES's own mails have no events.
    if (mail.sentAt < from || mail.sentAt >= to || !mail.events.length) continue;
    for (const address of addressesOf(mail)) {
      if (rows.length >= most) return { rows, seen };
      seen++;
      const events = eventsAt(mail, address);
      const insight: Insight = {
        mail,
        address,
        events,
        delivery: events.map(deliveryOf).findLast((one) => one !== undefined),
        engagement: events.map(engagementOf).findLast((one) => one !== undefined),
      };
      if (include && !passed(include, insight).every(Boolean)) continue;
      const left = exclude ? passed(exclude, insight) : [];
      if (left.length && left.every(Boolean)) continue;
      rows.push({
        MessageId: mail.messageId,
        FromEmailAddress: mail.source,
        Subject: mail.subject ?? '',
        Destination: address,
        Isp: domainOf(address),
        SendTimestamp: new Date(mail.sentAt).toISOString(),
        LastDeliveryEvent: insight.delivery ?? '',
        LastEngagementEvent: insight.engagement ?? '',
      });
    }
  }
  return { rows, seen };
}
