import type { Ids } from '@emu/core/service';
import type { Attachment, MessageHeader } from '@emu/service-types/sesv2';
import type { SigningKey } from '../identities/dkim.ts';

/** A mail composed by SES. */
export interface SimpleMail {
  subject: string;
  text?: string | undefined;
  html?: string | undefined;
  headers?: readonly MessageHeader[] | undefined;
  attachments?: readonly Attachment[] | undefined;
}

/** Header fields of a mail. */
export interface Head {
  from: string;
  to: readonly string[];
  cc: readonly string[];
  replyTo: readonly string[];
  messageId: string;
  /** Epoch milliseconds. */
  date: number;
}

const ENCODINGS = { BASE64: 'base64', QUOTED_PRINTABLE: 'quoted-printable', SEVEN_BIT: '7bit' } as const;

/** Returns the MIME message of a mail. */
export async function compose(mail: SimpleMail, head: Head, ids: Ids): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js');
  const { text, html } = mail;
  const composer = new MailComposer({
    from: head.from,
    to: [...head.to],
    cc: [...head.cc],
    replyTo: [...head.replyTo],
    subject: mail.subject,
    ...((text !== undefined || html === undefined) && { text: text ?? '' }),
    ...(html !== undefined && { html }),
    headers: (mail.headers ?? []).map(({ Name: key, Value: value }) => ({ key, value })),
    attachments: (mail.attachments ?? []).map((one) => ({
      filename: one.FileName,
      content: Buffer.from(one.RawContent),
      contentDisposition: one.ContentDisposition === 'INLINE' ? ('inline' as const) : ('attachment' as const),
      ...(one.ContentId !== undefined && { cid: one.ContentId.replace(/^<|>$/g, '') }),
      ...(one.ContentType !== undefined && { contentType: one.ContentType }),
      ...(one.ContentTransferEncoding !== undefined && {
        contentTransferEncoding: ENCODINGS[one.ContentTransferEncoding],
      }),
      ...(one.ContentDescription !== undefined && { headers: { 'Content-Description': one.ContentDescription } }),
    })),
    messageId: head.messageId,
    date: new Date(head.date),
    baseBoundary: ids.hex(16),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Signs a MIME message with DKIM. */
export async function sign(message: Buffer, { domain, selector, privateKey }: SigningKey): Promise<Buffer> {
  const { default: Dkim } = await import('nodemailer/lib/dkim/index.js');
  const signed = new Dkim({ domainName: domain, keySelector: selector, privateKey }).sign(message);
  const chunks: Buffer[] = [];
  for await (const chunk of signed) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
