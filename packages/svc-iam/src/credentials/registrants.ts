import type { IamContext } from '../context.ts';
import type { IamState, User } from '../state.ts';
import { ownerOf } from './access-keys.ts';

/** Owner of the devices, keys and certificates of an operation: a user, or the account's root user. */
export interface Registrant {
  /** `AIDA…`, or the account id. */
  userId: string;
  /** The user's name; empty for the root user. */
  userName: string;
}

/**
 * Returns the user named by an operation, by default the caller.
 * @throws AwsError `NoSuchEntity`, `ValidationError` if the caller is neither a user nor the root user
 */
export function registrantOf(ctx: IamContext, userName: string | undefined): Registrant {
  const { userId, user } = ownerOf(ctx, userName);
  return { userId, userName: user?.name ?? '' };
}

/** Returns all users of an account by id. */
export function usersById(state: IamState): Map<string, User> {
  const users = new Map<string, User>();
  for (const user of state.users.values()) users.set(user.id, user);
  return users;
}

/** Returns the records of one user in order of creation. */
export function recordsOf<T extends { userId: string }>(
  records: Iterable<T>,
  { userId }: Pick<Registrant, 'userId'>,
): T[] {
  const found: T[] = [];
  for (const record of records) if (record.userId === userId) found.push(record);
  return found;
}
