import type { Pool } from '../records.ts';

/** Column of user names. */
export const USERNAME_COLUMN = 'cognito:username';
/** Column of the MFA flag. */
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
 * Returns the columns of an import file.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
export const csvHeader = ({ schema }: Pool): string[] => [
  ...STANDARD,
  ...schema.map(({ name }) => name).filter((name) => name.includes('custom:')),
  MFA_COLUMN,
  USERNAME_COLUMN,
];
