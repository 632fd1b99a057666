import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SES_OPTIONS } from '../options.ts';
import type { SesState } from '../state.ts';
import type { SentMail } from './sent.ts';

const TIMEOUT = 10_000;

/** What the SMTP server said of the recipients of a mail. */
export interface Transmitted {
  delivered: readonly string[];
  /** Who did not get it, with the server's reply. */
  failed: readonly { recipient: string; reply: string; permanent: boolean }[];
}

/** Writes a mail to the outbox, where there is one. */
async function toOutbox(state: SesState, { messageId, raw }: SentMail, directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `${messageId}.eml`), raw);
  } catch (error) {
    state.scope.log.error(`a mail could not be written to ${directory}`, { error });
  }
}

/** Gives a mail to an SMTP server. */
async function relay(
  { envelopeFrom, raw }: SentMail,
  recipients: readonly string[],
  relayUrl: string,
  requireTLS: boolean,
): Promise<Transmitted> {
  const { createTransport } = await import('./nodemailer.ts');
  const url = new URL(relayUrl);
  const secure = url.protocol === 'smtps:';
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS,
    // TLS that nobody asked for only hides: many servers of tests have certificates of their own.
    tls: { rejectUnauthorized: secure || requireTLS },
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
  });
  try {
    const sent = await transport.sendMail({ envelope: { from: envelopeFrom, to: [...recipients] }, raw });
    const failed = (sent.rejectedErrors ?? []).map(({ recipient = '', response = '', responseCode = 0 }) => ({
      recipient,
      reply: response,
      permanent: responseCode >= 500,
    }));
    const refused = new Set(failed.map(({ recipient }) => recipient));
    return { delivered: recipients.filter((recipient) => !refused.has(recipient)), failed };
  } catch (error) {
    const { message, responseCode = 0 } = error as Error & { responseCode?: number };
    return {
      delivered: [],
      failed: recipients.map((recipient) => ({ recipient, reply: message, permanent: responseCode >= 500 })),
    };
  } finally {
    transport.close();
  }
}

/**
 * Brings a mail out of emu as far as the settings say: to a file, and to an SMTP server. Without a server everybody gets it.
 * @param requireTls whether the server must speak TLS
 */
export async function transmit(
  state: SesState,
  mail: SentMail,
  recipients: readonly string[],
  requireTls = false,
): Promise<Transmitted> {
  const { EMULATOR_SES_OUTBOX: directory, EMULATOR_SES_SMTP_RELAY: server } = state.scope.settings.of(SES_OPTIONS);
  if (directory !== undefined) await toOutbox(state, mail, directory);
  if (server === undefined || !recipients.length) return { delivered: recipients, failed: [] };
  return relay(mail, recipients, server, requireTls);
}
