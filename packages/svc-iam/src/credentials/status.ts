import type { statusType } from '@emu/service-types/iam';
import { invalidInput } from '../errors.ts';

/** Returns the status of an enabled or disabled key, certificate or credential. */
export const statusOf = (active: boolean): statusType => (active ? 'Active' : 'Inactive');

/**
 * Whether a status is active.
 * @throws AwsError `InvalidInput` for a status that requests cannot set
 */
export function isActive(status: statusType): boolean {
  if (status === 'Expired') throw invalidInput('Status must be Active or Inactive.');
  return status === 'Active';
}
