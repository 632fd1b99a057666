import type { KeyState } from '@emu/service-types/kms';
import type { AwsError } from '@emu/wire';
import { invalidState, kmsError } from '../errors.ts';
import type { Key } from '../records.ts';

/** Whether an imported key lacks required material. */
const lacksMaterial = ({ origin, materials }: Key): boolean => {
  if (origin !== 'EXTERNAL') return false;
  const used = materials.filter(({ imported }) => !imported?.pending);
  return !used.length || used.some(({ secret }) => secret === undefined);
};

/**
 * Returns the state of a key (https://docs.aws.amazon.com/kms/latest/developerguide/key-state.html).
 * @param storeConnected whether its custom key store is connected; true for keys without one
 */
export function keyStateOf(key: Key, storeConnected: boolean): KeyState {
  if (key.deletion) return key.deletion.at === undefined ? 'PendingReplicaDeletion' : 'PendingDeletion';
  if (!storeConnected) return 'Unavailable';
  if (lacksMaterial(key)) return 'PendingImport';
  return key.enabled ? 'Enabled' : 'Disabled';
}

/** Creates AWS's error for an operation that the key state does not allow. */
export function stateError(state: KeyState, arn: string): AwsError {
  switch (state) {
    case 'Disabled':
      return kmsError('DisabledException', `${arn} is disabled.`);
    case 'PendingDeletion':
      return invalidState(`${arn} is pending deletion.`);
    case 'PendingReplicaDeletion':
      return invalidState(`${arn} is pending replica deletion.`);
    case 'PendingImport':
      return invalidState(`${arn} is pending import.`);
    default:
      return invalidState(`${arn} is ${state.toLowerCase()}.`);
  }
}
