import type { Credential, CredentialRegistry } from '@emu/core/service';
import type { IamContext } from '../context.ts';
import { requireUser } from '../entities/lookup.ts';
import { invalid } from '../errors.ts';
import type { User } from '../state.ts';

/** Owner of the access keys of an operation. */
export type KeyOwner = Credential['principal'] & { user?: User };

/**
 * Returns the owner named by an access key operation, by default the caller: a user, or the root user of the account.
 * @throws AwsError `NoSuchEntity`, `ValidationError` if the caller is neither
 */
export function ownerOf(ctx: IamContext, userName: string | undefined): KeyOwner {
  const { type, arn, accountId } = ctx.principal;
  if (userName === undefined && type === 'root') return { type, arn, accountId, userId: accountId };
  if (userName === undefined && type !== 'user')
    throw invalid('Must specify userName when calling with non-User credentials');
  const user = requireUser(ctx.state, userName ?? arn.slice(arn.lastIndexOf('/') + 1));
  return { type: 'user', arn: user.arn, accountId: ctx.accountId, userId: user.id, user };
}

/** Returns the long-term keys of a user, or of the root user if its id is the account's; oldest first. */
export function keysOf(credentials: CredentialRegistry, accountId: string, userId: string): Credential[] {
  const keys: Credential[] = [];
  for (const credential of credentials.list(accountId))
    if (credential.sessionToken === undefined && credential.principal.userId === userId) keys.push(credential);
  return keys;
}

/** Updates the keys and sessions of a renamed user. */
export function renameKeys(credentials: CredentialRegistry, accountId: string, user: User): void {
  for (const credential of [...credentials.list(accountId)])
    if (credential.principal.type === 'user' && credential.principal.userId === user.id)
      credentials.put({ ...credential, principal: { ...credential.principal, arn: user.arn } });
}
