import type { AddressInfo } from 'node:net';
import type { SesSmtpSubmission } from '@emu/control-client';
import { type HeldData, type OwnData, RecordBuffer, type ServiceHandle } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { SMTPServer, SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { verifiedIdentityFor } from '../identities/identities.ts';
import { isAddress } from '../identities/names.ts';
import { submit } from '../mail/submit.ts';
import { SES_OPTIONS } from '../options.ts';
import { isBlocked, isExpected, receive } from '../receiving/inbound.ts';
import type { SesState } from '../state.ts';
import { regionOfPassword } from './password.ts';
import { REGIONS } from './regions.ts';

const MAX_BYTES = 40 * 1024 * 1024;
const MAX_CLIENTS = 200;
const TIMEOUT = 60_000;
const MAX_SUBMISSIONS = 1000;
const SUBMITTED_BYTES = 64 * 1024 * 1024;

type Handle = ServiceHandle<SesState>;

/** Authenticated user of an SMTP session. */
interface Submitter {
  accountId: string;
  region: string;
  accessKeyId: string;
}

/** Returns an error that the server sends as an SMTP reply. */
function reply(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

/** The SMTP server, if enabled, and its submissions. It does not belong to an account. */
export class SmtpListener implements OwnData {
  readonly submissions = new RecordBuffer<SesSmtpSubmission>(MAX_SUBMISSIONS, {
    limit: SUBMITTED_BYTES,
    of: ({ data }) => data.length,
  });
  /** `host:port` of the server; undefined if it is disabled. */
  address: string | undefined;
  private server: SMTPServer | undefined;

  /**
   * Starts to listen.
   * @throws Error if it fails
   */
  async open(handle: Handle): Promise<void> {
    const { EMULATOR_SMTP_ADDR } = handle.settings.of(SES_OPTIONS);
    const { SMTPServer } = await import('./smtp-server.ts');
    const server = new SMTPServer({
      authOptional: true,
      authMethods: ['PLAIN', 'LOGIN'],
      banner: 'emu ESMTP',
      size: MAX_BYTES,
      maxClients: MAX_CLIENTS,
      socketTimeout: TIMEOUT,
      closeTimeout: 1000,
      disableReverseLookup: true,
      logger: false,
      // Unlike AWS, local programs may also submit without TLS.
      allowInsecureAuth: true,
      onAuth: (auth, _session, callback) => {
        const user = this.authenticate(handle, auth.username ?? '', auth.password ?? '');
        if (user) callback(null, { user: user as never });
        else callback(reply(535, 'Authentication Credentials Invalid'));
      },
      onRcptTo: ({ address }, session, callback) => {
        if (session.user || this.isExpected(handle, address, session.remoteAddress)) callback();
        else callback(reply(550, '5.1.1 Mailbox does not exist'));
      },
      onData: (stream, session, callback) => {
        this.take(handle, stream, session).then(
          (id) => callback(null, `Ok ${id}`),
          (error: Error) => callback(error),
        );
      },
    });
    server.on('error', (error) => handle.log.warn('a connection to the SMTP server failed', { error }));
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(EMULATOR_SMTP_ADDR.port, EMULATOR_SMTP_ADDR.host, () => resolve());
    });
    const { address, port } = server.server.address() as AddressInfo;
    this.address = `${address.includes(':') ? `[${address}]` : address}:${port}`;
    this.server = server;
    handle.log.info(`mail is taken by SMTP at ${this.address}`);
  }

  /** Returns the owner of SMTP credentials; undefined if they are invalid. */
  private authenticate(handle: Handle, user: string, password: string): Submitter | undefined {
    const { settings } = handle;
    const credential = handle.credentials.get(user);
    if (credential) {
      const region = regionOfPassword(password, credential.secretAccessKey, [settings.region, ...REGIONS]);
      if (region === undefined || !credential.active) return undefined;
      return { accountId: credential.principal.accountId, region, accessKeyId: user };
    }
    // As for HTTP requests, unknown credentials belong to the server's account, unless signatures are verified.
    if (settings.values.EMULATOR_VERIFY_SIGV4) return undefined;
    const region = regionOfPassword(password, 'test', [settings.region, ...REGIONS]) ?? settings.region;
    return { accountId: /^\d{12}$/.test(user) ? user : settings.accountId, region, accessKeyId: user };
  }

  /** Yields the states whose rules accept mail for an address of a verified domain. */
  private *takers(handle: Handle, address: string): Iterable<SesState> {
    for (const { state } of handle.states())
      if (verifiedIdentityFor(state, address) && isExpected(state, address)) yield state;
  }

  private isExpected(handle: Handle, address: string, remoteAddress: string): boolean {
    for (const state of this.takers(handle, address)) if (!isBlocked(state, remoteAddress)) return true;
    return false;
  }

  private async take(handle: Handle, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
      // Data above the limit is read and discarded.
      if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
    }
    if (stream.sizeExceeded) throw reply(552, '5.3.4 Message size exceeds the limit');
    const data = Buffer.concat(chunks);
    const { mailFrom, rcptTo } = session.envelope;
    const recipients = rcptTo.map(({ address }: SMTPServerAddress) => address);
    const from = mailFrom === false ? '' : mailFrom.address;
    const submitter = session.user as unknown as Submitter | undefined;
    return submitter
      ? this.submission(handle, submitter, { data, from, recipients }, session)
      : this.incoming(handle, { data, from, recipients }, session);
  }

  private async submission(
    handle: Handle,
    { accountId, region, accessKeyId }: Submitter,
    { data, from, recipients }: { data: Buffer; from: string; recipients: string[] },
    { remoteAddress }: SMTPServerSession,
  ): Promise<string> {
    const state = handle.state(accountId, region);
    try {
      const messageId = await submit(state, {
        api: 'sesv2',
        operation: 'SMTP',
        ...(isAddress(from) && { returnPath: from }),
        recipients: { to: recipients, cc: [], bcc: [] },
        tags: [],
        content: { kind: 'raw', data },
        caller: accessKeyId,
        sourceIp: remoteAddress,
        endpoint: await handle.selfUrl(),
      });
      this.submissions.add({
        messageId,
        accountId,
        mailFrom: from,
        recipients,
        data: data.toString('utf8'),
        remoteAddress,
        timestamp: new Date(handle.clock.now()).toISOString(),
      });
      return messageId;
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      if (error.code === 'TooManyRequestsException') throw reply(454, `Throttling failure: ${error.message}`);
      throw reply(
        554,
        `${error.code === 'MessageRejected' ? 'Message rejected' : 'Transaction failed'}: ${error.message}`,
      );
    }
  }

  private async incoming(
    handle: Handle,
    { data, from, recipients }: { data: Buffer; from: string; recipients: string[] },
    { remoteAddress, secure }: SMTPServerSession,
  ): Promise<string> {
    const states = new Set(recipients.flatMap((recipient) => [...this.takers(handle, recipient)]));
    let messageId = '';
    for (const state of states) {
      const mail = { source: from, recipients, raw: data, secure, sourceIp: remoteAddress };
      ({ messageId } = await receive(state, mail));
    }
    return messageId;
  }

  hold(): HeldData {
    return { release: () => undefined };
  }

  putBack(): void {
    this.submissions.clear();
  }

  clear(accountId: string | undefined): void {
    this.submissions.clear((submission) => accountId === undefined || submission.accountId === accountId);
  }

  async committed(): Promise<void> {
    // Submissions are for inspection only and not persisted.
  }

  async close(): Promise<void> {
    const { server } = this;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
    this.server = undefined;
  }
}
