import { type Credential, issueSession, type OperationContext, type Principal } from '@emu/core';
import type { Credentials } from '@emu/service-types/sts';

/** What a session remembers, for policies and for the sessions that are made from it. */
export type SessionContext = Omit<NonNullable<Credential['session']>, 'issuedAt'>;

/**
 * Makes temporary credentials for a principal and registers them, as STS answers them.
 * @param durationSeconds how long they are valid from now
 */
export function issueCredentials(
  ctx: OperationContext,
  principal: Omit<Principal, 'accessKeyId'>,
  durationSeconds: number,
  session: SessionContext,
): Credentials {
  const credential = issueSession(ctx, principal, durationSeconds, session);
  return {
    AccessKeyId: credential.accessKeyId,
    SecretAccessKey: credential.secretAccessKey,
    SessionToken: credential.sessionToken,
    Expiration: new Date(credential.expiresAt),
  };
}
