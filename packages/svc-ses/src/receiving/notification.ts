import { firstHeaders } from '../events/sent.ts';
import type { ReceivedMail } from './received.ts';

/** Returns the description of a received mail for notifications and functions. */
export function describeReceived(mail: ReceivedMail): Record<string, unknown> {
  const header = (name: string) => mail.headers.find((one) => one.name.toLowerCase() === name)?.value;
  const headers = firstHeaders(mail.headers);
  const listed = (name: string) =>
    header(name)
      ?.split(',')
      .map((part) => part.trim());
  return {
    timestamp: new Date(mail.at).toISOString(),
    source: mail.source,
    messageId: mail.messageId,
    destination: mail.recipients,
    headersTruncated: headers.length < mail.headers.length,
    headers,
    commonHeaders: {
      returnPath: mail.source,
      from: listed('from'),
      date: header('date'),
      to: listed('to'),
      cc: listed('cc'),
      messageId: header('message-id'),
      subject: header('subject'),
    },
  };
}

/**
 * Returns the receipt of a mail for notifications and functions.
 * @param action the action that sends it
 * @see https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html
 */
export const describeReceipt = (
  { at, verdicts }: ReceivedMail,
  recipients: readonly string[],
  action: Record<string, unknown>,
): Record<string, unknown> => ({
  timestamp: new Date(at).toISOString(),
  processingTimeMillis: 100,
  recipients,
  spamVerdict: { status: verdicts.spam },
  virusVerdict: { status: verdicts.virus },
  spfVerdict: { status: verdicts.spf },
  dkimVerdict: { status: verdicts.dkim },
  dmarcVerdict: { status: verdicts.dmarc },
  action,
});
