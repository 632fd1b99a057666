import { invalidPassword, passwordUsed } from '../errors.ts';
import { DEFAULT_PASSWORD_POLICY } from '../pools/settings.ts';
import type { Pool, User, Verifier } from '../records.ts';
import { isPassword, type SrpIdentity, verifierOf } from '../srp/srp.ts';
import type { CognitoState } from '../state.ts';

/** Characters that count as symbols. */
const SYMBOLS = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+\- ]/;
const MAX_LENGTH = 256;
const DAY = 24 * 60 * 60 * 1000;

/** Returns the SRP identity of a user. */
export const srpIdentity = (poolId: string, username: string): SrpIdentity => ({
  group: poolId.slice(poolId.indexOf('_') + 1),
  name: username,
});

/**
 * Checks a password against the pool's policy.
 * @throws AwsError `InvalidPasswordException` if it does not conform
 */
export function checkPolicy(pool: Pool, password: string): void {
  const policy = pool.settings.Policies?.PasswordPolicy ?? DEFAULT_PASSWORD_POLICY;
  const { MinimumLength = 8, RequireLowercase, RequireUppercase, RequireNumbers, RequireSymbols } = policy;
  if (password.length < MinimumLength)
    throw invalidPassword('Password did not conform with policy: Password not long enough');
  if (password.length > MAX_LENGTH)
    throw invalidPassword('Password did not conform with policy: Password must not be longer than 256 characters');
  if (/^\s|\s$/.test(password))
    throw invalidPassword('Password did not conform with policy: Password must not begin or end with a space');
  if (RequireUppercase && !/[A-Z]/.test(password))
    throw invalidPassword('Password did not conform with policy: Password must have uppercase characters');
  if (RequireLowercase && !/[a-z]/.test(password))
    throw invalidPassword('Password did not conform with policy: Password must have lowercase characters');
  if (RequireNumbers && !/\d/.test(password))
    throw invalidPassword('Password did not conform with policy: Password must have numeric characters');
  if (RequireSymbols && !SYMBOLS.test(password))
    throw invalidPassword('Password did not conform with policy: Password must have symbol characters');
}

/** Returns the verifier to store for a password. */
export const keep = (pool: Pool, username: string, password: string, state: CognitoState): Promise<Verifier> =>
  verifierOf(srpIdentity(pool.id, username), password, (length) => state.ids.bytes(length));

/** Whether a password belongs to a user. */
export const matches = async (user: User, password: string): Promise<boolean> =>
  user.password !== undefined && isPassword(srpIdentity(user.poolId, user.username), password, user.password);

/**
 * Checks a password against the user's history.
 * @throws AwsError `PasswordHistoryPolicyViolationException` if it is one of the last passwords that the policy covers
 */
export async function checkHistory(pool: Pool, user: User, password: string): Promise<void> {
  const size = pool.settings.Policies?.PasswordPolicy?.PasswordHistorySize ?? 0;
  if (size === 0) return;
  const latest = [user.password, ...(user.formerPasswords ?? [])].slice(0, size);
  const identity = srpIdentity(pool.id, user.username);
  for (const verifier of latest) if (verifier && (await isPassword(identity, password, verifier))) throw passwordUsed();
}

/**
 * Sets a permanent password.
 * @throws AwsError if policy or history reject it
 */
export async function setPassword(pool: Pool, user: User, password: string, state: CognitoState): Promise<User> {
  checkPolicy(pool, password);
  await checkHistory(pool, user, password);
  const verifier = await keep(pool, user.username, password, state);
  return state.updateUser(user, (draft) => {
    recordPrevious(pool, draft);
    draft.password = verifier;
    delete draft.temporaryUntil;
    draft.status = 'CONFIRMED';
    delete draft.failures;
  });
}

/** Sets a temporary password, which the user must change at the next sign-in. */
export async function setTemporaryPassword(
  pool: Pool,
  user: User,
  password: string,
  state: CognitoState,
): Promise<User> {
  checkPolicy(pool, password);
  const verifier = await keep(pool, user.username, password, state);
  return state.updateUser(user, (draft) => {
    draft.password = verifier;
    draft.temporaryUntil = temporaryUntil(pool, state);
    draft.status = 'FORCE_CHANGE_PASSWORD';
    delete draft.failures;
  });
}

/** Returns the expiry of a temporary password set now, in epoch milliseconds. */
export function temporaryUntil({ settings }: Pool, { clock }: CognitoState): number {
  const days =
    settings.Policies?.PasswordPolicy?.TemporaryPasswordValidityDays ||
    (settings.AdminCreateUserConfig?.UnusedAccountValidityDays ?? 7);
  return clock.now() + days * DAY;
}

/** Maximum number of stored previous passwords. */
const MAX_HISTORY = 24;

function recordPrevious(pool: Pool, draft: { password?: Verifier; formerPasswords?: Verifier[] }): void {
  if (!pool.settings.Policies?.PasswordPolicy?.PasswordHistorySize || !draft.password) return;
  draft.formerPasswords = [draft.password, ...(draft.formerPasswords ?? [])].slice(0, MAX_HISTORY);
}

/** Returns a random password that conforms to the pool's policy. */
export function randomPassword(pool: Pool, { ids }: CognitoState): string {
  const length = Math.max(pool.settings.Policies?.PasswordPolicy?.MinimumLength ?? 8, 12) - 4;
  const rest = ids.chars(length, 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789');
  return `${ids.chars(1, 'ABCDEFGH')}${ids.chars(1, 'abcdefgh')}${ids.chars(1, '23456789')}${ids.chars(1, '!@#%&')}${rest}`;
}
