import type { EventType } from '@emu/service-types/sesv2';
import { firstHeaders, type Header, type SentMail } from '../mail/sent.ts';
import type { MailEvent } from './mail-event.ts';

/** The words of the types: `eventType` and its member, the EventBridge detail type, the CloudWatch metric. */
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

/** Headers that SES gives every mail, and that no event tells. */
const OWN = /^(dkim-signature|message-id)$/i;
/** What SES composes of a simple mail has a date, which its events do not tell. */
const DATE = /^date$/i;
/** What is known of a mail from a template before it is rendered. */
const UNRENDERED = /^(from|to|cc|reply-to|mime-version)$/i;

const isTemplated = (mail: SentMail): boolean => mail.templateData !== undefined;

/** Whether an event tells of a mail that is not rendered yet, as the one of its sending does. */
const isUnrendered = (mail: SentMail, type: EventType): boolean => type === 'SEND' && isTemplated(mail);

/** The headers of a mail that an event tells, as recorded. */
function toldHeaders(mail: SentMail, type: EventType): Header[] {
  const told = mail.headers.filter(({ name }) => !OWN.test(name));
  if (isUnrendered(mail, type)) return told.filter(({ name }) => UNRENDERED.test(name));
  return mail.wasRaw || isTemplated(mail) ? told : told.filter(({ name }) => !DATE.test(name));
}

/** Headers that `commonHeaders` tells, with the members that it does so by. */
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
 * The `mail` member of events and notifications.
 * @param parts whether its headers and its tags are told
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html#event-publishing-retrieving-sns-contents-mail-object
 */
export function mailObject(
  mail: SentMail,
  { type, recipients: destination }: MailEvent,
  parts: { headers: boolean; tags: boolean },
): Record<string, unknown> {
  const { to, cc, bcc } = mail.recipients;
  const told = toldHeaders(mail, type);
  const headers = firstHeaders(told);
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
      headersTruncated: headers.length < told.length,
      headers,
      commonHeaders: commonHeaders(mail, told),
    }),
    ...(parts.tags && {
      tags: { ...mail.eventTags, ...(type === 'DELIVERY' && { 'ses:outgoing-ip': [OUTGOING_IP] }) },
    }),
  };
}

/** The record of an event for event destinations. */
export const eventRecord = (mail: SentMail, event: MailEvent): Record<string, unknown> => ({
  eventType: WORDS[event.type].name,
  [WORDS[event.type].member]: event.body,
  mail: mailObject(mail, event, { headers: true, tags: true }),
});

/** Where a simulated mail server is. */
const MTA = 'a8-50.smtp-out.amazonses.com';
const OUTGOING_IP = '54.240.8.50';
const PROCESSING = 500;

/** A delivery. */
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

/** Why a mail bounced. */
export interface BounceReason {
  type: 'Permanent' | 'Transient' | 'Undetermined';
  subType: string;
  /** E.g. `5.1.1`. */
  status: string;
  diagnostic: string;
}

/** A mailbox that there is not. */
export const USER_UNKNOWN: BounceReason = {
  type: 'Permanent',
  subType: 'General',
  status: '5.1.1',
  diagnostic: 'smtp; 550 5.1.1 user unknown',
};

/** An address on SES's own suppression list, as one of the mailbox simulator's is. */
export const SUPPRESSED_GLOBALLY: BounceReason = {
  type: 'Permanent',
  subType: 'Suppressed',
  status: '5.1.1',
  diagnostic:
    'Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.',
};

/** An address on the account's suppression list. */
export const SUPPRESSED_BY_ACCOUNT: BounceReason = {
  type: 'Permanent',
  subType: 'OnAccountSuppressionList',
  status: '5.1.1',
  diagnostic:
    'Amazon SES did not send the message to this address because it is on the suppression list for your account.',
};

/** A bounce. */
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

/** A complaint. @param subType `OnAccountSuppressionList` where SES did not send the mail for an earlier one */
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
