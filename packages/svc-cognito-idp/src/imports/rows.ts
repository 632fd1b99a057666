import { AwsError } from '@emu/wire';
import type { Pool, User, UserRecord } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { checkRequired, validAttributes } from '../users/attributes.ts';
import { createUser, usernameFor } from '../users/create.ts';
import { findUser } from '../users/find.ts';
import { csvHeader, MFA_COLUMN, USERNAME_COLUMN } from './header.ts';

/** Outcome of a row, with its log message. */
export interface Outcome {
  kind: 'SUCCEEDED' | 'SKIPPED' | 'FAILED';
  reason: string;
}

const failed = (reason: string): Outcome => ({ kind: 'FAILED', reason });

/** Splits a line into fields: a backslash escapes a comma, quotation marks have no meaning. */
export function fieldsOf(line: string): string[] {
  return line.split(/(?<!\\),/).map((field) => field.replaceAll('\\,', ',').trim());
}

/**
 * Validates a header.
 * @returns the problem; undefined for a header with every column, in any order
 */
export function problemOfHeader(pool: Pool, header: readonly string[]): string | undefined {
  const columns = csvHeader(pool);
  const isRight = header.length === columns.length && columns.every((column) => header.includes(column));
  return isRight ? undefined : 'The header in the CSV file does not match the expected headers of the user pool.';
}

/**
 * Imports the user of one row. Users have no password and must choose one.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
export function importRow(pool: Pool, row: Readonly<Record<string, string>>, state: CognitoState): Outcome {
  const { [USERNAME_COLUMN]: username = '', [MFA_COLUMN]: mfa = '', ...given } = row;
  if (username === '') return failed('The cognito:username column is empty.');
  if (/\s/.test(username)) return failed('The cognito:username column must not contain spaces.');
  const hasMfa = mfa.toLowerCase() === 'true';
  if (!hasMfa && mfa.toLowerCase() !== 'false') return failed('The cognito:mfa_enabled column must be true or false.');
  if (pool.mfa === 'ON' && !hasMfa)
    return failed('The cognito:mfa_enabled column must be true: the user pool requires MFA.');
  if (pool.mfa === 'OFF' && hasMfa) return failed('The cognito:mfa_enabled column must be false: MFA is off.');
  const verified = pool.settings.AutoVerifiedAttributes ?? [];
  if (!verified.some((name) => given[`${name}_verified`]?.toLowerCase() === 'true' && given[name]))
    return failed(
      'The User Record does not set any of the auto verified attributes to true. (Example: email_verified to true).',
    );
  try {
    const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    const attributes = validAttributes(pool, values, { client: undefined, user: undefined });
    checkRequired(pool, attributes);
    if (findUser(pool, username, state)) return { kind: 'SKIPPED', reason: 'The user already exists.' };
    const name = usernameFor(pool, username, attributes, state);
    const user = createUser(pool, state, {
      ...name,
      attributes: { ...name.attributes, ...attributes },
      status: 'RESET_REQUIRED',
    });
    if (hasMfa && pool.smsMfa && attributes.phone_number) useTelephone(user, state);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const isThere = error.code === 'UsernameExistsException' || error.code === 'AliasExistsException';
    return isThere ? { kind: 'SKIPPED', reason: 'The user already exists.' } : failed(error.message.trim());
  }
  return { kind: 'SUCCEEDED', reason: 'The import succeeded.' };
}

function useTelephone(user: User, state: CognitoState): void {
  state.updateUser(user, (draft: UserRecord) => {
    draft.mfa = ['SMS_MFA'];
    draft.preferredMfa = 'SMS_MFA';
  });
}
