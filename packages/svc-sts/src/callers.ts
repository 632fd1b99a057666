import type { Credential, OperationContext } from '@emu/core';
import { awsError } from '@emu/wire';
import { accessDenied } from './errors.ts';

/**
 * The registered credentials a request was signed with; undefined for keys emu does not know, whose owner is taken for
 * the root user of an account.
 */
export function credentialsOf(ctx: OperationContext): Credential | undefined {
  const { accessKeyId } = ctx.principal;
  return accessKeyId === undefined ? undefined : ctx.credentials.get(accessKeyId);
}

/** Whether the caller signed with temporary credentials. */
function hasSessionCredentials(ctx: OperationContext): boolean {
  return credentialsOf(ctx)?.sessionToken !== undefined;
}

/** Refuses a caller who did not sign. @throws AwsError `MissingAuthenticationToken` (403) */
export function requireSigned(ctx: OperationContext): void {
  if (ctx.principal.type === 'anonymous')
    throw awsError('MissingAuthenticationToken', 'Request is missing Authentication Token', { status: 403 });
}

/**
 * GetSessionToken and GetFederationToken take long-term credentials only.
 * @throws AwsError `AccessDenied`
 */
export function requireLongTermCredentials(ctx: OperationContext): void {
  requireSigned(ctx);
  if (hasSessionCredentials(ctx)) throw accessDenied(`Cannot call ${ctx.operation} with session credentials`);
}

/**
 * Whether the caller is a root user for certain: through registered credentials, and not because emu knows nothing
 * about the key.
 */
export function isRegisteredRoot(ctx: OperationContext): boolean {
  return ctx.principal.type === 'root' && credentialsOf(ctx) !== undefined;
}
