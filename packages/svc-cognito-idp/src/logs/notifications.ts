import type { Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';

/** Logs a delivery failure of a message, if the pool exports such errors. */
export function logNotification(
  pool: Pool,
  user: Pick<User, 'sub'>,
  { source, medium }: { source: string; medium: 'EMAIL' | 'SMS' },
  reason: string,
  state: CognitoState,
): void {
  const details = `${medium} message of ${source} to the user ${user.sub} was not sent: ${reason}`;
  state.logs.log(pool.id, 'userNotification', 'ERROR', { details });
}
