import type { SesEmail } from '@emu/control-client';
import type { MessageTag } from '@emu/service-types/sesv2';
import type { MailEvent } from './mail-event.ts';

/** A decoded header of a mail. */
export interface Header {
  name: string;
  value: string;
}

/** Maximum bytes of headers in events and notifications. */
const MAX_HEADER_BYTES = 10_240;

/** Returns the first headers within the size limit of events and notifications. */
export function firstHeaders(headers: readonly Header[]): Header[] {
  let bytes = 0;
  const end = headers.findIndex(({ name, value }) => {
    bytes += name.length + value.length;
    return bytes > MAX_HEADER_BYTES;
  });
  return end < 0 ? [...headers] : headers.slice(0, end);
}

/** Recipients of a mail, as addresses with or without display names. */
export interface Recipients {
  to: string[];
  cc: string[];
  bcc: string[];
}

/** A mail accepted by SES, from any API. */
export interface SentMail {
  messageId: string;
  /** Origin of the mail: `SendEmail`, `SendRawEmail`, … or `SMTP`. */
  operation: string;
  accountId: string;
  region: string;
  /** From header, with display name. */
  source: string;
  /** Envelope sender. */
  envelopeFrom: string;
  /** Name and ARN of the sender identity. */
  identity: string;
  sourceArn: string;
  recipients: Recipients;
  replyTo: string[];
  returnPath?: string;
  subject?: string;
  text?: string;
  html?: string;
  /** MIME message as sent; empty if the template could not be rendered. */
  raw: Buffer;
  /** Whether the client sent the MIME message itself. */
  wasRaw: boolean;
  headers: Header[];
  attachments: { filename?: string; contentType: string; contentId?: string; bytes: number }[];
  templateName?: string;
  templateData?: string;
  configurationSet?: string;
  tags: MessageTag[];
  tenant?: string;
  /** Tags in event publishing: the client's and SES's. */
  eventTags: Record<string, string[]>;
  /** Epoch milliseconds. */
  sentAt: number;
  /** All events of the mail. */
  events: MailEvent[];
}

const MAX_MAILS = 10_000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_EVENTS = 1000;

/** Mails sent since the start or the last reset, up to a size limit; the oldest are evicted. */
export class SentMails {
  private readonly mails = new Map<string, SentMail>();
  private bytes = 0;

  add(mail: SentMail): void {
    this.mails.set(mail.messageId, mail);
    this.bytes += weightOf(mail);
    for (const [id, oldest] of this.mails) {
      if (this.mails.size <= MAX_MAILS && (this.bytes <= MAX_BYTES || this.mails.size === 1)) break;
      this.mails.delete(id);
      this.bytes -= weightOf(oldest);
    }
  }

  get(messageId: string): SentMail | undefined {
    return this.mails.get(messageId);
  }

  /** Removes a mail, or all mails. */
  discard(messageId?: string): void {
    for (const [id, mail] of this.mails) {
      if (messageId !== undefined && id !== messageId) continue;
      this.mails.delete(id);
      this.bytes -= weightOf(mail);
    }
  }

  /** Returns all mails, oldest first. */
  list(): SentMail[] {
    return [...this.mails.values()];
  }

  /** Adds an event to a mail, up to a limit. */
  note(mail: SentMail, event: MailEvent): void {
    if (mail.events.length < MAX_EVENTS) mail.events.push(event);
  }
}

const weightOf = ({ raw, text = '', html = '' }: SentMail): number => raw.length + text.length + html.length;

/** Returns a mail for control routes. */
export const describeMail = (mail: SentMail): SesEmail => ({
  accountId: mail.accountId,
  region: mail.region,
  messageId: mail.messageId,
  operation: mail.operation,
  from: mail.source,
  destination: {
    toAddresses: mail.recipients.to,
    ccAddresses: mail.recipients.cc,
    bccAddresses: mail.recipients.bcc,
  },
  replyToAddresses: mail.replyTo,
  ...(mail.returnPath !== undefined && { returnPath: mail.returnPath }),
  ...(mail.subject !== undefined && { subject: mail.subject }),
  ...(mail.text !== undefined && { textBody: mail.text }),
  ...(mail.html !== undefined && { htmlBody: mail.html }),
  ...(mail.raw.length !== 0 && { raw: mail.raw.toString('utf8') }),
  headers: mail.headers,
  attachments: mail.attachments,
  ...(mail.templateName !== undefined && { templateName: mail.templateName }),
  ...(mail.templateData !== undefined && { templateData: mail.templateData }),
  ...(mail.configurationSet !== undefined && { configurationSetName: mail.configurationSet }),
  tags: Object.fromEntries(mail.tags.map(({ Name, Value }) => [Name, Value])),
  timestamp: new Date(mail.sentAt).toISOString(),
});
