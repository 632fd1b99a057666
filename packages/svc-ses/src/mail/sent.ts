import type { SesEmail } from '@emu/control-client';
import type { MessageTag } from '@emu/service-types/sesv2';
import type { MailEvent } from '../events/mail-event.ts';

/** A header of a mail, decoded. */
export interface Header {
  name: string;
  value: string;
}

/** Bytes of headers that events and notifications tell. */
const MOST_HEADER_BYTES = 10_240;

/** The headers that events and notifications tell: as many as there is room for. */
export function firstHeaders(headers: readonly Header[]): Header[] {
  let bytes = 0;
  const end = headers.findIndex(({ name, value }) => {
    bytes += name.length + value.length;
    return bytes > MOST_HEADER_BYTES;
  });
  return end < 0 ? [...headers] : headers.slice(0, end);
}

/** Who a mail goes to, as addresses with or without names. */
export interface Recipients {
  to: string[];
  cc: string[];
  bcc: string[];
}

/** A mail that SES took, however it came. */
export interface SentMail {
  messageId: string;
  /** How it came: `SendEmail`, `SendRawEmail`, … or `SMTP`. */
  operation: string;
  accountId: string;
  region: string;
  /** Of the From header, with its name. */
  source: string;
  /** Envelope sender. */
  envelopeFrom: string;
  /** Name and ARN of the identity that it was sent as. */
  identity: string;
  sourceArn: string;
  recipients: Recipients;
  replyTo: string[];
  returnPath?: string;
  subject?: string;
  text?: string;
  html?: string;
  /** The MIME message as it went out; empty where a template could not be rendered. */
  raw: Buffer;
  /** Whether the client gave the MIME message itself. */
  wasRaw: boolean;
  headers: Header[];
  attachments: { filename?: string; contentType: string; contentId?: string; bytes: number }[];
  templateName?: string;
  templateData?: string;
  configurationSet?: string;
  tags: MessageTag[];
  tenant?: string;
  /** As event publishing shows tags: the client's and those of SES. */
  eventTags: Record<string, string[]>;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Everything that has happened to it. */
  events: MailEvent[];
}

const MOST_MAILS = 10_000;
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_EVENTS = 1000;

/** The mails that were sent since the start or the last reset, as far as there is room; the oldest give way. */
export class SentMails {
  private readonly mails = new Map<string, SentMail>();
  private bytes = 0;

  add(mail: SentMail): void {
    this.mails.set(mail.messageId, mail);
    this.bytes += weightOf(mail);
    for (const [id, oldest] of this.mails) {
      if (this.mails.size <= MOST_MAILS && (this.bytes <= MOST_BYTES || this.mails.size === 1)) break;
      this.mails.delete(id);
      this.bytes -= weightOf(oldest);
    }
  }

  get(messageId: string): SentMail | undefined {
    return this.mails.get(messageId);
  }

  /** Forgets a mail, or all where none is named. */
  forget(messageId?: string): void {
    for (const [id, mail] of this.mails) {
      if (messageId !== undefined && id !== messageId) continue;
      this.mails.delete(id);
      this.bytes -= weightOf(mail);
    }
  }

  /** Every mail, oldest first. */
  list(): SentMail[] {
    return [...this.mails.values()];
  }

  /** Notes what has happened to a mail; no more than so much of it. */
  note(mail: SentMail, event: MailEvent): void {
    if (mail.events.length < MOST_EVENTS) mail.events.push(event);
  }
}

const weightOf = ({ raw, text = '', html = '' }: SentMail): number => raw.length + text.length + html.length;

/** As the control routes show it. */
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
