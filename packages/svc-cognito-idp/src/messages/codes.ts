import { codeMismatch, expiredCode, limitExceeded } from '../errors.ts';
import type { CodePurpose, CodeRecord, Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** Validity of codes by purpose, in milliseconds. */
const VALIDITY: Readonly<Record<CodePurpose, number>> = {
  'sign-up': DAY,
  'attribute-verification': DAY,
  'forgot-password': HOUR,
};
/** Number of wrong codes after which a code is rejected. */
const MAX_FAILURES = 5;
const CODE_LENGTH = 6;

const keyOf = (poolId: string, username: string, purpose: CodePurpose, attributeName = ''): string =>
  `${poolId}/${username}/${purpose}/${attributeName}`;

/** Purpose and destination of a code. */
export type CodeSubject = Pick<CodeRecord, 'purpose' | 'attributeName' | 'medium' | 'destination' | 'clientId'>;

/** Returns a code of six digits. */
const newCode = ({ ids }: CognitoState): string => ids.chars(CODE_LENGTH, '0123456789');

/** Creates a code, replacing a previous one with the same purpose. */
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
 * Returns the confirmation link in e-mails of pools with `CONFIRM_WITH_LINK`.
 * @param endpoint base URL of emu
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
 * Verifies the code that a user enters; a correct code is consumed.
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
  if (record.failures >= MAX_FAILURES) throw limitExceeded('Attempt limit exceeded, please try after some time.');
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

/** A pending code. */
export interface WaitingCode
  extends Pick<
    CodeRecord,
    'poolId' | 'username' | 'attributeName' | 'code' | 'medium' | 'destination' | 'clientId' | 'createdAt' | 'expiresAt'
  > {
  purpose: CodePurpose | 'authentication';
}

/** Returns the pending codes of a user or of all, including sign-in codes. */
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
