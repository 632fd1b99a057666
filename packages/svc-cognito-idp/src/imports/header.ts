import type { Pool } from '../records.ts';

/** The column of user names. */
export const USERNAME_COLUMN = 'cognito:username';
/** The column that says whether a user has a second factor. */
export const MFA_COLUMN = 'cognito:mfa_enabled';

/** Columns of standard attributes, in AWS's order. */
const STANDARD = [
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'email',
  'email_verified',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone_number',
  'phone_number_verified',
  'address',
  'updated_at',
];

/**
 * The columns of a file that users are imported from.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
export const csvHeader = ({ schema }: Pool): string[] => [
  ...STANDARD,
  ...schema.map(({ name }) => name).filter((name) => name.includes('custom:')),
  MFA_COLUMN,
  USERNAME_COLUMN,
];
