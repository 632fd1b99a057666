import type { CredentialsRecord } from '@emu/control-client';
import { issueSession, type Kernel, roleSessionPrincipal } from '@emu/core';
import { type Route, route } from './route.ts';

/** Seconds that vended credentials are valid. */
const DURATION = 3600;
const SESSION_NAME = 'emulator';

/**
 * Makes a session of a role, registered so that it verifies. Where policies are enforced it may do what the role may, and
 * everything as long as IAM has no such role.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export function vendCredentials(kernel: Kernel, roleArn: string, sessionName = SESSION_NAME): CredentialsRecord {
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

/** `GET /_emulator/credentials`: what `AWS_CONTAINER_CREDENTIALS_FULL_URI` points to. */
export function credentialsRoutes(kernel: Kernel, roleArn: string): Route[] {
  return [route('GET /_emulator/credentials', () => ({ json: vendCredentials(kernel, roleArn) }))];
}
