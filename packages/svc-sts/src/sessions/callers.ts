import type { Credential, OperationContext } from '@emu/core/service';
import { accessDenied, stsError } from '../errors.ts';

/**
 * Returns the registered credentials of a request; undefined for unknown keys, which belong to the root user of an
 * account.
 */
export function credentialsOf(ctx: OperationContext): Credential | undefined {
  const { accessKeyId } = ctx.principal;
  return accessKeyId === undefined ? undefined : ctx.credentials.get(accessKeyId);
}

/** Whether the caller signed with temporary credentials. */
function hasSessionCredentials(ctx: OperationContext): boolean {
  return credentialsOf(ctx)?.sessionToken !== undefined;
}

/** Rejects an unsigned request. @throws AwsError `MissingAuthenticationToken` (403) */
export function requireSigned(ctx: OperationContext): void {
  if (ctx.principal.type === 'anonymous')
    throw stsError('MissingAuthenticationToken', 'Request is missing Authentication Token', { status: 403 });
}

/**
 * Rejects temporary credentials for GetSessionToken and GetFederationToken.
 * @throws AwsError `AccessDenied`
 */
export function requireLongTermCredentials(ctx: OperationContext): void {
  requireSigned(ctx);
  if (hasSessionCredentials(ctx)) throw accessDenied(`Cannot call ${ctx.operation} with session credentials`);
}

/** Whether the caller is a root user with registered credentials. An unknown key is not sufficient. */
export function isRegisteredRoot(ctx: OperationContext): boolean {
  return ctx.principal.type === 'root' && credentialsOf(ctx) !== undefined;
}
