import type { DeliveryEventType, Metric } from '@emu/service-types/sesv2';
import type { MailEvent } from '../events/mail-event.ts';
import type { SentMail } from '../events/sent.ts';
import { bareAddress } from '../identities/addresses.ts';

/** Returns the recipient addresses of a mail. */
export const addressesOf = ({ recipients: { to, cc, bcc } }: SentMail): string[] =>
  [...to, ...cc, ...bcc].map(bareAddress);

/** Returns the events of a mail for one recipient. */
export const eventsAt = ({ events }: SentMail, address: string): MailEvent[] =>
  events.filter(({ recipients }) => recipients.length === 0 || recipients.includes(address));

/** Whether an event counts for a metric. */
export function countsAs(metric: Metric, { type, body }: MailEvent): boolean {
  switch (metric) {
    case 'PERMANENT_BOUNCE':
      return type === 'BOUNCE' && body.bounceType === 'Permanent';
    case 'TRANSIENT_BOUNCE':
      return type === 'BOUNCE' && body.bounceType === 'Transient';
    case 'DELIVERY_OPEN':
      return type === 'OPEN';
    case 'DELIVERY_CLICK':
      return type === 'CLICK';
    case 'DELIVERY_COMPLAINT':
      return type === 'COMPLAINT';
    default:
      return type === (metric as DeliveryEventType);
  }
}
