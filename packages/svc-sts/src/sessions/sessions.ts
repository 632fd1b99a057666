import { type Credential, issueSession, type OperationContext, type Principal } from '@emu/core/service';
import type { Credentials } from '@emu/service-types/sts';

/** Properties of a session for policies and for sessions created from it. */
export type SessionContext = Omit<NonNullable<Credential['session']>, 'issuedAt'>;

/**
 * Creates and registers temporary credentials of a principal, in the form of STS's responses.
 * @param durationSeconds validity from now on
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
