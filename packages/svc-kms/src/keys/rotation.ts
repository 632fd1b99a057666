import type { KeyRecord, MaterialRecord } from '../records.ts';

/**
 * Makes another material the current one of a key.
 * @param next a new material; undefined for an imported key, which takes the one that is pending, if any
 * @param rotation when and why it is rotated; `at` in epoch milliseconds
 */
export function rotateTo(
  draft: KeyRecord,
  next: MaterialRecord | undefined,
  rotation: NonNullable<MaterialRecord['rotation']>,
): void {
  if (next) {
    draft.materials.push({ ...next, rotation: { ...rotation } });
    return;
  }
  const pending = draft.materials.find(({ imported }) => imported?.pending);
  if (!pending) return;
  delete pending.imported!.pending;
  pending.rotation = { ...rotation };
}
