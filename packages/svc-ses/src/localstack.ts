import type { SesEmail } from '@emu/control-client';
import type { ControlRoute } from '@emu/core/service';
import { describeMail } from './events/sent.ts';
import type { SesState } from './state.ts';

/** Path of sent mails in LocalStack. */
const PATH = '/_aws/ses';

/** Whether a sender, optionally with display name, has an address. */
const isOf = (from: string, address: string): boolean => from === address || from.endsWith(`<${address}>`);

/** Returns a sent mail in LocalStack's form, without missing members. */
function messageOf(mail: SesEmail) {
  const { messageId, region, from, timestamp, destination, subject, textBody, htmlBody, raw } = mail;
  const { toAddresses, ccAddresses, bccAddresses } = destination;
  const about = { Id: messageId, Region: region, Source: from, Timestamp: timestamp };
  if (mail.operation === 'SendRawEmail') return { ...about, RawData: raw };
  return {
    ...about,
    Destination: {
      ToAddresses: toAddresses,
      ...(ccAddresses.length > 0 && { CcAddresses: ccAddresses }),
      ...(bccAddresses.length > 0 && { BccAddresses: bccAddresses }),
    },
    ...(mail.templateName === undefined
      ? { Subject: subject, Body: { text_part: textBody ?? null, html_part: htmlBody ?? null } }
      : { Template: mail.templateName, TemplateData: mail.templateData }),
  };
}

/**
 * Routes for tests written for LocalStack that list sent mails (`id`, `email`: by sender) and delete them (`id`).
 * @see https://docs.localstack.cloud/aws/services/ses/
 */
export const localstack: readonly ControlRoute<SesState>[] = [
  {
    method: 'GET',
    path: PATH,
    handle({ query }, service) {
      const [id, email] = [query.get('id'), query.get('email')];
      const mails = [...service.states()]
        .flatMap(({ state }) => state.sent.list())
        .sort((one, other) => one.sentAt - other.sentAt)
        .map(describeMail)
        .filter(({ messageId, from }) => (id === null || messageId === id) && (email === null || isOf(from, email)));
      return { json: { messages: mails.map(messageOf) } };
    },
  },
  {
    method: 'DELETE',
    path: PATH,
    handle({ query }, service) {
      for (const { state } of service.states()) state.sent.discard(query.get('id') ?? undefined);
      return { json: {} };
    },
  },
];
