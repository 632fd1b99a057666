import type { EventType } from '@emu/service-types/sesv2';
import type { MailEvent } from './mail-event.ts';
import { firstHeaders, type Header, type SentMail } from './sent.ts';

/** Names of event types: `eventType` and its member, the EventBridge detail type, the CloudWatch metric. */
export const WORDS: Readonly<
  Record<EventType, { name: string; member: string; detailType: string; metric: string; v1?: string }>
> = {
  SEND: { name: 'Send', member: 'send', detailType: 'Email Sent', metric: 'Send', v1: 'send' },
  REJECT: { name: 'Reject', member: 'reject', detailType: 'Email Rejected', metric: 'Reject', v1: 'reject' },
  BOUNCE: { name: 'Bounce', member: 'bounce', detailType: 'Email Bounced', metric: 'Bounce', v1: 'bounce' },
  COMPLAINT: {
    name: 'Complaint',
    member: 'complaint',
    detailType: 'Email Complaint Received',
    metric: 'Complaint',
    v1: 'complaint',
  },
  DELIVERY: { name: 'Delivery', member: 'delivery', detailType: 'Email Delivered', metric: 'Delivery', v1: 'delivery' },
  OPEN: { name: 'Open', member: 'open', detailType: 'Email Opened', metric: 'Open', v1: 'open' },
  CLICK: { name: 'Click', member: 'click', detailType: 'Email Clicked', metric: 'Click', v1: 'click' },
  RENDERING_FAILURE: {
    name: 'Rendering Failure',
    member: 'failure',
    detailType: 'Email Rendering Failed',
    metric: 'RenderingFailure',
    v1: 'renderingFailure',
  },
  DELIVERY_DELAY: {
    name: 'DeliveryDelay',
    member: 'deliveryDelay',
    detailType: 'Email Delivery Delayed',
    metric: 'DeliveryDelay',
  },
  SUBSCRIPTION: {
    name: 'Subscription',
    member: 'subscription',
    detailType: 'Email Subscribed',
    metric: 'Subscription',
  },
};

const time = (at: number): string => new Date(at).toISOString();

/** Headers that SES adds to every mail and events omit. */
const OWN = /^(dkim-signature|message-id)$/i;
/** Date header of simple mails composed by SES, which events omit. */
const DATE = /^date$/i;
/** Headers of a template mail known before rendering. */
const UNRENDERED = /^(from|to|cc|reply-to|mime-version)$/i;

const isTemplated = (mail: SentMail): boolean => mail.templateData !== undefined;

/** Whether an event describes a mail before rendering, as its Send event does. */
const isUnrendered = (mail: SentMail, type: EventType): boolean => type === 'SEND' && isTemplated(mail);

/** Returns the headers of a mail in an event, as recorded. */
function eventHeaders(mail: SentMail, type: EventType): Header[] {
  const shown = mail.headers.filter(({ name }) => !OWN.test(name));
  if (isUnrendered(mail, type)) return shown.filter(({ name }) => UNRENDERED.test(name));
  return mail.wasRaw || isTemplated(mail) ? shown : shown.filter(({ name }) => !DATE.test(name));
}

/** Returns the headers in `commonHeaders` by member name. */
function commonHeaders(mail: SentMail, headers: readonly Header[]): Record<string, unknown> {
  const header = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value;
  const { to, cc } = mail.recipients;
  const date = header('date');
  return {
    from: [mail.source],
    ...(date !== undefined && { date }),
    ...(mail.replyTo.length && { replyTo: mail.replyTo }),
    ...(to.length && { to }),
    ...(cc.length && { cc }),
    messageId: mail.messageId,
    ...(mail.subject !== undefined && header('subject') !== undefined && { subject: mail.subject }),
  };
}

/**
 * Returns the `mail` member of events and notifications.
 * @param parts whether to include headers and tags
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html#event-publishing-retrieving-sns-contents-mail-object
 */
export function mailObject(
  mail: SentMail,
  { type, recipients: destination }: MailEvent,
  parts: { headers: boolean; tags: boolean },
): Record<string, unknown> {
  const { to, cc, bcc } = mail.recipients;
  const shown = eventHeaders(mail, type);
  const headers = firstHeaders(shown);
  return {
    timestamp: time(mail.sentAt),
    source: mail.source,
    ...(!isUnrendered(mail, type) && { sourceArn: mail.sourceArn }),
    ...(!parts.tags && { sourceIp: mail.eventTags['ses:source-ip']?.[0] }),
    ...(!parts.tags && { callerIdentity: mail.eventTags['ses:caller-identity']?.[0] }),
    sendingAccountId: mail.accountId,
    messageId: mail.messageId,
    destination: destination.length ? destination : [...to, ...cc, ...bcc],
    ...(parts.headers && {
      headersTruncated: headers.length < shown.length,
      headers,
      commonHeaders: commonHeaders(mail, shown),
    }),
    ...(parts.tags && {
      tags: { ...mail.eventTags, ...(type === 'DELIVERY' && { 'ses:outgoing-ip': [OUTGOING_IP] }) },
    }),
  };
}

/** Returns the record of an event for event destinations. */
export const eventRecord = (mail: SentMail, event: MailEvent): Record<string, unknown> => ({
  eventType: WORDS[event.type].name,
  [WORDS[event.type].member]: event.body,
  mail: mailObject(mail, event, { headers: true, tags: true }),
});

/** Host of the simulated mail server. */
const MTA = 'a8-50.smtp-out.amazonses.com';
const OUTGOING_IP = '54.240.8.50';
const PROCESSING = 500;

/** Returns a delivery event. */
export const delivery = (mail: SentMail, recipients: readonly string[], now: number): MailEvent => ({
  type: 'DELIVERY',
  at: now,
  recipients,
  body: {
    timestamp: time(now),
    processingTimeMillis: Math.max(PROCESSING, now - mail.sentAt),
    recipients,
    smtpResponse: '250 2.6.0 Message received',
    reportingMTA: MTA,
  },
});

/** Reason of a bounce. */
export interface BounceReason {
  type: 'Permanent' | 'Transient' | 'Undetermined';
  subType: string;
  /** For example `5.1.1`. */
  status: string;
  diagnostic: string;
}

/** Bounce reason for an unknown mailbox. */
export const USER_UNKNOWN: BounceReason = {
  type: 'Permanent',
  subType: 'General',
  status: '5.1.1',
  diagnostic: 'smtp; 550 5.1.1 user unknown',
};

/** Bounce reason for an address on SES's global suppression list, simulated by the mailbox simulator. */
export const SUPPRESSED_GLOBALLY: BounceReason = {
  type: 'Permanent',
  subType: 'Suppressed',
  status: '5.1.1',
  diagnostic:
    'Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.',
};

/** Bounce reason for an address on the account's suppression list. */
export const SUPPRESSED_BY_ACCOUNT: BounceReason = {
  type: 'Permanent',
  subType: 'OnAccountSuppressionList',
  status: '5.1.1',
  diagnostic:
    'Amazon SES did not send the message to this address because it is on the suppression list for your account.',
};

/** Returns a bounce event. */
export const bounce = (
  recipients: readonly string[],
  { type, subType, status, diagnostic }: BounceReason,
  feedbackId: string,
  now: number,
): MailEvent => ({
  type: 'BOUNCE',
  at: now,
  recipients,
  body: {
    feedbackId,
    bounceType: type,
    bounceSubType: subType,
    bouncedRecipients: recipients.map((emailAddress) => ({
      emailAddress,
      action: 'failed',
      status,
      diagnosticCode: diagnostic,
    })),
    timestamp: time(now),
    reportingMTA: `dsn; ${MTA}`,
  },
});

/**
 * Returns a complaint event.
 * @param subType `OnAccountSuppressionList` if SES did not send the mail because of an earlier complaint
 */
export const complaint = (
  recipients: readonly string[],
  subType: string | undefined,
  feedbackId: string,
  now: number,
): MailEvent => ({
  type: 'COMPLAINT',
  at: now,
  recipients,
  body: {
    feedbackId,
    complaintSubType: subType ?? null,
    complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
    timestamp: time(now),
    userAgent: 'Amazon SES Mailbox Simulator',
    ...(subType === undefined && { complaintFeedbackType: 'abuse', arrivalDate: time(now) }),
  },
});
