import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentMail } from '../events/sent.ts';
import { SES_OPTIONS } from '../options.ts';
import type { SesState } from '../state.ts';

const TIMEOUT = 10_000;

/** Reply of the SMTP server for the recipients of a mail. */
export interface Transmitted {
  delivered: readonly string[];
  /** Rejected recipients with the server's reply. */
  failed: readonly { recipient: string; reply: string; permanent: boolean }[];
}

/** Writes a mail to the outbox directory, if configured. */
async function toOutbox(state: SesState, { messageId, raw }: SentMail, directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `${messageId}.eml`), raw);
  } catch (error) {
    state.scope.log.error(`a mail could not be written to ${directory}`, { error });
  }
}

/** Sends a mail to an SMTP server. */
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
    // Opportunistic TLS does not verify certificates: many test servers have self-signed ones.
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
 * Passes a mail to the configured outbox and SMTP server. Without a server, all recipients count as reached.
 * @param requireTls whether the server must support TLS
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
