import type { RotationType } from '../generated/kms.ts';
import type { Key } from '../records.ts';
import type { KmsState } from '../state.ts';
import { generateSymmetricMaterial } from './material.ts';

/**
 * Gives a key its next material, in all its regions: a new one, or for an imported key the one that is pending.
 * @param at epoch milliseconds
 */
export function rotate(state: KmsState, key: Key, type: RotationType, at: number): void {
  const rotation = { at, type };
  const made = key.origin === 'EXTERNAL' ? undefined : { ...generateSymmetricMaterial(state.ids), rotation };
  for (const region of state.regionsOf(key)) {
    if (!region.keys.has(key.id)) continue;
    region.update(key.id, (draft) => {
      if (made) {
        draft.materials.push({ ...made, rotation: { ...rotation } });
        return;
      }
      const pending = draft.materials.find(({ imported }) => imported?.pending);
      if (!pending) return;
      delete pending.imported!.pending;
      pending.rotation = { ...rotation };
    });
  }
}
