import type { statusType } from '@emu/service-types/iam';
import { invalidInput } from '../errors.ts';

/** The status of a key, certificate or credential that is switched on or off. */
export const statusOf = (active: boolean): statusType => (active ? 'Active' : 'Inactive');

/** Whether a status switches something on. @throws AwsError `InvalidInput` for a status that only time gives */
export function isActive(status: statusType): boolean {
  if (status === 'Expired') throw invalidInput('Status must be Active or Inactive.');
  return status === 'Active';
}
