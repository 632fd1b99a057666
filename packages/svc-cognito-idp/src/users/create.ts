import { invalidParameter, usernameExists } from '../errors.ts';
import type { Pool, User, UserRecord } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { claimAliases, isEmail, isPhone } from './attributes.ts';
import { isCaseSensitive } from './case.ts';
import { findUser, holderOf } from './find.ts';

/** Name of a new user, with the attribute that it sets. */
export interface NewName {
  username: string;
  sub: string;
  attributes: Record<string, string>;
}

/**
 * Resolves the name of a new user: if the pool uses addresses or numbers as names, the user name is the sub.
 * @throws AwsError `InvalidParameterException`, `UsernameExistsException`
 */
export function usernameFor(
  pool: Pool,
  given: string,
  attributes: Readonly<Record<string, string>>,
  state: CognitoState,
): NewName {
  const sub = state.ids.uuid();
  const { UsernameAttributes: kinds, AliasAttributes: aliases } = pool.settings;
  if (kinds?.length) {
    const kind = kinds.find((one) => (one === 'email' ? isEmail(given) : isPhone(given)));
    if (!kind)
      throw invalidParameter(
        kinds.length > 1
          ? 'Username should be either an email or a phone number.'
          : kinds[0] === 'email'
            ? 'Username should be an email.'
            : 'Username should be a phone number.',
      );
    const claimed = attributes[kind];
    const inCase = (value: string): string => (isCaseSensitive(pool) ? value : value.toLowerCase());
    if (claimed !== undefined && inCase(claimed) !== inCase(given))
      throw invalidParameter(`User ${kind} attribute and username don't match.`);
    for (const one of kinds) {
      const value = one === kind ? given : attributes[one];
      if (value && holderOf(pool, one, value, state))
        throw usernameExists(`An account with the given ${one} already exists.`);
    }
    return { username: sub, sub, attributes: { [kind]: given } };
  }
  if (aliases?.includes('email') && isEmail(given))
    throw invalidParameter('Username cannot be of email format, since user pool is configured for email alias.');
  if (aliases?.includes('phone_number') && isPhone(given))
    throw invalidParameter(
      'Username cannot be of phone number format, since user pool is configured for phone number alias.',
    );
  if (state.user(pool, given)) throw usernameExists('User already exists');
  if (aliases?.includes('preferred_username') && findUser(pool, given, state))
    throw usernameExists('User already exists');
  return { username: given, sub, attributes: {} };
}

/** A new user. */
export interface NewUser extends NewName, Pick<UserRecord, 'status' | 'password' | 'temporaryUntil' | 'identities'> {
  /** Whether to take aliases over from other users. */
  force?: boolean;
}

/**
 * Adds a user.
 * @throws AwsError `AliasExistsException`
 */
export function createUser(pool: Pool, state: CognitoState, { force = false, ...user }: NewUser): User {
  const attributes = { ...user.attributes };
  if (user.status === 'CONFIRMED' || user.status === 'FORCE_CHANGE_PASSWORD')
    claimAliases(pool, attributes, state, undefined, force);
  const now = state.clock.now();
  return state.putUser(pool, {
    poolId: pool.id,
    enabled: true,
    createdAt: now,
    updatedAt: now,
    groups: [],
    mfa: [],
    ...user,
    attributes,
  });
}
