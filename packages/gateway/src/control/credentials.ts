import type { CredentialsRecord } from '@emu/control-client';
import type { Kernel } from '@emu/core';
import { issueSession, roleSessionPrincipal } from '@emu/core/service';
import { type Route, route } from './route.ts';

/** Lifetime of issued credentials in seconds. */
const DURATION = 3600;
/** Milliseconds before its end at which a session is replaced. SDKs refresh later. */
const ROTATION = 15 * 60_000;
const SESSION_NAME = 'emulator';

/** A session and its start in epoch milliseconds. */
export interface VendedSession {
  readonly record: CredentialsRecord;
  readonly issuedAt: number;
}

/**
 * Issues credentials of a role: the same session until shortly before its end, so that reads change nothing. Sessions
 * are registered. Where policies are enforced they have the role's permissions, or all permissions if IAM has no such
 * role.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export class CredentialVendor {
  private current: VendedSession | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly roleArn: string,
    private readonly sessionName: string,
  ) {}

  /** Returns the current session. */
  session(): VendedSession {
    const now = this.kernel.clock.now();
    if (!this.current || !this.isFresh(this.current.record, now))
      this.current = { record: this.issue(), issuedAt: now };
    return this.current;
  }

  /** Whether credentials are valid for long enough and still registered after resets. */
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

/** `GET /_emulator/credentials`: the target of `AWS_CONTAINER_CREDENTIALS_FULL_URI`. */
export function credentialsRoutes(kernel: Kernel, roleArn: string): Route[] {
  const vendor = new CredentialVendor(kernel, roleArn, SESSION_NAME);
  return [route('GET /_emulator/credentials', () => ({ json: vendor.session().record }))];
}
