import { codeMismatch, expiredCode, limitExceeded } from '../errors.ts';
import type { CodePurpose, CodeRecord, Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** How long codes are good for. */
const VALIDITY: Readonly<Record<CodePurpose, number>> = {
  'sign-up': DAY,
  'attribute-verification': DAY,
  'forgot-password': HOUR,
};
/** Wrong codes after which the right one is refused too. */
const MOST_FAILURES = 5;
const CODE_LENGTH = 6;

const keyOf = (poolId: string, username: string, purpose: CodePurpose, attributeName = ''): string =>
  `${poolId}/${username}/${purpose}/${attributeName}`;

/** What a code is about. */
export type CodeSubject = Pick<CodeRecord, 'purpose' | 'attributeName' | 'medium' | 'destination' | 'clientId'>;

/** Six digits. */
const newCode = ({ ids }: CognitoState): string => ids.chars(CODE_LENGTH, '0123456789');

/** Makes a code in the place of an earlier one for the same. */
export function makeCode({ poolId, username }: User, subject: CodeSubject, state: CognitoState): CodeRecord {
  const now = state.clock.now();
  const record: CodeRecord = {
    poolId,
    username,
    ...subject,
    code: newCode(state),
    createdAt: now,
    expiresAt: now + VALIDITY[subject.purpose],
    failures: 0,
  };
  state.codes.put(keyOf(poolId, username, subject.purpose, subject.attributeName), record);
  return record;
}

/**
 * The address that confirms a user, as e-mails have it where the pool says `CONFIRM_WITH_LINK`.
 * @param endpoint base URL by which emu is reached
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-message-customizations.html
 */
export function confirmationLink(
  endpoint: string,
  { poolId, username }: Pick<User, 'poolId' | 'username'>,
  clientId: string,
  code: string,
): string {
  const query = new URLSearchParams({ client_id: clientId, user_name: username, confirmation_code: code });
  return `${endpoint}/${poolId}/confirmUser?${query.toString()}`;
}

/**
 * Takes the code that a user enters; a right one is used up.
 * @throws AwsError `CodeMismatchException`, `ExpiredCodeException`, `LimitExceededException`
 */
export function takeCode(
  pool: Pool,
  user: User,
  purpose: CodePurpose,
  entered: string,
  state: CognitoState,
  attributeName?: string,
): CodeRecord {
  const key = keyOf(pool.id, user.username, purpose, attributeName);
  const record = state.codes.get(key);
  if (!record) throw expiredCode();
  if (record.failures >= MOST_FAILURES) throw limitExceeded('Attempt limit exceeded, please try after some time.');
  if (record.expiresAt <= state.clock.now()) throw expiredCode();
  if (record.code !== entered.trim()) {
    state.codes.update(key, (draft) => {
      draft.failures++;
    });
    throw codeMismatch();
  }
  state.codes.delete(key);
  return { ...record };
}

/** A code that waits to be entered. */
export interface WaitingCode
  extends Pick<
    CodeRecord,
    'poolId' | 'username' | 'attributeName' | 'code' | 'medium' | 'destination' | 'clientId' | 'createdAt' | 'expiresAt'
  > {
  purpose: CodePurpose | 'authentication';
}

/** The codes that wait to be entered, of a user or all: those of sign-ins too. */
export function waitingCodes(state: CognitoState, user?: User): WaitingCode[] {
  const now = state.clock.now();
  const sent: WaitingCode[] = [...state.codes.values()];
  for (const session of state.sessions.values()) {
    const { poolId, username, sent: to, code, expiresAt } = session;
    if (to && code !== undefined && username !== undefined)
      sent.push({ poolId, username, purpose: 'authentication', code, ...to, expiresAt });
  }
  return sent
    .filter(
      ({ expiresAt, poolId, username }) =>
        expiresAt > now && (!user || (poolId === user.poolId && username === user.username)),
    )
    .sort((a, b) => a.createdAt - b.createdAt);
}
