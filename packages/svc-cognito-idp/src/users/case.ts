import type { Pool } from '../records.ts';

/**
 * Whether user names and aliases that differ in case belong to different users, which is the default.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UsernameConfigurationType.html
 */
export const isCaseSensitive = ({ settings }: Pool): boolean => settings.UsernameConfiguration?.CaseSensitive !== false;
