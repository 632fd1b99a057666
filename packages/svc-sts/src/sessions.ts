import { type Credential, newAccessKeyId, type OperationContext, type Principal } from '@emu/core';
import type { Credentials } from './generated/sts.ts';
import { assumedRoleArn, type RoleReference, roleId } from './roles.ts';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** What tokens of AWS begin with: base64 of a header that names its origin. */
const TOKEN_HEAD = 'IQoJb3JpZ2luX2Vj';
/** Bytes behind the head: AWS's tokens have a few hundred to a thousand characters. */
const TOKEN_BYTES = 540;

/** What a session remembers, for policies and for the sessions that are made from it. */
export type SessionFacts = Omit<NonNullable<Credential['session']>, 'issuedAt'>;

/**
 * Makes temporary credentials for a principal and registers them, so that requests signed with them belong to the
 * principal's account and verify.
 * @param durationSeconds how long they are valid from now
 */
export function issueCredentials(
  ctx: OperationContext,
  principal: Omit<Principal, 'accessKeyId'>,
  durationSeconds: number,
  session: SessionFacts,
): Credentials {
  const now = ctx.clock.now();
  // AWS tells the expiration in whole seconds.
  const expiresAt = (Math.floor(now / 1000) + durationSeconds) * 1000;
  const credential = {
    accessKeyId: newAccessKeyId('ASIA', principal.accountId, ctx.ids),
    secretAccessKey: ctx.ids.chars(40, BASE64),
    sessionToken: TOKEN_HEAD + ctx.ids.bytes(TOKEN_BYTES).toString('base64'),
    expiresAt,
    active: true,
    principal,
    session: { ...session, issuedAt: now },
  };
  ctx.credentials.put(credential);
  return {
    AccessKeyId: credential.accessKeyId,
    SecretAccessKey: credential.secretAccessKey,
    SessionToken: credential.sessionToken,
    Expiration: new Date(expiresAt),
  };
}

/** Who the holder of a role's session is. */
export function roleSessionPrincipal(role: RoleReference, sessionName: string): Omit<Principal, 'accessKeyId'> {
  return {
    type: 'assumed-role',
    accountId: role.accountId,
    arn: assumedRoleArn(role, sessionName),
    userId: `${roleId(role.arn)}:${sessionName}`,
  };
}
