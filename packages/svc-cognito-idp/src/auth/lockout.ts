import { notAuthorized } from '../errors.ts';
import type { User } from '../records.ts';
import type { CognitoState } from '../state.ts';

/** Wrong passwords before sign-ins are locked: for a second, then twice as long each time. */
const FREE_FAILURES = 5;
const FIRST_LOCK = 1_000;
const MAX_LOCK = 15 * 60_000;

/**
 * Checks that a user is not locked.
 * @throws AwsError `NotAuthorizedException` if they are
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 */
export function checkLock({ failures }: User, { clock }: CognitoState): void {
  if (failures && failures.lockedUntil > clock.now()) throw notAuthorized('Password attempts exceeded');
}

/** Counts a wrong password. */
export function countWrongPassword(user: User, state: CognitoState): void {
  const now = state.clock.now();
  const { failures } = user;
  const count = failures && now - failures.lastAt < MAX_LOCK ? failures.count + 1 : 1;
  const lock = count < FREE_FAILURES ? 0 : Math.min(FIRST_LOCK * 2 ** (count - FREE_FAILURES), MAX_LOCK);
  state.updateUser(
    user,
    (draft) => {
      draft.failures = { count, lastAt: now, lockedUntil: now + lock };
    },
    true,
  );
}

/** Resets the count of wrong passwords. */
export function resetWrongPasswords(user: User, state: CognitoState): User {
  if (!user.failures) return user;
  return state.updateUser(
    user,
    (draft) => {
      delete draft.failures;
    },
    true,
  );
}
