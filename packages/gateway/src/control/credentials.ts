import type { CredentialsRecord } from '@emu/control-client';
import type { Kernel } from '@emu/core';
import { issueSession, roleSessionPrincipal } from '@emu/core/service';
import { type Route, route } from './route.ts';

/** Seconds that vended credentials are valid. */
const DURATION = 3600;
/** Milliseconds before the end of a session when another takes its place; the SDKs refresh later than that. */
const ROTATION = 15 * 60_000;
const SESSION_NAME = 'emulator';

/** A session and when it began, in epoch milliseconds. */
export interface VendedSession {
  readonly record: CredentialsRecord;
  readonly issuedAt: number;
}

/**
 * Vends credentials of a role: the same session until it is about to expire, so that reading them changes nothing. Sessions
 * are registered and verify. Where policies are enforced they may do what the role may, and everything as long as IAM has
 * no such role.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export class CredentialVendor {
  private current: VendedSession | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly roleArn: string,
    private readonly sessionName: string,
  ) {}

  /** Returns the session that is in force. */
  session(): VendedSession {
    const now = this.kernel.clock.now();
    if (!this.current || !this.isFresh(this.current.record, now))
      this.current = { record: this.issue(), issuedAt: now };
    return this.current;
  }

  /** Whether credentials are valid for long enough, and no reset has removed them. */
  private isFresh({ AccessKeyId, Expiration }: CredentialsRecord, now: number): boolean {
    return Date.parse(Expiration) - now > ROTATION && this.kernel.credentials.get(AccessKeyId) !== undefined;
  }

  private issue(): CredentialsRecord {
    const { kernel, roleArn, sessionName } = this;
    const principal = roleSessionPrincipal(roleArn, sessionName);
    const session = issueSession(kernel, principal, DURATION, { roleArn, name: sessionName }, { administrator: true });
    return {
      AccessKeyId: session.accessKeyId,
      SecretAccessKey: session.secretAccessKey,
      Token: session.sessionToken,
      Expiration: new Date(session.expiresAt).toISOString(),
      RoleArn: roleArn,
    };
  }
}

/** `GET /_emulator/credentials`: what `AWS_CONTAINER_CREDENTIALS_FULL_URI` points to. */
export function credentialsRoutes(kernel: Kernel, roleArn: string): Route[] {
  const vendor = new CredentialVendor(kernel, roleArn, SESSION_NAME);
  return [route('GET /_emulator/credentials', () => ({ json: vendor.session().record }))];
}
